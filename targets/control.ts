import { isOfWay } from '../contract/values.ts';
import type { Dispatcher } from 'undici';
import type { Standing } from '../contract/request.ts';
import type { AuthoritySteeringBody, InvoiceRecordBody, KeptDelivery } from '../schemas/control.ts';
import { jsonOf, epochMs } from '../trace/exchange.ts';
import { Late, messageBytes, receive } from './traffic/reception.ts';
import { answerMs, dispatcherFor, type Network } from './traffic/transport.ts';
import type { ControlAddress } from './address.ts';
import { applicationOfSteering, idsOfSteering } from '../trace/ids.ts';
import type { SteeringRecord } from '../trace/records.ts';
import { NotExercised } from './not-exercised.ts';
import { untilBack, type Finder } from './outage.ts';
import { calledEndpoint, endpoints, retiredEndpoints } from '../contract/endpoints.ts';
import type { SignedRequest } from '../client/sign.ts';
import { isObject } from '../schemas/values.ts';

/** An application as the control API shows it; `appSecret` only in the answer that made it. */
export interface ControlledApplication {
  readonly appKey: string;
  readonly appName: string;
  readonly appSecret: string;
}

/** What a new application is to be like; the control API's defaults where absent. */
export interface ApplicationWish extends Standing {
  readonly appName?: string;
  /** ISO time at which a test clock of its own stands. */
  readonly clock?: string;
  /** How long after its request an issuance or a verification settles. */
  readonly settleSeconds?: number;
}

/** What a control API says of itself. */
interface ControlDescription {
  readonly implementation: string;
}

/** What a target keeps of one event and address, as far as checks ask for it. */
export type DeliveryRecord = Pick<KeptDelivery, 'eventId' | 'state'>;

/** Who waits for a control API that is gone, which may be the end of the run. */
export type ControlFinder = Omit<Finder, 'isThere'>;

/**
 * The control API of a target, as far as checks ask for it. A refusal there makes the check not exercised; without a finder nobody
 * waits for one that is gone.
 */
export class Control {
  readonly #line: Line;

  constructor(
    address: ControlAddress,
    network: Network | undefined,
    finder?: ControlFinder,
    note: (record: SteeringRecord) => void = () => undefined,
  ) {
    this.#line = { dispatcher: dispatcherFor(network), address, note, ...(finder ? { finder } : {}) };
  }

  async description(): Promise<ControlDescription> {
    return descriptionIn(await this.#call('GET', '/'));
  }

  async createApplication(wish: ApplicationWish): Promise<ControlledApplication> {
    const answer = await this.#call('POST', '/applications', wish);
    return { appKey: text(answer, 'appKey'), appName: text(answer, 'appName'), appSecret: text(answer, 'appSecret') };
  }

  /** Makes an application like that from now on; what is absent is as with an active one that may call everything. */
  async changeApplication(appKey: string, standing: Standing): Promise<void> {
    const plain = { state: 'active', integratorState: 'active', subscriptions: 'all', rateLimit: null };
    await this.#call('PATCH', applicationPath(appKey), { ...plain, ...standing });
  }

  /** The new App Secret. */
  async rotateSecret(appKey: string): Promise<string> {
    return text(await this.#call('POST', applicationPath(appKey, 'secret')), 'appSecret');
  }

  async advanceClock(appKey: string, seconds: number, wait: 'attempts' | 'none' = 'attempts'): Promise<void> {
    await this.#call('POST', applicationPath(appKey, 'clock'), { advanceSeconds: seconds, wait });
  }

  async steerAuthority(appKey: string, wish: AuthoritySteeringBody): Promise<void> {
    await this.#done('PUT', applicationPath(appKey, 'authority'), wish);
  }

  /** Saves the addresses for verification events; whether they were, which is up to their test deliveries. */
  async saveVerificationUrls(appKey: string, urls: readonly string[]): Promise<boolean> {
    const path = applicationPath(appKey, 'verification-webhook');
    const { status, body } = await callControl(this.#line, 'PUT', path, { urls });
    if (status === 422) return false;
    if (status >= 300) throw refused('PUT', path, status, body);
    return true;
  }

  async deliveries(appKey: string): Promise<readonly DeliveryRecord[]> {
    const path = applicationPath(appKey, 'deliveries');
    const { status, body } = await callControl(this.#line, 'GET', path, undefined);
    if (status >= 300 || !Array.isArray(body)) throw refused('GET', path, status, body);
    return body.filter(isDeliveryRecord);
  }

  /** Puts an invoice on the tax authority's record. */
  async putInvoice(chave: string, record: InvoiceRecordBody): Promise<void> {
    await this.#done('PUT', `/authority/invoices/${chave}`, record);
  }

  async redeliver(appKey: string, eventId: string): Promise<void> {
    const path = applicationPath(appKey, `deliveries/${encodeURIComponent(eventId)}/redeliver`);
    await this.#done('POST', path);
  }

  close(): Promise<void> {
    return this.#line.dispatcher.close();
  }

  /** Has something done of whose answer the status says all. */
  async #done(method: Dispatcher.HttpMethod, path: string, wish?: object): Promise<void> {
    const { status, body } = await callControl(this.#line, method, path, wish);
    if (status >= 300) throw refused(method, path, status, body);
  }

  #call(method: Dispatcher.HttpMethod, path: string, body?: object): Promise<Record<string, unknown>> {
    return objectFrom(this.#line, method, path, body);
  }
}

function applicationPath(appKey: string, below?: string): string {
  return ['/applications', encodeURIComponent(appKey), ...(below === undefined ? [] : [below])].join('/');
}

function descriptionIn(answer: Record<string, unknown>): ControlDescription {
  const { version } = answer;
  if (version !== 1)
    throw new NotExercised(`the control API speaks version ${String(version)}, this suite version 1`, 'settings');
  return { implementation: text(answer, 'implementation') };
}

interface Line {
  readonly dispatcher: Dispatcher;
  readonly address: ControlAddress;
  /** Is told of every call that was answered. */
  readonly note: (record: SteeringRecord) => void;
  readonly finder?: ControlFinder;
}

async function objectFrom(
  line: Line,
  method: Dispatcher.HttpMethod,
  path: string,
  body: object | undefined,
): Promise<Record<string, unknown>> {
  const answer = await callControl(line, method, path, body);
  if (answer.status >= 300 || !isObject(answer.body)) throw refused(method, path, answer.status, answer.body);
  return answer.body;
}

function refused(method: string, path: string, status: number, body: unknown): NotExercised {
  const why = isObject(body) && typeof body['error'] === 'string' ? body['error'] : 'not the JSON that it is to be';
  return new NotExercised(`the control API answered ${method} ${path} with ${status}: ${why}`, 'settings');
}

interface ControlAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Calls once, and once more where the call never got there and the control API is back. */
async function callControl(
  line: Line,
  method: Dispatcher.HttpMethod,
  path: string,
  body: object | undefined,
): Promise<ControlAnswer> {
  const { address, finder } = line;
  finder?.look();
  const answer = await patiently(line, method, path, body).catch((error: unknown) => error);
  if (isAnswer(answer)) return answer;
  const cause = `the control API can't be reached at ${address.url}: ${String(answer)}`;
  if (!finder) throw new NotExercised(cause, 'settings');
  const isThere = (withinMs: number): Promise<boolean> =>
    requestControl(line, 'GET', '/', undefined, withinMs).then(isAnswer, () => false);
  await untilBack({ ...finder, isThere }, Date.now(), cause);
  // A call that got there may have been done: a clock that is moved twice would be wrong.
  if (!neverSent(answer))
    throw new NotExercised(`the answer of the control API was lost: ${String(answer)}`, 'network');
  return requestControl(line, method, path, body).catch((error: unknown) => {
    throw new NotExercised(`the control API can't be reached at ${address.url}: ${String(error)}`, 'network');
  });
}

/** Calls with the patience that the run has left with such calls: one that drips is not to hold every check. */
async function patiently(
  line: Line,
  method: Dispatcher.HttpMethod,
  path: string,
  body: object | undefined,
): Promise<ControlAnswer> {
  if (!line.finder) return requestControl(line, method, path, body);
  const { ledger, patience } = line.finder;
  const { stalls } = ledger.guard;
  const place = controlPlaceOf(path);
  const startedMs = performance.now();
  try {
    const answer = await requestControl(line, method, path, body, stalls.patienceMs(place, patience.answerMs));
    if (place === controlPlaceOf('/clock')) stalls.noteWhole(performance.now() - startedMs);
    return answer;
  } catch (error) {
    if (error instanceof Late) stalls.noteLate(place);
    throw error;
  }
}

/** Calls; an answer of a proxy that has nothing behind it is an error, too. */
async function requestControl(
  { dispatcher, address, note, finder }: Line,
  method: Dispatcher.HttpMethod,
  path: string,
  body: object | undefined,
  withinMs = finder?.patience.answerMs ?? answerMs,
): Promise<ControlAnswer> {
  const { origin, pathname } = new URL(address.url);
  const prefix = pathname.replace(/(?<!\/)\/+$/, '');
  const asking = {
    origin,
    path: `${prefix}/control/v1${path}`,
    method,
    headers: ['authorization', `Bearer ${address.token}`, 'content-type', 'application/json'],
    body: body === undefined ? null : JSON.stringify(body),
  };
  const atMs = epochMs();
  const noted = (status: number, came?: unknown): void => {
    const application = applicationOfSteering(path, came);
    const done = {
      method,
      path,
      json: body,
      status,
      ids: idsOfSteering(path),
      ...(application ? { application } : {}),
    };
    // By the same clock as arrivals: one that came before the answer is not to seem to come after it.
    note({ kind: 'steering', atMs, durationMs: epochMs() - atMs, ...done });
  };
  const answer = await receive(dispatcher, asking, { deadlineMs: withinMs, bodyBytes: messageBytes }).catch(
    (error: unknown) => {
      noted(0);
      throw error;
    },
  );
  const { status } = answer;
  const came = jsonOf(answer);
  noted(status, came);
  if (isOfWay(status)) throw new Error(`HTTP ${status}`);
  return { status, body: came };
}

function isAnswer(value: unknown): value is ControlAnswer {
  return isObject(value) && !(value instanceof Error) && 'status' in value && 'body' in value;
}

function neverSent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
}

function isDeliveryRecord(value: unknown): value is DeliveryRecord {
  return isObject(value) && typeof value['eventId'] === 'string' && typeof value['state'] === 'string';
}

function text(answer: Record<string, unknown>, field: string): string {
  const value = answer[field];
  if (typeof value !== 'string') throw new NotExercised(`the control API's answer has no text in ${field}`, 'settings');
  return value;
}

const called: readonly unknown[] = [...endpoints, ...retiredEndpoints];

/** Where documents are behind links. */
export const linkPlace = called.length;

/** Where the control API does as it is told; where it moves a clock it may take long. */
export function controlPlaceOf(path: string): number {
  return linkPlace + (path.endsWith('/clock') ? 3 : 2);
}

/** How many places there are. */
export const placeCount = linkPlace + 4;

/** A number for where at a target a request goes: its endpoint, the links to documents, or anywhere else. */
export function placeOf({ method, target, isLink }: Pick<SignedRequest, 'method' | 'target' | 'isLink'>): number {
  if (isLink) return linkPlace;
  const at = called.indexOf(calledEndpoint(method, target));
  return at < 0 ? linkPlace + 1 : at;
}
