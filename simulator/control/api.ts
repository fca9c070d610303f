import manifest from '../../package.json' with { type: 'json' };
import { hash, timingSafeEqual } from 'node:crypto';
import type { Reply } from '../http/reply.ts';
import { headerOf, type RequestFacts } from '../http/request-facts.ts';
import { pathMatcher } from '../rules/route.ts';
import type { Service } from '../service.ts';
import {
  controlError,
  type ControlHandler,
  aboutApplication,
  applicationView,
  changing,
  withBody,
  bodyReader,
} from './handler.ts';
import {
  applicationChanges,
  type ApplicationChanges,
  applicationWish,
  type ApplicationWish,
  clockAdvance,
  type ClockAdvance,
  nothing,
  verificationWebhook,
  type VerificationWebhook,
  authoritySteering,
  type AuthoritySteeringBody,
  invoiceRecord,
  type InvoiceRecordBody,
} from '../../schemas/control.ts';
import { type Clock, nowMs, type Application, type AuthorityRecord, type DeliveryRecord } from '../model.ts';
import { testAddresses } from '../webhooks/events.ts';
import { answerFaults, faultsWish, type FaultsWish } from '../../schemas/faults-on-demand.ts';
import { isAnyChave } from '../documents/tax-numbers.ts';

/** `PUT /applications/{appKey}/authority`: steers how the authority answers; what waited for it settles at once. */
const steerAuthority = changing(
  bodyReader<AuthoritySteeringBody>(authoritySteering),
  ({ appKey, authority }, body, { state: { applications }, timeline }) => {
    const { issuance = authority.issuance, reachable: isReachable = authority.isReachable } = body;
    applications.update(appKey, { authority: { issuance, isReachable } });
    return { status: 200, body: { issuance, reachable: isReachable }, after: () => timeline.touch(appKey) };
  },
);

/** `PUT /authority/invoices/{chave}`: the authority's record of an invoice, in place of what it had. */
const putInvoiceRecord: ControlHandler = (call, service) =>
  isAnyChave(call.variables['chave'] ?? '')
    ? putRecord(call, service)
    : controlError(400, 'A chave is 44 digits, the last of them the check digit of the others.');

const putRecord = withBody(
  bodyReader<InvoiceRecordBody>(invoiceRecord),
  (body, { state }, { variables: { chave = '' } }) => {
    const { protocolo = null, dataAutorizacao = null, eventos = [] } = body;
    const record: AuthorityRecord = { ...usualReturn[body.status], ...body, protocolo, dataAutorizacao, eventos };
    state.authorityRecords.put(chave, record);
    return { status: 200, body: { chave, ...record } };
  },
);

/** What the authority returns for an invoice in each state, unless told otherwise. */
const usualReturn = {
  Autorizada: { cStat: '100', xMotivo: 'Autorizado o uso da NF-e' },
  Cancelada: { cStat: '101', xMotivo: 'Cancelamento de NF-e homologado' },
  Denegada: { cStat: '110', xMotivo: 'Uso Denegado' },
  Inutilizada: { cStat: '102', xMotivo: 'Inutilização de número homologado' },
  NaoEncontrada: { cStat: '217', xMotivo: 'Rejeição: NF-e não consta na base de dados da SEFAZ' },
  Desconhecida: { cStat: '999', xMotivo: 'Rejeição: Erro não catalogado' },
} as const satisfies Readonly<Record<AuthorityRecord['status'], { cStat: string; xMotivo: string }>>;

/** `PUT /applications/{appKey}/faults`: what is to befall the application from now on, in place of what was armed. */
const armFaults = changing(
  bodyReader<FaultsWish>(faultsWish),
  (application, { answers = [], deliveries = [] }, { state }) => {
    state.faults.arm(application.appKey, [...answers, ...deliveries], nowMs(application.clock));
    return shown(application, state);
  },
);

/** `GET /applications/{appKey}/faults`: what is armed, and how much of it is left. */
const listFaults = aboutApplication((application, { state }) => shown(application, state));

/** The App Keys of the applications at which something is armed. */
function applicationsWithFaults({ state: { applications, faults } }: Pick<Service, 'state'>): string[] {
  return faults.appKeys().filter((appKey) => {
    const clock = applications.findByKey(appKey)?.clock ?? 'system';
    return faults.armedAt(appKey, nowMs(clock)).length > 0;
  });
}

function shown({ appKey, clock }: Application, { faults }: Service['state']): Reply {
  const armed = faults.armedAt(appKey, nowMs(clock)).map(({ wish, times, untilMs }) => {
    const { seconds: _, ...rest } = wish;
    return { ...rest, times, until: untilMs === null ? null : new Date(untilMs).toISOString() };
  });
  const isOfAnswer = ({ kind }: { kind: string }): boolean => kind in answerFaults;
  return {
    status: 200,
    body: { answers: armed.filter(isOfAnswer), deliveries: armed.filter((one) => !isOfAnswer(one)) },
  };
}

/** `GET /applications/{appKey}/deliveries`: all of them, oldest first. */
const listDeliveries = aboutApplication(({ appKey }, { state }) => ({
  status: 200,
  body: state.deliveryRecords(appKey).map(deliveryView),
}));

/** `POST /applications/{appKey}/deliveries/{eventId}/redeliver`: 202; a manual re-push. Section 6.4. */
const redeliver = changing(bodyReader<object>(nothing), ({ appKey, clock }, _, { state, timeline }, { variables }) => {
  const deliveries = state.outbox.deliveriesOf(appKey, variables['eventId'] ?? '');
  if (deliveries.length === 0) return controlError(404, 'The application has no event of this id.');
  const owed = deliveries.filter(({ state }) => state !== 'delivered');
  state.transaction(() => {
    for (const { delivery, targetId } of owed.length > 0 ? owed : deliveries) {
      state.outbox.plan({ delivery, targetId, appKey }, 'manual', nowMs(clock));
    }
  });
  timeline.touch(appKey);
  return { status: 202 };
});

function deliveryView({ nextAttemptMs, attempts, ...rest }: DeliveryRecord): object {
  return {
    ...rest,
    nextAttemptAt: nextAttemptMs === null ? null : isoTime(nextAttemptMs),
    attempts: attempts.map(({ deliveryId, startedMs, status, error }) => ({
      deliveryId,
      at: isoTime(startedMs),
      status,
      ...(error === null ? {} : { error }),
    })),
  };
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** `PUT /applications/{appKey}/verification-webhook`: 422 and the old list stays, unless every address acknowledges its test. */
export const setVerificationWebhook = changing(
  bodyReader<VerificationWebhook>(verificationWebhook),
  async (application, body, service) => {
    const { state, rules } = service;
    const urls = [...new Set(body.urls)];
    const notCallable = urls.find((url) => !rules.webhookUrl.isCallable(url));
    if (notCallable !== undefined) {
      return controlError(422, `${notCallable || 'An empty text'} is no absolute http or https address.`);
    }
    const failures = await testAddresses(application, rules.webhookUrl.tested(urls), service);
    if (!rules.webhookUrl.isSaved(failures, urls)) return controlError(422, failures.join(' '));
    state.transaction(() => state.webhooks.setVerificationUrls(application.appKey, urls));
    return { status: 200, body: { urls } };
  },
);

/** `POST /applications`: 201 with the application and its App Secret, which is shown here only. */
const createApplication = withBody(bodyReader<ApplicationWish>(applicationWish), ({ clock, ...wish }, { state }) => {
  const made = state.applications.create({ ...wish, ...(clock === undefined ? {} : { clock: clockOf(clock) }) });
  return { status: 201, body: { ...applicationView(made.application), appSecret: made.appSecret } };
});

/** `GET /applications/{appKey}`. */
const showApplication = aboutApplication((application) => ({ status: 200, body: applicationView(application) }));

/** `PATCH /applications/{appKey}`; a rate limit, also an unchanged one, starts afresh. */
const changeApplication = changing(bodyReader<ApplicationChanges>(applicationChanges), (before, changes, { state }) => {
  if (changes.rateLimit !== undefined) state.rateWindows.delete(before.appKey);
  return { status: 200, body: applicationView(state.applications.update(before.appKey, changes) ?? before) };
});

/** `POST /applications/{appKey}/secret`: a rotation. Section 2.1. */
const rotateSecret = changing(bodyReader<object>(nothing), ({ appKey }, _, { state, rules }) => ({
  status: 200,
  body: { appSecret: state.applications.rotate(appKey, rules.token.secretsAfterRotation) },
}));

/** `POST /applications/{appKey}/clock`: moves a test clock on; 409 for an application on the system clock. */
const advanceClock = changing(bodyReader<ClockAdvance>(clockAdvance), async ({ appKey, clock }, body, { timeline }) => {
  if (clock === 'system') return controlError(409, 'The application is on the system clock, which only time moves.');
  const byMs = Math.round(body.advanceSeconds * 1000);
  if (clock + byMs > latestMs)
    return controlError(400, 'The field advanceSeconds would move the clock beyond the year 9999.');
  const nowMs = await timeline.advance(appKey, byMs, body.wait ?? 'attempts');
  return { status: 200, body: { now: new Date(nowMs).toISOString() } };
});

/** Later times have no ISO form of the usual length. */
const latestMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

function clockOf(clock: string): Clock {
  return clock === 'system' ? clock : Date.parse(clock);
}

interface ControlRoute {
  readonly method: string;
  readonly path: string;
  readonly answer: ControlHandler;
}

const prefix = '/control/v1';

const describeApi: ControlHandler = (_, service) => ({
  status: 200,
  body: {
    version: 1,
    implementation: `${manifest.name} simulator ${manifest.version}`,
    features: ['faults'],
    faultsArmedAt: applicationsWithFaults(service),
  },
});

const routes: readonly ControlRoute[] = [
  { method: 'GET', path: '/', answer: describeApi },
  { method: 'POST', path: '/applications', answer: createApplication },
  { method: 'GET', path: '/applications/{appKey}', answer: showApplication },
  { method: 'PATCH', path: '/applications/{appKey}', answer: changeApplication },
  { method: 'POST', path: '/applications/{appKey}/secret', answer: rotateSecret },
  { method: 'POST', path: '/applications/{appKey}/clock', answer: advanceClock },
  { method: 'PUT', path: '/applications/{appKey}/verification-webhook', answer: setVerificationWebhook },
  { method: 'GET', path: '/applications/{appKey}/deliveries', answer: listDeliveries },
  { method: 'POST', path: '/applications/{appKey}/deliveries/{eventId}/redeliver', answer: redeliver },
  { method: 'PUT', path: '/applications/{appKey}/authority', answer: steerAuthority },
  { method: 'GET', path: '/applications/{appKey}/faults', answer: listFaults },
  { method: 'PUT', path: '/applications/{appKey}/faults', answer: armFaults },
  { method: 'PUT', path: '/authority/invoices/{chave}', answer: putInvoiceRecord },
];

/** Whether a path belongs to the control API, which no signature guards. */
export function isControlPath(path: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`);
}

/** Answers a request under a control path; without a token the API is off, and nothing is found. */
export async function answerControl(
  request: RequestFacts,
  token: string | undefined,
  service: Service,
): Promise<Reply> {
  if (token === undefined)
    return controlError(404, 'The control API is off: the simulator was given no control token.');
  if (!isAuthorized(request, token)) {
    const error = 'The control API takes the control token as Authorization: Bearer.';
    return controlError(401, error, { 'www-authenticate': 'Bearer' });
  }
  const path = request.path.slice(prefix.length) || '/';
  const matching = routes.filter((route) => pathMatcher(route.path)(path));
  if (matching.length === 0) return controlError(404, 'The control API has no such path.');
  const route = matching.find(({ method }) => method === request.method);
  if (!route) {
    const allow = matching.map(({ method }) => method).join(', ');
    return controlError(405, `This path takes ${allow}.`, { allow });
  }
  if (request.isBodyTooLarge) return controlError(413, 'The body is too large.');
  return route.answer({ variables: pathMatcher(route.path)(path) ?? {}, rawBody: request.rawBody }, service);
}

/** Compares hashes, so that neither content nor length of the token shows in the time that it takes. */
function isAuthorized(request: RequestFacts, token: string): boolean {
  const sent = /^Bearer +(\S+)$/i.exec(headerOf(request.headers, 'authorization') ?? '')?.[1] ?? '';
  return timingSafeEqual(hash('sha256', sent, 'buffer'), hash('sha256', token, 'buffer'));
}
