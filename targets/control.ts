import type { Dispatcher } from 'undici';
import { dispatcherFor, type Network } from '../client/transport.ts';
import type { ControlAddress } from './address.ts';
import { NotExercised } from './not-exercised.ts';

/** An application as the control API shows it; `appSecret` only in the answer that made it. */
export interface ControlledApplication {
  readonly appKey: string;
  readonly appName: string;
  readonly appSecret: string;
}

/** What a new application is to be like; the control API's defaults where absent. */
export interface ApplicationWish {
  readonly appName?: string;
  /** ISO time at which a test clock of its own stands. */
  readonly clock?: string;
  readonly state?: 'active' | 'disabled' | 'pending' | 'rejected';
  readonly integratorState?: 'active' | 'disabled';
  readonly subscriptions?: 'all' | readonly string[];
  readonly rateLimit?: { readonly limit: number; readonly windowSeconds: number };
}

/** The control API of a target, as far as checks ask for it. A refusal there makes the check not exercised. */
export interface Control {
  implementation(): Promise<string>;
  createApplication(wish: ApplicationWish): Promise<ControlledApplication>;
  /** The new App Secret. */
  rotateSecret(appKey: string): Promise<string>;
  advanceClock(appKey: string, seconds: number): Promise<void>;
  close(): Promise<void>;
}

/** Opens the control API at that address. */
export function openControl(address: ControlAddress, network: Network | undefined): Control {
  const dispatcher = dispatcherFor(network);
  const call = (method: Dispatcher.HttpMethod, path: string, body?: object): Promise<Record<string, unknown>> =>
    callControl(dispatcher, address, method, path, body);
  return {
    async implementation() {
      const answer = await call('GET', '/');
      if (answer['version'] !== 1) {
        throw new NotExercised(`the control API speaks version ${String(answer['version'])}, this suite version 1`);
      }
      return text(answer, 'implementation');
    },
    async createApplication(wish) {
      const answer = await call('POST', '/applications', wish);
      return { appKey: text(answer, 'appKey'), appName: text(answer, 'appName'), appSecret: text(answer, 'appSecret') };
    },
    async rotateSecret(appKey) {
      return text(await call('POST', `/applications/${encodeURIComponent(appKey)}/secret`), 'appSecret');
    },
    async advanceClock(appKey, seconds) {
      await call('POST', `/applications/${encodeURIComponent(appKey)}/clock`, { advanceSeconds: seconds });
    },
    close: () => dispatcher.close(),
  };
}

async function callControl(
  dispatcher: Dispatcher,
  address: ControlAddress,
  method: Dispatcher.HttpMethod,
  path: string,
  body: object | undefined,
): Promise<Record<string, unknown>> {
  const { origin, pathname } = new URL(address.url);
  const prefix = pathname.replace(/\/+$/, '');
  const answer = await dispatcher
    .request({
      origin,
      path: `${prefix}/control/v1${path}`,
      method,
      headers: { authorization: `Bearer ${address.token}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    })
    .catch((error: unknown) => {
      throw new NotExercised(`the control API can't be reached at ${address.url}: ${String(error)}`);
    });
  const bodyText = await answer.body.text();
  const parsed = parseObject(bodyText);
  if (answer.statusCode >= 300 || !parsed) {
    const why = typeof parsed?.['error'] === 'string' ? parsed['error'] : 'no JSON object';
    throw new NotExercised(`the control API answered ${method} ${path} with ${answer.statusCode}: ${why}`);
  }
  return parsed;
}

function parseObject(bodyText: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(bodyText);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(answer: Record<string, unknown>, field: string): string {
  const value = answer[field];
  if (typeof value !== 'string') throw new NotExercised(`the control API's answer has no text in ${field}`);
  return value;
}
