import type { Channel, Target } from '../simulator/model.ts';
import { referenceRules, type Rules } from '../simulator/rules/rules.ts';
import { webhookDeliveryRules, type WebhookDeliveryRules } from '../simulator/rules/webhook-delivery.ts';
import { endpointMutant, mutant, stageMutant, type Mutant } from './mutant.ts';

const { retryMs, failuresInARow, breakerThreshold } = webhookDeliveryRules;

/** An address where nobody listens. */
const nowhere = 'http://127.0.0.1:9/';

const delivered = (what: string, clause: Mutant['breaks'][number], change: Partial<WebhookDeliveryRules>): Mutant =>
  mutant(`webhook-delivery.${what}`, [clause], 'webhookDelivery', change);

/** Times of one class of events are three hours behind, as where local time is taken for UTC. */
function threeHoursBehind(): Mutant {
  const rules: Rules = {
    ...referenceRules,
    verdict: {
      ...referenceRules.verdict,
      verdict: (verdict) =>
        verdict.validationStatus === 'REJECTED'
          ? { ...verdict, verifiedAt: new Date(Date.parse(verdict.verifiedAt) - 3 * 3600 * 1000).toISOString() }
          : verdict,
    },
  };
  return { id: 'webhook-delivery.rejected-three-hours-behind', breaks: ['webhook-delivery.true-times'], rules };
}

/** Denials go where nobody listens, once the breaker of their application has been open. */
function denialsLost(): Mutant {
  const stopped = new Set<string>();
  return mutant(
    'webhook-delivery.denials-lost-after-a-breaker',
    ['webhook-delivery.breaker-closes'],
    'webhookDelivery',
    {
      failuresInARow(before, attempt, isDone) {
        const failures = failuresInARow(before, attempt, isDone);
        if (failures >= breakerThreshold) stopped.add(attempt.appKey);
        return failures;
      },
      request: (request, { appKey, rawBody }) =>
        stopped.has(appKey) && rawBody.includes('"Negada"') ? { ...request, url: nowhere } : request,
    },
  );
}

/** Only a time-out or a server's error counts for the breaker. */
function breakerOfServerErrors(): Mutant {
  let last: number | undefined;
  return delivered('breaker-of-server-errors', 'webhook-delivery.breaker-opens', {
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
  const { id, breaks, rules } = endpointMutant(
    'webhook-delivery.lost-by-cancellation',
    ['webhook-delivery.at-least-once'],
    'nfe-cancellation',
    (request, context, answer) => {
      cancelled.add(request.path.split('/').at(-1) ?? '');
      return answer(request, context);
    },
  );
  const request: WebhookDeliveryRules['request'] = (outgoing, { rawBody }) => {
    const [, nfeId = ''] = /"nfeId":"([^"]*)"/.exec(rawBody.toString('utf8')) ?? [];
    return cancelled.has(nfeId) ? { ...outgoing, url: nowhere } : outgoing;
  };
  return { id, breaks, rules: { ...rules, webhookDelivery: { ...webhookDeliveryRules, request } } };
}

/** What was tried before an address is registered or saved again, the secret rotated, or the application disabled, is told to nobody any more. */
function lostBy(what: 'registration' | 'rotation' | 'saving' | 'disabling'): Mutant {
  const tried = new Set<string>();
  const lost = new Set<string>();
  const lose = (): void => tried.forEach((name) => lost.add(name));
  const { id, breaks, rules } = stageMutant(
    `webhook-delivery.lost-by-${what}`,
    ['webhook-delivery.at-least-once'],
    'application',
    (request, context, original) => {
      const isDisabled = context.application?.state === 'disabled';
      if (what === 'disabling' ? isDisabled : what === 'registration' && request.path.endsWith('/webhooks')) lose();
      return original.answer(request, context);
    },
  );
  const request: WebhookDeliveryRules['request'] = (outgoing, { eventId }) => {
    if (lost.has(eventId)) return { ...outgoing, url: nowhere };
    tried.add(eventId);
    return outgoing;
  };
  const { token, webhookUrl } = referenceRules;
  const secretsAfterRotation: typeof token.secretsAfterRotation = (old, fresh) => {
    if (what === 'rotation') lose();
    return token.secretsAfterRotation(old, fresh);
  };
  const isSaved: typeof webhookUrl.isSaved = (failures) => {
    if (what === 'saving') lose();
    return webhookUrl.isSaved(failures);
  };
  const replaced = {
    webhookDelivery: { ...webhookDeliveryRules, request },
    token: { ...token, secretsAfterRotation },
    webhookUrl: { ...webhookUrl, isSaved },
  };
  return { id, breaks, rules: { ...rules, ...replaced } };
}

/** Whoever was disabled once has no addresses any more. */
function forgottenWhenDisabled(): Mutant {
  const forgotten = new Set<string>();
  const { id, breaks, rules } = stageMutant(
    'webhook-delivery.addresses-forgotten-when-disabled',
    ['webhook-delivery.at-least-once'],
    'application',
    (request, context, original) => {
      const { application } = context;
      if (application?.state === 'disabled') forgotten.add(application.appKey);
      return original.answer(request, context);
    },
  );
  const receivers: WebhookDeliveryRules['receivers'] = (targets) =>
    targets.filter(({ appKey }) => !forgotten.has(appKey));
  return { id, breaks, rules: { ...rules, webhookDelivery: { ...webhookDeliveryRules, receivers } } };
}

/** The delays grow with all that an address has refused, whatever the event. */
function ladderOfTheAddress(): Mutant {
  const refused = new Map<string, number>();
  return mutant('webhook-delivery.one-ladder-for-all-events', ['webhook-delivery.retry-delays'], 'webhookDelivery', {
    retryMs(attempt, endedMs, retry, delays) {
      const step = Math.max(retry, refused.get(attempt.url) ?? 0);
      refused.set(attempt.url, Math.min(delays.length - 1, step + 1));
      return retryMs(attempt, endedMs, step, delays);
    },
  });
}

/** What is told on a channel goes to an address of each other application as well. */
function strayed(channel: Channel, clause: Mutant['breaks'][number]): Mutant {
  const addresses = new Map<string, Target>();
  const { id, breaks, rules } = stageMutant(
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
  const receivers = (targets: readonly Target[]): readonly Target[] => {
    if (targets[0]?.channel !== channel) return targets;
    return [...targets, ...[...addresses.values()].filter(({ appKey }) => appKey !== targets[0]?.appKey)];
  };
  return { id, breaks, rules: { ...rules, webhookDelivery: { ...webhookDeliveryRules, receivers } } };
}

/** Deliveries of one thing that go by what became of another: an event, an address, an application. */
export const betweenDeliveriesMutants: readonly Mutant[] = [
  threeHoursBehind(),
  delivered('html-is-no-acknowledgement', 'webhook-delivery.acknowledged-by-any-2xx', {
    isAcknowledged: (status, headers) =>
      webhookDeliveryRules.isAcknowledged(status) && !String(headers?.['content-type']).includes('html'),
  }),
  delivered('late-after-timeout', 'webhook-delivery.timeout-after-10-seconds', {
    retryMs: (attempt, endedMs, retry, delays) =>
      retryMs(attempt, endedMs, retry, delays) + (endedMs - attempt.startedMs >= 9000 ? 600_000 : 0),
  }),
  delivered('late-retry-the-last', 'webhook-delivery.timeout-after-10-seconds', {
    retryMs: (attempt, endedMs, retry, delays) =>
      retryMs(attempt, endedMs, retry, delays) + (retry > 0 && endedMs - attempt.startedMs >= 9000 ? 1e10 : 0),
  }),
  breakerOfServerErrors(),
  denialsLost(),
  lostByCancellation(),
  lostBy('registration'),
  lostBy('rotation'),
  lostBy('saving'),
  lostBy('disabling'),
  forgottenWhenDisabled(),
  ladderOfTheAddress(),
  strayed('issuance', 'issuance-callback.called-back-when-authorised'),
  strayed('verification', 'verdict-event.sent-when-settled'),
];
