import type { Context } from '../simulator/gateway/stages.ts';
import { parseJsonObject } from '../simulator/http/json.ts';
import type { Reply } from '../simulator/http/reply.ts';
import type { RequestFacts } from '../simulator/http/request-facts.ts';
import type { Channel, Target } from '../simulator/model.ts';
import { referenceRules } from '../simulator/rules/rules.ts';
import { verdictEventRules } from '../simulator/rules/verdict-event.ts';
import { webhookDeliveryRules } from '../simulator/rules/webhook-delivery.ts';
import { also, counter, endpointMutant, mutant, type Mutant, stageMutant, notingDisabled } from './mutant.ts';
import { delivering, later } from './webhook-delivery.ts';

const { retryMs, failuresInARow, breakerThreshold } = webhookDeliveryRules;

/** An address where nobody listens. */
const nowhere = 'http://127.0.0.1:9/';

/** A time in UTC as a service says it that takes the local time of São Paulo for it. */
function threeHoursBefore(time: string): string {
  return new Date(Date.parse(time) - 3 * 3600 * 1000).toISOString();
}

/** Times of one class of events are three hours behind, and the times of authorisation, as where local time is taken for UTC. */
const threeHoursBehind = [
  mutant(
    'webhook-delivery.rejected-three-hours-behind',
    ['webhook-delivery.true-times', 'verdict-event.verified-at'],
    'verdict',
    {
      verdict: (verdict) =>
        verdict.validationStatus === 'REJECTED'
          ? { ...verdict, verifiedAt: threeHoursBefore(verdict.verifiedAt) }
          : verdict,
    },
  ),
  mutant('webhook-delivery.authorised-three-hours-behind', ['webhook-delivery.true-times'], 'verdict', {
    verdict: (verdict) =>
      typeof verdict.dataAutorizacao === 'string'
        ? { ...verdict, dataAutorizacao: threeHoursBefore(verdict.dataAutorizacao) }
        : verdict,
  }),
];

/** A breaker that stops the verdicts of its application as well. */
function stoppingBoth(): Mutant {
  const stopped = new Set<string>();
  return delivering('breaker-of-both-channels', ['webhook-delivery.breaker-opens'], {
    failuresInARow(before, attempt, isDone) {
      const failures = failuresInARow(before, attempt, isDone);
      if (failures >= breakerThreshold) stopped.add(attempt.appKey);
      return failures;
    },
    receivers: (targets) => targets.filter(({ appKey, channel }) => channel === 'issuance' || !stopped.has(appKey)),
  });
}

/** A breaker that stops the callbacks of all other applications as well, until one of its own is acknowledged. */
function stoppingAll(): Mutant {
  const stopped = new Set<string>();
  return delivering('breaker-of-all-applications', ['webhook-delivery.breaker-opens'], {
    failuresInARow(before, attempt, isDone) {
      const failures = failuresInARow(before, attempt, isDone);
      if (failures >= breakerThreshold) stopped.add(attempt.appKey);
      else if (isDone) stopped.delete(attempt.appKey);
      return failures;
    },
    receivers: (targets) =>
      targets.filter(({ appKey, channel }) => channel === 'verification' || stopped.size === 0 || stopped.has(appKey)),
  });
}

/** A breaker that stays open when its address is registered with another token than before. */
function closedByItsToken(): Mutant {
  const tokens = new Map<string, unknown>();
  return endpointMutant(
    'webhook-delivery.breaker-closed-by-its-token-only',
    ['webhook-delivery.breaker-closes'],
    'webhook-registration',
    (request, context, answer) => {
      const name = addressIn(request, context);
      const sent = parseJsonObject(request.rawBody)?.['token'];
      const isOther = tokens.has(name) && tokens.get(name) !== sent;
      tokens.set(name, sent);
      const webhookRegistration = { ...context.rules.webhookRegistration, restoresDelivery: false };
      return answer(request, isOther ? { ...context, rules: { ...context.rules, webhookRegistration } } : context);
    },
  );
}

/** An address whose breaker was closed once stays stopped the next time. */
function restoredOnce(): Mutant {
  const count = counter();
  return endpointMutant(
    'webhook-delivery.breaker-closed-only-once',
    ['webhook-delivery.breaker-closes'],
    'webhook-registration',
    (request, context, answer) => {
      const name = addressIn(request, context);
      const isStopped = context.state.webhooks
        .targetsOf(context.application?.appKey ?? '', 'issuance')
        .some(({ url, breaker }) => breaker.isOpen && url === parseJsonObject(request.rawBody)?.['uri']);
      const restoresDelivery = !isStopped || count(name) === 0;
      const webhookRegistration = { ...context.rules.webhookRegistration, restoresDelivery };
      return answer(request, { ...context, rules: { ...context.rules, webhookRegistration } });
    },
  );
}

/** An address that is registered already is refused. */
function refusedAgain(): Mutant {
  const known = new Set<string>();
  return endpointMutant(
    'webhook-delivery.address-refused-when-registered-again',
    ['webhook-delivery.breaker-closes'],
    'webhook-registration',
    (request, context, answer) => {
      const name = addressIn(request, context);
      if (known.has(name)) return { status: 409, body: { code: 1, message: 'já cadastrado' } };
      known.add(name);
      return answer(request, context);
    },
  );
}

/** The very registration that an application made last is answered as then, and nothing is done. */
function nothingNew(): Mutant {
  const last = new Map<string, { readonly body: string; readonly reply: Reply }>();
  return endpointMutant(
    'webhook-delivery.registered-as-before-is-nothing',
    ['webhook-delivery.breaker-closes'],
    'webhook-registration',
    async (request, context, answer) => {
      const [appKey, body] = [context.application?.appKey ?? '', request.rawBody.toString('utf8')];
      const before = last.get(appKey);
      const reply = before?.body === body ? before.reply : await answer(request, context);
      last.set(appKey, { body, reply });
      return reply;
    },
  );
}

/** Failures of verdicts are counted with those of callbacks, and stop these alone. */
function stoppedByVerdicts(): Mutant {
  const failures = new Map<string, number>();
  return delivering('breaker-of-failed-verdicts', ['webhook-delivery.at-least-once'], {
    failuresInARow(before, attempt, isDone) {
      failures.set(attempt.appKey, isDone ? 0 : (failures.get(attempt.appKey) ?? 0) + 1);
      return failuresInARow(before, attempt, isDone);
    },
    receivers: (targets) =>
      targets.filter(
        ({ appKey, channel }) => channel === 'verification' || (failures.get(appKey) ?? 0) < breakerThreshold,
      ),
  });
}

/** The address that an application registers. */
function addressIn({ rawBody }: RequestFacts, { application }: Context): string {
  return JSON.stringify([application?.appKey, parseJsonObject(rawBody)?.['uri']]);
}

/** Denials go where nobody listens, once the breaker of their application has been open. */
function denialsLost(): Mutant {
  const stopped = new Set<string>();
  return delivering('denials-lost-after-a-breaker', ['webhook-delivery.breaker-closes'], {
    failuresInARow(before, attempt, isDone) {
      const failures = failuresInARow(before, attempt, isDone);
      if (failures >= breakerThreshold) stopped.add(attempt.appKey);
      return failures;
    },
    request: (request, { appKey, rawBody }) =>
      stopped.has(appKey) && rawBody.includes('"Negada"') ? { ...request, url: nowhere } : request,
  });
}

/** What waits for a retry is dropped in both channels as a breaker opens. */
function waitingLost(): Mutant {
  const openedMs = new Map<string, number>();
  return delivering('waiting-verdicts-lost-with-a-breaker', ['webhook-delivery.breaker-opens'], {
    failuresInARow(before, attempt, isDone) {
      const failures = failuresInARow(before, attempt, isDone);
      if (failures === breakerThreshold) openedMs.set(attempt.appKey, attempt.startedMs);
      return failures;
    },
    request: (request, { appKey, createdMs }) =>
      createdMs < (openedMs.get(appKey) ?? 0) ? { ...request, url: nowhere } : request,
  });
}

/** Only a time-out or a server's error counts for the breaker. */
function breakerOfServerErrors(): Mutant {
  let last: number | undefined;
  return delivering('breaker-of-server-errors', ['webhook-delivery.breaker-opens'], {
    isAcknowledged(status, headers) {
      last = status;
      return webhookDeliveryRules.isAcknowledged(status, headers);
    },
    failuresInARow: (before, attempt, isDone) =>
      last !== undefined && last >= 300 && last < 500 ? before : failuresInARow(before, attempt, isDone),
  });
}

/** What is still to be told of an invoice is told to nobody once it is cancelled. */
function lostByCancellation(): Mutant {
  const cancelled = new Set<string>();
  const cancellation = endpointMutant(
    'webhook-delivery.lost-by-cancellation',
    ['webhook-delivery.at-least-once'],
    'nfe-cancellation',
    (request, context, answer) => {
      cancelled.add(request.path.split('/').at(-1) ?? '');
      return answer(request, context);
    },
  );
  return also(cancellation, 'webhookDelivery', {
    request(request, { rawBody }) {
      const [, nfeId = ''] = /"nfeId":"([^"]*)"/.exec(rawBody.toString('utf8')) ?? [];
      return cancelled.has(nfeId) ? { ...request, url: nowhere } : request;
    },
  });
}

/** What was tried before an address is registered or saved again, the secret rotated, or the application disabled, is told to nobody any more. */
function lostBy(what: 'registration' | 'rotation' | 'saving' | 'disabling'): Mutant {
  const tried = new Set<string>();
  const lost = new Set<string>();
  const lose = (): void => tried.forEach((name) => lost.add(name));
  const gateway = stageMutant(
    `webhook-delivery.lost-by-${what}`,
    ['webhook-delivery.at-least-once'],
    'application',
    (request, context, original) => {
      const isDisabled = context.application?.state === 'disabled';
      if (what === 'disabling' ? isDisabled : what === 'registration' && request.path.endsWith('/webhooks')) lose();
      return original.answer(request, context);
    },
  );
  const { token, webhookUrl } = referenceRules;
  const rotating = also(gateway, 'token', {
    secretsAfterRotation(old, fresh) {
      if (what === 'rotation') lose();
      return token.secretsAfterRotation(old, fresh);
    },
  });
  const saving = also(rotating, 'webhookUrl', {
    isSaved(failures, urls) {
      if (what === 'saving') lose();
      return webhookUrl.isSaved(failures, urls);
    },
  });
  return also(saving, 'webhookDelivery', {
    request(request, { eventId }) {
      if (lost.has(eventId)) return { ...request, url: nowhere };
      tried.add(eventId);
      return request;
    },
  });
}

/** Whoever was disabled once has no addresses any more. */
function forgottenWhenDisabled(): Mutant {
  const breaks = ['webhook-delivery.at-least-once'] as const;
  const { noting, wasDisabled } = notingDisabled('webhook-delivery.addresses-forgotten-when-disabled', breaks);
  return also(noting, 'webhookDelivery', {
    receivers: (targets) => targets.filter(({ appKey }) => !wasDisabled(appKey)),
  });
}

/** An address for verdicts is of the application that saved it last, and of no other any more. */
function ofTheLastToSave(): Mutant {
  const owners = new Map<string, string>();
  return delivering('address-of-the-last-to-save', ['webhook-delivery.at-least-once'], {
    request(request, { eventType, appKey }) {
      if (eventType === verdictEventRules.testEventType) owners.set(request.url, appKey);
      return request;
    },
    receivers: (targets) =>
      targets.filter(({ channel, appKey, url }) => channel === 'issuance' || (owners.get(url) ?? appKey) === appKey),
  });
}

/** The delays grow with all that an address has refused, whatever the event. */
function ladderOfTheAddress(): Mutant {
  const refused = new Map<string, number>();
  return delivering('one-ladder-for-all-events', ['webhook-delivery.retry-delays'], {
    retryMs(attempt, endedMs, retry, delays) {
      const step = Math.max(retry, refused.get(attempt.url) ?? 0);
      refused.set(attempt.url, Math.min(delays.length - 1, step + 1));
      return retryMs(attempt, endedMs, step, delays);
    },
  });
}

/** What else is to be told at an address is told nowhere, once one event there has come to its last retry. */
function lostWithTheDead(): Mutant {
  const [tries, lost] = [new Map<string, number>(), new Set<string>()];
  return delivering('lost-with-the-dead', ['webhook-delivery.five-retries'], {
    request(request, { eventId }) {
      const name = `${request.url} ${eventId}`;
      const count = (tries.get(name) ?? 0) + 1;
      tries.set(name, count);
      const others = [...tries.keys()].filter((other) => other.startsWith(`${request.url} `) && other !== name);
      if (count > webhookDeliveryRules.retryDelaysSeconds.length) others.forEach((other) => lost.add(other));
      return lost.has(name) ? { ...request, url: nowhere } : request;
    },
  });
}

/** What is told on a channel goes to an address of each other application as well. */
function strayed(channel: Channel, clause: Mutant['breaks'][number]): Mutant {
  const addresses = new Map<string, Target>();
  const gateway = stageMutant(
    `webhook-delivery.${channel}-strays`,
    [clause],
    'required-headers',
    (request, context, original) => {
      const { applications, webhooks } = context.state;
      for (const { appKey } of applications.list())
        for (const target of webhooks.targetsOf(appKey, channel)) addresses.set(appKey, target);
      return original.answer(request, context);
    },
  );
  return also(gateway, 'webhookDelivery', {
    receivers(targets) {
      if (targets[0]?.channel !== channel) return targets;
      return [...targets, ...[...addresses.values()].filter(({ appKey }) => appKey !== targets[0]?.appKey)];
    },
  });
}

/** So many failures of verdicts an application, or an address, may have: more than those of two events that are never acknowledged. */
const mostOfVerdicts = 15;

/** A breaker of the verdicts, too: nothing new comes to an address that has failed so often. */
function stoppingVerdicts(): Mutant {
  const counts = new Map<string, number>();
  return delivering('breaker-of-verdicts', ['verdict-event.sent-when-settled'], {
    failuresInARow(before, attempt, isDone) {
      const { url, channel } = attempt;
      if (channel === 'verification') counts.set(url, isDone ? 0 : (counts.get(url) ?? 0) + 1);
      return failuresInARow(before, attempt, isDone);
    },
    receivers: (targets) => targets.filter(({ url }) => (counts.get(url) ?? 0) < mostOfVerdicts),
  });
}

/** Verdicts are retried no more where so many attempts of their application have failed. */
function givingUpOnVerdicts(): Mutant {
  const counts = new Map<string, number>();
  return delivering('verdicts-given-up-where-many-failed', ['webhook-delivery.five-retries'], {
    retryMs(attempt, endedMs, ...rest) {
      const { appKey, channel } = attempt;
      const count = channel === 'verification' ? (counts.get(appKey) ?? 0) + 1 : 0;
      counts.set(appKey, Math.max(count, counts.get(appKey) ?? 0));
      return count > mostOfVerdicts ? endedMs + 1e12 : retryMs(attempt, endedMs, ...rest);
    },
  });
}

/** Deliveries of one thing that go by what became of another: an event, an address, an application. */
export const betweenDeliveriesMutants: readonly Mutant[] = [
  ...threeHoursBehind,
  delivering('html-is-no-acknowledgement', ['webhook-delivery.acknowledged-by-any-2xx'], {
    isAcknowledged: (status, headers) =>
      webhookDeliveryRules.isAcknowledged(status) && !String(headers?.['content-type']).includes('html'),
  }),
  delivering('text-is-no-acknowledgement', ['webhook-delivery.acknowledged-by-any-2xx'], {
    isAcknowledged: (status, headers) =>
      webhookDeliveryRules.isAcknowledged(status) &&
      !(status === 200 && Number(headers?.['content-length'] ?? 0) > 0 && headers?.['content-type'] === undefined),
  }),
  later('late-after-timeout', 'webhook-delivery.timeout-after-10-seconds', ({ startedMs }, endedMs) =>
    endedMs - startedMs >= 9000 ? 600_000 : 0,
  ),
  later('late-retry-the-last', 'webhook-delivery.timeout-after-10-seconds', ({ startedMs }, endedMs, retry) =>
    retry > 0 && endedMs - startedMs >= 9000 ? 1e10 : 0,
  ),
  later('early-after-late-retry', 'webhook-delivery.timeout-after-10-seconds', ({ startedMs }, endedMs, retry) =>
    retry > 0 && endedMs - startedMs >= 9000 ? -200_000 : 0,
  ),
  breakerOfServerErrors(),
  denialsLost(),
  waitingLost(),
  stoppingBoth(),
  stoppingAll(),
  closedByItsToken(),
  restoredOnce(),
  refusedAgain(),
  nothingNew(),
  stoppedByVerdicts(),
  lostByCancellation(),
  lostBy('registration'),
  lostBy('rotation'),
  lostBy('saving'),
  lostBy('disabling'),
  forgottenWhenDisabled(),
  ofTheLastToSave(),
  ladderOfTheAddress(),
  lostWithTheDead(),
  strayed('issuance', 'issuance-callback.called-back-when-authorised'),
  strayed('verification', 'verdict-event.sent-when-settled'),
  stoppingVerdicts(),
  givingUpOnVerdicts(),
];
