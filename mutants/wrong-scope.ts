import { parseJsonObject } from '../simulator/http/reply.ts';
import type { AuthorityRecord, Channel, Outgoing, Target } from '../simulator/model.ts';
import { referenceRules } from '../simulator/rules/rules.ts';
import { verdictRules } from '../simulator/rules/verdict.ts';
import { verdictEventRules } from '../simulator/rules/verdict-event.ts';
import { webhookDeliveryRules } from '../simulator/rules/webhook-delivery.ts';
import { endpointMutant, mutant, stageMutant, withMembers, type Mutant } from './mutant.ts';

const { retryMs, failuresInARow, breakerThreshold } = webhookDeliveryRules;

/** An address where nobody listens. */
const nowhere = 'http://127.0.0.1:9/';

/** Of two companies of an application the signs of the second one's requests are not looked at. */
function secondCompanyUnchecked(): Mutant {
  const companies = new Map<string, Set<string>>();
  return stageMutant(
    'signature.unchecked-for-a-second-company',
    ['signature.path-bound'],
    'signature',
    (request, context, original) => {
      const company = /\/empresas\/([^/]+)/.exec(request.path)?.[1];
      if (company === undefined) return original.answer(request, context);
      const known = companies.get(context.sent.token) ?? new Set();
      companies.set(context.sent.token, known.add(company));
      return [...known].indexOf(company) === 1 ? undefined : original.answer(request, context);
    },
  );
}

/** What the authority said last of a chave is told while it is out of reach. */
function saidBefore(): Mutant {
  const last = new Map<string, AuthorityRecord>();
  return mutant('verdict-event.old-return-while-unreachable', ['verdict-event.nulls-when-unreachable'], 'verdict', {
    record(findings, application, books) {
      const key = `${application.appKey} ${findings.chave}`;
      const record = verdictRules.record(findings, application, books) ?? last.get(key);
      if (record) last.set(key, record);
      return record;
    },
  });
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

/** A verdict waits at an address behind another one that is still to be taken there. */
function behindAnother(): Mutant {
  const refused = new Map<string, Set<string>>();
  return mutant('verdict-event.sent-behind-a-refused-one', ['verdict-event.sent-when-settled'], 'webhookDelivery', {
    failuresInARow(before, attempt, isDone) {
      const events = refused.get(attempt.url) ?? new Set();
      refused.set(attempt.url, events);
      if (isDone) events.delete(attempt.eventId);
      else events.add(attempt.eventId);
      return failuresInARow(before, attempt, isDone);
    },
    request(request, { channel, eventId }) {
      const events = refused.get(request.url) ?? new Set();
      const isBehind = channel === 'verification' && events.size > 0 && !events.has(eventId);
      return isBehind ? { ...request, url: nowhere } : request;
    },
  });
}

/** An address gets no verdict any more once one of them is dead there. */
function givenUp(): Mutant {
  const failures = new Map<string, number>();
  const dead = new Set<string>();
  return mutant(
    'verdict-event.address-given-up-when-one-is-dead',
    ['verdict-event.sent-when-settled'],
    'webhookDelivery',
    {
      failuresInARow(before, attempt, isDone) {
        const name = `${attempt.eventId} ${attempt.url}`;
        const failed = (failures.get(name) ?? 0) + (isDone ? 0 : 1);
        failures.set(name, failed);
        if (failed > webhookDeliveryRules.retryDelaysSeconds.length) dead.add(attempt.url);
        return failuresInARow(before, attempt, isDone);
      },
      receivers: (targets) => targets.filter(({ url, channel }) => channel === 'issuance' || !dead.has(url)),
    },
  );
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

/** The addresses that were saved before are lost with those that could not be saved. */
function oldListLost(): Mutant {
  const lost = new Set<string>();
  const owners = new Map<string, string>();
  const { id, breaks, rules } = mutant(
    'webhook-url.old-addresses-lost',
    ['webhook-url.not-saved-otherwise'],
    'webhookDelivery',
    {
      request(request, { eventType, appKey }) {
        if (eventType !== verdictEventRules.testEventType) return request;
        owners.set(request.url, appKey);
        lost.delete(appKey);
        return request;
      },
      receivers: (targets) => targets.filter(({ channel, appKey }) => channel === 'issuance' || !lost.has(appKey)),
    },
  );
  const isSaved = (failures: readonly string[]): boolean => {
    for (const failure of failures) lost.add(owners.get(failure.split(' ', 1).join('')) ?? '');
    return failures.length === 0;
  };
  return { id, breaks, rules: { ...rules, webhookUrl: { ...referenceRules.webhookUrl, isSaved } } };
}

/** A cancellation reaches the invoices of that id in all companies of its application. */
function cancelledEverywhere(): Mutant {
  const cancelled = new Set<string>();
  return stageMutant(
    'nfe-query.cancelled-in-all-companies',
    ['nfe-query.follows-the-life-cycle'],
    'endpoint',
    async (request, context, original) => {
      const reply = await original.answer(request, context);
      const nfeId = /\/v2\/empresas\/[^/]+\/nf-e\/([^/]+)$/.exec(request.path)?.[1];
      if (nfeId === undefined || reply?.status !== 200) return reply;
      const name = `${context.application?.appKey} ${nfeId}`;
      if (request.method === 'DELETE') cancelled.add(name);
      return request.method === 'GET' && cancelled.has(name) ? withMembers(reply, { status: 'Cancelada' }) : reply;
    },
  );
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

/** All addresses of an application get the token that was registered last. */
function oneToken(): Mutant {
  const last = new Map<string, string>();
  const { id, breaks, rules } = endpointMutant(
    'issuance-callback.last-token-for-all',
    ['issuance-callback.token'],
    'webhook-registration',
    (request, context, answer) => {
      const token = parseJsonObject(request.rawBody)?.['token'];
      if (typeof token === 'string') last.set(context.application?.appKey ?? '', token);
      return answer(request, context);
    },
  );
  const token = (outgoing: Outgoing): string | undefined =>
    webhookDeliveryRules.token(outgoing) && last.get(outgoing.appKey);
  return { id, breaks, rules: { ...rules, webhookDelivery: { ...webhookDeliveryRules, token } } };
}

/** Who has sent ten wrong signs is let in no more. */
function shutOut(): Mutant {
  const wrong = new Map<string, number>();
  return stageMutant(
    'signature.shut-out-after-ten-wrong-ones',
    ['signature.accepted'],
    'signature',
    async (request, context, original) => {
      const refusal = await original.answer(request, context);
      const failed = (wrong.get(context.sent.token) ?? 0) + (refusal ? 1 : 0);
      wrong.set(context.sent.token, refusal || failed >= 10 ? failed : 0);
      return refusal ?? (failed >= 10 ? original.answer({ ...request, path: '/' }, context) : undefined);
    },
  );
}

/** What was said of a denial is said again of what the application issues afterwards. */
function afterDenial(): readonly Mutant[] {
  const { motivo, xmlLink } = referenceRules.issuanceCallback;
  const motivos = new Map<string, string>();
  const denied = new Set<string>();
  return [
    mutant(
      'issuance-callback.motivo-of-the-last-denial',
      ['issuance-callback.no-motivo-when-authorised'],
      'issuanceCallback',
      {
        motivo(invoice) {
          if (motivo(invoice) !== '') motivos.set(invoice.appKey, motivo(invoice));
          return motivos.get(invoice.appKey) ?? '';
        },
      },
    ),
    mutant('issuance-callback.no-link-after-a-denial', ['issuance-callback.xml-link'], 'issuanceCallback', {
      xmlLink(invoice, link) {
        if (invoice.settlement.outcome === 'Negada') denied.add(invoice.appKey);
        return denied.has(invoice.appKey) ? '' : xmlLink(invoice, link);
      },
    }),
  ];
}

/** The reason of a rejection stands in later verdicts of its application. */
function reasonKept(): Mutant {
  const reasons = new Map<string, string>();
  return mutant(
    'verdict-event.reason-of-the-last-rejection',
    ['verdict-event.no-reason-when-validated'],
    'webhookDelivery',
    {
      body(outgoing) {
        const right = webhookDeliveryRules.body(outgoing);
        const [reason] = /"reason":"[^"]*"/.exec(right.toString('utf8')) ?? [];
        if (reason !== undefined) reasons.set(outgoing.appKey, reason);
        const known = reasons.get(outgoing.appKey);
        if (reason !== undefined || known === undefined || outgoing.channel === 'issuance') return right;
        return Buffer.from(right.toString('utf8').replace(/"data":\{(?!\})/, `"data":{${known},`));
      },
    },
  );
}

/** The first rotation of a secret makes the old one invalid, and no later one does. */
function firstRotationOnly(): Mutant {
  const { token } = referenceRules;
  const rotated = new Set<string>();
  return mutant('token.old-one-kept-by-a-second-rotation', ['token.rotated-refused'], 'token', {
    secretsAfterRotation(old, secret) {
      const isSecond = old.some((one) => rotated.has(one));
      rotated.add(secret);
      return isSecond ? [secret, ...old] : token.secretsAfterRotation(old, secret);
    },
  });
}

/** A callback names the company that had its id first. */
function companyById(): Mutant {
  const first = new Map<string, string>();
  return mutant('issuance-callback.company-by-id-alone', ['issuance-callback.empresa-id'], 'issuanceCallback', {
    body(result) {
      const empresaId = first.get(result.nfeId) ?? result.empresaId;
      first.set(result.nfeId, empresaId);
      return { ...result, empresaId };
    },
  });
}

/** Services that keep of one thing what they use of another: a company, an event, an address, a time. */
export const wrongScopeMutants: readonly Mutant[] = [
  secondCompanyUnchecked(),
  saidBefore(),
  denialsLost(),
  behindAnother(),
  givenUp(),
  ladderOfTheAddress(),
  oldListLost(),
  cancelledEverywhere(),
  strayed('issuance', 'issuance-callback.called-back-when-authorised'),
  strayed('verification', 'verdict-event.sent-when-settled'),
  oneToken(),
  ...afterDenial(),
  reasonKept(),
  firstRotationOnly(),
  shutOut(),
  companyById(),
];
