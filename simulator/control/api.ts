import { hash, timingSafeEqual } from 'node:crypto';
import manifest from '../../package.json' with { type: 'json' };
import type { Reply } from '../http/reply.ts';
import { headerOf, type RequestFacts } from '../http/request-facts.ts';
import { pathMatcher } from '../rules/route.ts';
import type { Service } from '../service.ts';
import { advanceClock, changeApplication, createApplication, rotateSecret, showApplication } from './applications.ts';
import { listDeliveries, redeliver, setVerificationWebhook } from './deliveries.ts';
import { controlError, type ControlHandler } from './handler.ts';
import { applicationsWithFaults, armFaults, listFaults, putInvoiceRecord, steerAuthority } from './steering.ts';

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
