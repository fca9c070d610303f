import { randomUUID } from 'node:crypto';
import type { ClauseId } from '../contract/catalogue.ts';
import type { Context } from '../simulator/gateway/stages.ts';
import type { RequestFacts } from '../simulator/http/request-facts.ts';
import type { AuthorityRecord } from '../simulator/model.ts';
import { type VerdictEnvelope, verdictEventRules } from '../simulator/rules/verdict-event.ts';
import { webhookDeliveryRules } from '../simulator/rules/webhook-delivery.ts';
import { queueEvent } from '../simulator/webhooks/events.ts';
import { also, counter, endpointMutant, firstOf, type Mutant, rewriting, ruleMutants } from './mutant.ts';
import { verdictRules } from '../simulator/rules/verdict.ts';

const ruled = ruleMutants('verdict-event', 'verdictEvent');
const ruledWebhookDelivery = ruleMutants('verdict-event', 'webhookDelivery');

function bodyMutant(what: string, breaks: Mutant['breaks'], body: (envelope: VerdictEnvelope) => unknown): Mutant {
  return ruled(what, breaks, { body });
}

/** A member of the envelope with another value; `undefined` leaves it out. */
function member(what: string, clause: ClauseId, name: keyof VerdictEnvelope, value: unknown): Mutant {
  return bodyMutant(what, [clause], (envelope) => ({ ...envelope, [name]: value }));
}

/** The first event of each application has a field that no later one has. */
function withFieldAtFirst(): Mutant {
  const first = firstOf<string>();
  return ruledWebhookDelivery(
    'added-field-gone-again',
    ['verdict-event.fields-kept'],
    rewriting((right, { appKey, eventId, eventType }) => {
      const isFirst = eventType === verdictEventRules.eventType && first(appKey, eventId) === eventId;
      return isFirst ? right.replace('"data":{', '"data":{"origem":"SVRS",') : right;
    }),
  );
}

/** Tells in English what the authority returned, where the request asked for English. */
function returnTranslated(): Mutant {
  const inEnglish = new Set<string>();
  const verification = verifying(
    'return-in-the-language-asked-for',
    'verdict-event.return-verbatim',
    (request, context) => {
      const { appKey = '' } = context.application ?? {};
      if (context.rules.language.choose(request.headers) === 'en') inEnglish.add(appKey);
      else inEnglish.delete(appKey);
    },
  );
  return also(
    verification,
    'webhookDelivery',
    rewriting((right, { appKey }) =>
      inEnglish.has(appKey) ? right.replace(/"xMotivo":"/, '"xMotivo":"Returned: ') : right,
    ),
  );
}

/** Names in each verdict the chave that was verified last by then. */
function chaveOfTheLast(): Mutant {
  const last = new Map<string, string>();
  const verification = verifying('chave-of-the-last', 'verdict-event.chave-acesso', (request, context) => {
    const [, chave] = /"NFe(\d{44})"/.exec(request.rawBody.toString('latin1')) ?? [];
    if (chave !== undefined) last.set(context.application?.appKey ?? '', chave);
  });
  return also(
    verification,
    'webhookDelivery',
    rewriting((right, { appKey }) => {
      const chave = last.get(appKey);
      return chave ? right.replace(/"chaveAcesso":"\d{44}"/, `"chaveAcesso":"${chave}"`) : right;
    }),
  );
}

/** Notes something of each verification, and verifies it rightly. */
function verifying(what: string, clause: ClauseId, note: (request: RequestFacts, context: Context) => void): Mutant {
  return endpointMutant(`verdict-event.${what}`, [clause], 'nfe-verification', (request, context, answer) => {
    note(request, context);
    return answer(request, context);
  });
}

/** Tells of each application's verifications the time of the first. */
function verifiedOnce(): Mutant {
  const first = firstOf<string>();
  return ruledWebhookDelivery(
    'verified-at-of-the-first',
    ['verdict-event.verified-at'],
    rewriting((right, { appKey }) => right.replace(/"verifiedAt":"[^"]*"/, (told) => first(appKey, told))),
  );
}

/** What the authority said last of a chave is told while it is out of reach. */
function saidBefore(): Mutant {
  const last = new Map<string, AuthorityRecord>();
  const ruledVerdict = ruleMutants('verdict-event', 'verdict');
  return ruledVerdict('old-return-while-unreachable', ['verdict-event.nulls-when-unreachable'], {
    record(findings, application, books) {
      const key = `${application.appKey} ${findings.chave}`;
      const record = verdictRules.record(findings, application, books) ?? last.get(key);
      if (record) last.set(key, record);
      return record;
    },
  });
}

/** A verdict waits at an address behind another one that is still to be taken there. */
function behindAnother(): Mutant {
  const refused = new Map<string, Set<string>>();
  return ruledWebhookDelivery(
    'sent-behind-a-refused-one',
    ['verdict-event.sent-when-settled', 'webhook-delivery.retry-delays'],
    {
      failuresInARow(before, attempt, isDone) {
        const events = refused.get(attempt.url) ?? new Set();
        refused.set(attempt.url, events);
        if (isDone) events.delete(attempt.eventId);
        else events.add(attempt.eventId);
        return webhookDeliveryRules.failuresInARow(before, attempt, isDone);
      },
      request(request, { channel, eventId }) {
        const events = refused.get(request.url) ?? new Set();
        const isBehind = channel === 'verification' && events.size > 0 && !events.has(eventId);
        return isBehind ? { ...request, url: 'http://127.0.0.1:9/' } : request;
      },
    },
  );
}

/** An address gets no verdict any more once one of them is dead there. */
function givenUp(): Mutant {
  const failures = counter();
  const dead = new Set<string>();
  const { failuresInARow, retryDelaysSeconds } = webhookDeliveryRules;
  return ruledWebhookDelivery('address-given-up-when-one-is-dead', ['verdict-event.sent-when-settled'], {
    failuresInARow(before, attempt, isDone) {
      const isLast = !isDone && failures(`${attempt.eventId} ${attempt.url}`) >= retryDelaysSeconds.length;
      if (isLast) dead.add(attempt.url);
      return failuresInARow(before, attempt, isDone);
    },
    receivers: (targets) => targets.filter(({ url, channel }) => channel === 'issuance' || !dead.has(url)),
  });
}

/** The reason of a rejection stands in later verdicts of its application. */
function reasonKept(): Mutant {
  const reasons = new Map<string, string>();
  return ruledWebhookDelivery(
    'reason-of-the-last-rejection',
    ['verdict-event.no-reason-when-validated'],
    rewriting((right, { appKey, channel }) => {
      const [reason] = /"reason":"[^"]*"/.exec(right) ?? [];
      if (reason !== undefined) reasons.set(appKey, reason);
      const known = reasons.get(appKey);
      if (reason !== undefined || known === undefined || channel === 'issuance') return right;
      return right.replace(/"data":\{(?!\})/, `"data":{${known},`);
    }),
  );
}

/** Wrong events. */
export const verdictEventMutants: readonly Mutant[] = [
  ruledWebhookDelivery('test-under-another-id', ['verdict-event.event-id'], {
    request: (request, { eventType }) =>
      eventType === 'webhook.verify'
        ? { ...request, headers: { ...request.headers, 'X-Service-Event-Id': 'test' } }
        : request,
  }),
  ruledWebhookDelivery('not-sent', ['verdict-event.sent-when-settled'], {
    receivers: (targets) => targets.filter(({ channel }) => channel !== 'verification'),
  }),
  withFieldAtFirst(),
  returnTranslated(),
  verifiedOnce(),
  field('protocol-as-a-number', 'verdict-event.protocolo', 'protocolo', (protocolo) => withoutZeros(protocolo)),
  field('return-trimmed', 'verdict-event.return-verbatim', 'xMotivo', (text) =>
    typeof text === 'string' ? text.trim() : text,
  ),
  chaveOfTheLast(),
  data('cancelled-without-data-autorizacao', ['verdict-event.data-autorizacao'], (verdict) =>
    'status' in verdict && verdict.status === 'Cancelada' ? { ...verdict, dataAutorizacao: null } : verdict,
  ),
  bodyMutant('leap-days-lost', ['verdict-event.data-autorizacao'], (envelope): unknown =>
    JSON.parse(JSON.stringify(envelope).replaceAll('-02-29T', '-03-01T')),
  ),
  bodyMutant('bare', ['verdict-event.envelope'], ({ data }) => data),
  bodyMutant('in-array', ['verdict-event.envelope'], (envelope) => [envelope]),
  member('without-data', 'verdict-event.envelope', 'data', undefined),
  member('data-as-text', 'verdict-event.envelope', 'data', '{}'),
  member('without-version', 'verdict-event.envelope', 'version', undefined),
  member('version-number', 'verdict-event.version', 'version', 1),
  member('version-2', 'verdict-event.version', 'version', '2.0'),
  member('version-1', 'verdict-event.version', 'version', '1'),
  member('other-event-id', 'verdict-event.event-id', 'event_id', 'another-event'),
  member('event-id-number', 'verdict-event.event-id', 'event_id', 17),
  member('other-event-type', 'verdict-event.event-type', 'event_type', 'verification.done'),
  ruled('other-type-in-both', ['verdict-event.event-type'], { eventType: 'invoice.verified' }),
  ruled('local-time', ['verdict-event.occurred-at'], {
    time: (ms) => new Date(ms).toISOString().replace('Z', '-03:00'),
  }),
  ruled('time-with-the-day-of-brazil', ['verdict-event.occurred-at'], {
    time(ms) {
      const [day = ''] = new Date(ms - 3 * 3_600_000).toISOString().split('T');
      return verdictEventRules.time(ms).replace(/^[^T]*/, day);
    },
  }),
  ruled('time-without-zone', ['verdict-event.occurred-at'], {
    time: (ms) => new Date(ms).toISOString().replace('Z', ''),
  }),
  ruled('time-as-number', ['verdict-event.occurred-at'], { time: (ms) => String(ms) }),
  endpointMutant(
    'verdict-event.on-issuance-channel',
    ['verdict-event.not-on-issuance-channel'],
    'nfe-verification',
    async (request, context, answer) => {
      const reply = await answer(request, context);
      const appKey = context.application?.appKey ?? '';
      const event = { appKey, eventType: 'invoice.verify.completed', createdMs: context.nowMs };
      queueEvent('issuance', event, context, () => ({ validationStatus: 'VALIDATED' }));
      return reply;
    },
  ),
  ruledWebhookDelivery('without-headers', ['webhook-delivery.headers-of-verdicts'], {
    headerNames: (prefix) => ({ ...webhookDeliveryRules.headerNames(prefix), eventId: 'x-id' }),
  }),
  data('fields-missing', ['verdict-event.fields'], (verdict) => without(verdict, 'eventos')),
  data('without-verified-at', ['verdict-event.fields'], (verdict) => without(verdict, 'verifiedAt')),
  field('chave-with-prefix', 'verdict-event.chave-acesso', 'chaveAcesso', (chave) => `NFe${String(chave)}`),
  field('status-in-small-letters', 'verdict-event.validation-status', 'validationStatus', (state) =>
    String(state).toLowerCase(),
  ),
  field('status-ok', 'verdict-event.validation-status', 'validationStatus', () => 'OK'),
  field('fiscal-status-in-capitals', 'verdict-event.status', 'status', (status) => String(status).toUpperCase()),
  field('always-autorizada', 'verdict-event.status', 'status', () => 'Autorizada'),
  data('nulls-left-out', ['verdict-event.null-not-left-out'], (verdict) =>
    Object.fromEntries(Object.entries(verdict).filter(([, value]) => value !== null)),
  ),
  field('c-stat-as-number', 'verdict-event.c-stat', 'cStat', Number),
  field('x-motivo-as-list', 'verdict-event.x-motivo', 'xMotivo', (text) => [text]),
  field('protocolo-as-text', 'verdict-event.protocolo', 'protocolo', () => '135210000000001'),
  field('protocolo-without-digest', 'verdict-event.protocolo', 'protocolo', () => ({ numero: '135210000000001' })),
  field(
    'local-authorisation-time',
    'verdict-event.data-autorizacao',
    'dataAutorizacao',
    () => '2026-10-05T10:01:00-03:00',
  ),
  field('eventos-null', 'verdict-event.eventos', 'eventos', () => null),
  field('eventos-as-object', 'verdict-event.eventos', 'eventos', () => ({})),
  field('verified-at-in-seconds', 'verdict-event.verified-at', 'verifiedAt', () => 1_728_000_000),
  field('verified-at-local', 'verdict-event.verified-at', 'verifiedAt', (time) => String(time).replace('Z', '-03:00')),
  data('reason-always', ['verdict-event.no-reason-when-validated'], (verdict) => ({
    reason: 'Validated.',
    ...verdict,
  })),
  data('reason-empty', ['verdict-event.no-reason-when-validated'], (verdict) => ({ reason: '', ...verdict })),
  data('reason-never', ['verdict-event.reason-when-rejected', 'verdict-event.reason-when-unreachable'], (verdict) =>
    without(verdict, 'reason'),
  ),
  field('reason-blank', 'verdict-event.reason-when-rejected', 'reason', (reason) =>
    reason === undefined ? undefined : ' ',
  ),
  field('reason-anew-each-time', 'verdict-event.reason-stable', 'reason', (reason) =>
    typeof reason === 'string' ? `${reason} Ref. ${lettersAnew()}` : undefined,
  ),
  data('reason-with-the-weekday', ['verdict-event.reason-stable'], (verdict) => {
    const reason: unknown = Reflect.get(verdict, 'reason');
    const weekday = new Date(String(Reflect.get(verdict, 'verifiedAt'))).toLocaleDateString('en', { weekday: 'long' });
    return typeof reason === 'string' ? { ...verdict, reason: `${reason} Checked on ${weekday}.` } : verdict;
  }),
  data('reason-anew-beside-a-trace-in-protocolo', ['verdict-event.reason-stable'], reasonAndTraceAnew),
  field('reason-in-portuguese', 'verdict-event.reason-in-english', 'reason', (reason) =>
    reason === undefined ? undefined : 'A assinatura da nota não confere.',
  ),
  field('reason-in-chinese', 'verdict-event.reason-in-english', 'reason', (reason) =>
    reason === undefined ? undefined : '签名不匹配。',
  ),
  field('c-stat-zero', 'verdict-event.nulls-when-unreachable', 'cStat', (cStat) => cStat ?? '0'),
  field('spaces-tidied', 'verdict-event.return-verbatim', 'xMotivo', (text) => String(text).replaceAll(/\s+/g, ' ')),
  field('return-encoded-twice', 'verdict-event.return-verbatim', 'xMotivo', (text) =>
    Buffer.from(String(text)).toString('latin1'),
  ),
  field('rejection-unnamed', 'verdict-event.return-verbatim', 'xMotivo', (text) =>
    String(text).replace(/^Rejeição: /, ''),
  ),
  field('receipt-left-out', 'verdict-event.return-verbatim', 'xMotivo', (text) =>
    typeof text === 'string' ? text.replace(/ \[nRec:\d{1,20}\]/, '') : text,
  ),
  field('code-in-text', 'verdict-event.return-verbatim', 'xMotivo', (text) => `101 - ${String(text)}`),
  field('eventos-shallow', 'verdict-event.eventos-of-the-authority', 'eventos', (eventos) =>
    Array.isArray(eventos) ? eventos.map(inTexts) : eventos,
  ),
  field('events-dropped', 'verdict-event.eventos-of-the-authority', 'eventos', () => []),
  data('status-description', ['verdict-event.no-description-fields'], (verdict) => ({
    ...verdict,
    statusDescription: 'Autorizada',
  })),
  bodyMutant('event-type-description', ['verdict-event.no-description-fields'], (envelope) => ({
    ...envelope,
    eventTypeDescription: 'Verificação concluída',
  })),
  saidBefore(),
  behindAnother(),
  givenUp(),
  reasonKept(),
  retriesCalledTests(),
  ruledWebhookDelivery('callbacks-at-its-address', ['verdict-event.event-type'], {
    receivers: (targets, targetsOf) =>
      targets.some(({ channel }) => channel === 'issuance') ? [...targets, ...targetsOf('verification')] : targets,
  }),
];

/** Retries whose header calls them tests of their address. */
function retriesCalledTests(): Mutant {
  const timesSent = counter();
  return ruledWebhookDelivery('retries-called-tests', ['verdict-event.event-type'], {
    request(request, { channel, eventId }) {
      if (channel === 'issuance' || timesSent(eventId) === 0) return request;
      return { ...request, headers: { ...request.headers, 'X-Service-Event': 'webhook.verify' } };
    },
  });
}

/** Letters that are others each time. */
function lettersAnew(): string {
  return randomUUID().replaceAll(/[^a-f]/g, '');
}

/** Another verdict in `data`. */
function data(what: string, breaks: Mutant['breaks'], change: (verdict: object) => object): Mutant {
  return ruled(what, breaks, { data: change });
}

/** Another value in one field of the verdict. */
function field(what: string, clause: ClauseId, name: string, change: (value: unknown) => unknown): Mutant {
  return data(what, [clause], (verdict) => ({ ...verdict, [name]: change(Reflect.get(verdict, name)) }));
}

function without(verdict: object, name: string): object {
  return Object.fromEntries(Object.entries(verdict).filter(([each]) => each !== name));
}

/** A protocol whose number was a number in between. */
function withoutZeros(protocolo: unknown): unknown {
  if (typeof protocolo !== 'object' || protocolo === null) return protocolo;
  const numero: unknown = Reflect.get(protocolo, 'numero');
  return { ...protocolo, numero: String(numero).replace(/^0+/, '') };
}

/** A fiscal event with what is nested in it told as texts. */
function inTexts(event: unknown): unknown {
  if (typeof event !== 'object' || event === null) return event;
  const entries = Object.entries(event).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'object' ? JSON.stringify(value) : value,
  ]);
  return Object.fromEntries(entries);
}

/** In a verdict with a protocolo, a reason with letters that are others each time, and such a field of its own in there, which is free. */
function reasonAndTraceAnew(verdict: object): object {
  const reason: unknown = Reflect.get(verdict, 'reason');
  const protocolo: unknown = Reflect.get(verdict, 'protocolo');
  if (typeof reason !== 'string' || typeof protocolo !== 'object' || protocolo === null) return verdict;
  return {
    ...verdict,
    protocolo: { consulta: lettersAnew(), ...protocolo },
    reason: `${reason} Ref. ${lettersAnew()}`,
  };
}
