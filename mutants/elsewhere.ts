import type { ClauseId } from '../contract/catalogue.ts';
import { fiscalStates } from '../contract/values.ts';
import type { RequestFacts } from '../simulator/http/request-facts.ts';
import type { Outgoing } from '../simulator/model.ts';
import { referenceRules } from '../simulator/rules/rules.ts';
import { signatureRules } from '../simulator/rules/signature.ts';
import { timestampRules } from '../simulator/rules/timestamp.ts';
import {
  type DeliveryRequest,
  webhookDeliveryRules,
  type WebhookDeliveryRules,
} from '../simulator/rules/webhook-delivery.ts';
import { webhookSignatureRules } from '../simulator/rules/webhook-signature.ts';
import { also, counter, lenientMutant, mutant, type Mutant, ruleMutants, stageMutant, stageMutants } from './mutant.ts';

const ruled = ruleMutants('issuance-callback', 'webhookDelivery');
const staged = stageMutants('signature', 'signature');
const ruledIssuanceCallback = ruleMutants('issuance-callback', 'issuanceCallback');
const ruledVerdict = ruleMutants('verdict-event', 'verdict');

/*
 * Services that are right where one representative of a rule is looked at, and wrong elsewhere: on the other channel, with the
 * other outcome, on a retry, beyond a size, in another alphabet.
 */

const isIssuance = ({ channel }: Outgoing): boolean => channel === 'issuance';
const isVerification = ({ channel }: Outgoing): boolean => channel === 'verification';
const inLatin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const inAscii = (text: string): string => text.replaceAll(/[^\0-\x7f]/g, '?');
const threeHoursOff = (ms: number): string => new Date(ms - 3 * 60 * 60 * 1000).toISOString();
const bmpOnly = (text: string): string => text.replaceAll(/[\u{10000}-\u{10FFFF}]/gu, '\uFFFD');

/** Signs other bytes of the deliveries that it is wrong for. */
function hashing(
  what: string,
  change: (text: string) => string | Buffer,
  isWrong: (outgoing: Outgoing) => boolean = () => true,
): Mutant {
  return mutant(`webhook-signature.${what}`, ['webhook-signature.hmac-of-timestamp-and-body'], 'webhookSignature', {
    signedBytes(timestamp, rawBody, outgoing) {
      const { signedBytes } = webhookSignatureRules;
      if (!isWrong(outgoing)) return signedBytes(timestamp, rawBody, outgoing);
      return signedBytes(timestamp, Buffer.from(change(rawBody.toString('utf8'))), outgoing);
    },
  });
}

/** Changes the requests of callbacks from the second attempt on. */
function onRetries(
  what: string,
  breaks: Mutant['breaks'],
  change: (request: DeliveryRequest, attempt: number) => DeliveryRequest,
): Mutant {
  const attempts = counter();
  return ruled(`${what}-on-retries`, breaks, {
    request(request, outgoing) {
      const attempt = attempts(`${outgoing.eventId} ${outgoing.url}`);
      return isIssuance(outgoing) && attempt > 0 ? change(request, attempt) : request;
    },
  });
}

/** A request with a header whose name ends so changed; `undefined` takes it away. */
function withHeader(
  request: DeliveryRequest,
  name: string,
  change: (value: string) => string | undefined,
): DeliveryRequest {
  const headers = Object.entries(request.headers).flatMap(([known, value]): [string, string][] => {
    const changed = known.toLowerCase().endsWith(name) ? change(value) : value;
    return changed === undefined ? [] : [[known, changed]];
  });
  return { ...request, headers: Object.fromEntries(headers) };
}

const aCenturyMs = 100 * 365 * 24 * 60 * 60 * 1000;

/** Callbacks that end for good by an answer that is none. */
function givingUp(what: string, isFinal: (status: number | undefined) => boolean): Mutant {
  let last: number | undefined;
  const { isAcknowledged, retryMs } = webhookDeliveryRules;
  const rules: Pick<WebhookDeliveryRules, 'isAcknowledged' | 'retryMs'> = {
    isAcknowledged(status) {
      last = status;
      return isAcknowledged(status);
    },
    // The end of an attempt is booked at once: the status is the one that was just looked at.
    retryMs: (attempt, endedMs, retry, delays) =>
      attempt.channel === 'issuance' && isFinal(last) ? endedMs + aCenturyMs : retryMs(attempt, endedMs, retry, delays),
  };
  return ruled(`${what}-never-retried`, ['webhook-delivery.issuance-retried'], rules);
}

/** Deliveries of an application whose secret was rotated go out unsigned. */
function unsignedAfterRotation(): Mutant {
  const [fresh, unsigned] = [new Set<string>(), new Set<string>()];
  const { token, webhookSignature } = referenceRules;
  const rotating = mutant('webhook-signature.none-after-rotation', ['webhook-signature.every-delivery'], 'token', {
    secretsAfterRotation(old, secret) {
      fresh.add(secret);
      return token.secretsAfterRotation(old, secret);
    },
  });
  const signing = also(rotating, 'webhookSignature', {
    key(secrets, outgoing) {
      if (fresh.has(secrets.at(-1) ?? '')) unsigned.add(outgoing.deliveryId);
      return webhookSignature.key(secrets, outgoing);
    },
  });
  return also(signing, 'webhookDelivery', {
    request: (request, { deliveryId }) =>
      unsigned.has(deliveryId) ? withHeader(request, '-signature', () => undefined) : request,
  });
}

/** Takes any well-formed `sign` of the requests that it is lenient with. */
function unchecked(what: string, breaks: Mutant['breaks'], isUnchecked: (request: RequestFacts) => boolean): Mutant {
  return staged(`${what}-unchecked`, breaks, (request, context, original) =>
    isUnchecked(request) && /^[0-9a-f]{32}$/.test(context.sent.sign) ? undefined : original.answer(request, context),
  );
}

/** Also takes a `sign` over the first bytes of a body. */
function startOnly(bytes: number): Mutant {
  return lenientMutant(`signature.first-${bytes}-bytes-taken`, ['signature.body-bound'], {
    signedBody: (request) => signatureRules.signedBody(request).subarray(0, bytes),
  });
}

/** Looks no more at a `sign` that it has accepted once, for as long as path and timestamp are the same. */
function rememberedSign(): Mutant {
  const accepted = new Set<string>();
  return staged('remembered-sign-taken', ['signature.body-bound'], (request, context, original) => {
    const { sign, timestamp } = context.sent;
    const name = `${sign} ${timestamp} ${request.path}`;
    if (accepted.has(name)) return undefined;
    const refusal = original.answer(request, context);
    if (!refusal) accepted.add(name);
    return refusal;
  });
}

/** Takes a `sign` that was made with the secret of any application. */
const anyonesSign = staged('anyones-secret-taken', ['signature.token-signed'], async (request, context, original) => {
  const refusal = await original.answer(request, context);
  const { applications } = context.state;
  for (const secret of applications.list().flatMap(({ appKey }) => applications.secretsOf(appKey))) {
    const signature = { ...context.rules.signature, signedToken: () => secret };
    const isTaken = !(await original.answer(request, { ...context, rules: { ...context.rules, signature } }));
    if (refusal && isTaken) return undefined;
  }
  return refusal;
});

/** Reads a timestamp into an integer of so many bits. */
function integerOf(bits: number): Mutant {
  return mutant(`timestamp.integer-of-${bits}-bits`, ['timestamp.future-refused'], 'timestamp', {
    parse: (text) => (timestampRules.parse(text) === undefined ? undefined : Number(BigInt.asIntN(bits, BigInt(text)))),
  });
}

/** Verdicts of one kind with a field changed. */
function ofVerdicts(
  what: string,
  clause: ClauseId,
  name: string,
  change: (value: unknown) => unknown,
  states: readonly string[] = ['REJECTED', 'VALIDATION_ERROR'],
): readonly Mutant[] {
  return states.map((state) =>
    mutant(`verdict-event.${what}-when-${state.toLowerCase().replace('_', '-')}`, [clause], 'verdictEvent', {
      data: (verdict) =>
        Reflect.get(verdict, 'validationStatus') === state
          ? { ...verdict, [name]: change(Reflect.get(verdict, name)) }
          : verdict,
    }),
  );
}

const everyState = ['VALIDATED', 'REJECTED', 'VALIDATION_ERROR'] as const;

const changedMember =
  (name: string, value: unknown) =>
  (whole: unknown): unknown =>
    typeof whole === 'object' && whole !== null ? { ...whole, [name]: value } : whole;

/** A field of verdicts changed. */
type VerdictChange = readonly [what: string, clause: ClauseId, name: string, change: (value: unknown) => unknown];

/** Another reason each time. */
function waveringReason(): VerdictChange {
  let told = 0;
  return [
    'another-reason',
    'verdict-event.reason-stable',
    'reason',
    (reason) => (told++ % 2 === 0 ? reason : 'Something else was found.'),
  ];
}

/** Right in verdicts of what is validated, which one would look at first. */
const ofOtherVerdicts: readonly VerdictChange[] = [
  ['chave-with-prefix', 'verdict-event.chave-acesso', 'chaveAcesso', (chave) => `NFe${String(chave)}`],
  ['without-verified-at', 'verdict-event.fields', 'verifiedAt', () => undefined],
  ['without-eventos', 'verdict-event.fields', 'eventos', () => undefined],
  ['in-1970', 'verdict-event.verified-at', 'verifiedAt', () => '1970-01-01T00:00:00Z'],
  [
    'status-in-capitals',
    'verdict-event.status',
    'status',
    (status) => fiscalStates.find((state) => state === status)?.toUpperCase(),
  ],
  waveringReason(),
  ['portuguese-reason', 'verdict-event.reason-in-english', 'reason', () => 'A nota não foi validada pela autoridade.'],
];

const eventosClause = 'verdict-event.eventos-of-the-authority';

const ofText =
  (change: (text: string) => string) =>
  (value: unknown): unknown =>
    typeof value === 'string' ? change(value) : value;

const firstOnly =
  (count: number) =>
  (events: unknown): unknown =>
    Array.isArray(events) ? events.slice(0, count) : events;

/** Wrong in the verdicts of one state, whichever it is. */
const ofAnyVerdict: readonly VerdictChange[] = [
  ['x-motivo-in-ascii', 'verdict-event.return-verbatim', 'xMotivo', ofText(inAscii)],
  ['another-protocolo', 'verdict-event.protocolo', 'protocolo', changedMember('numero', '135000000000000')],
  ['another-digest', 'verdict-event.protocolo', 'protocolo', changedMember('digestValue', 'AAAA')],
  [
    'authorised-elsewhen',
    'verdict-event.data-autorizacao',
    'dataAutorizacao',
    ofText((time) => threeHoursOff(Date.parse(time))),
  ],
  ['one-event-only', eventosClause, 'eventos', firstOnly(1)],
  ['twenty-events-only', eventosClause, 'eventos', firstOnly(20)],
  ['no-eventos', eventosClause, 'eventos', () => []],
];

/** Services that are wrong elsewhere than where one would look first. */
export const mutantsElsewhere: readonly Mutant[] = [
  hashing('latin-1', inLatin1),
  hashing('question-marks', inAscii),
  hashing('latin-1-of-callbacks', inLatin1, isIssuance),
  hashing('question-marks-of-verdicts', inAscii, isVerification),
  hashing('first-plane-only', bmpOnly, isIssuance),
  unsignedAfterRotation(),
  ...[4096, 16_384, 65_536, 262_144, 524_288].map(startOnly),
  rememberedSign(),
  unchecked('largest-bodies', ['signature.body-bound'], ({ rawBody }) => rawBody.length > 900_000),
  unchecked('queried', ['signature.mismatch-refused'], ({ query }) => query !== undefined),
  unchecked('forwarded-from-within', ['signature.mismatch-refused'], ({ headers }) =>
    /^(?:127|10)\./.test(String(headers['x-forwarded-for'])),
  ),
  unchecked('large-bodies', ['signature.body-bound'], ({ rawBody }) => rawBody.length > 65_536),
  unchecked(
    'large-documents',
    ['signature.body-bound'],
    ({ path, rawBody }) => path.endsWith('/xml') && rawBody.length > 65_536,
  ),
  unchecked(
    'large-uploads',
    ['signature.mismatch-refused'],
    ({ contentType, rawBody }) => contentType.startsWith('multipart/') && rawBody.length > 16_384,
  ),
  anyonesSign,
  onRetries('another-event-id', ['webhook-delivery.event-id-kept-on-retry'], (request, attempt) =>
    withHeader(request, '-event-id', (id) => `${id}-${attempt}`),
  ),
  onRetries('no-token', ['issuance-callback.token'], (request) => withHeader(request, 'token', () => undefined)),
  onRetries('another-token', ['issuance-callback.token'], (request) => withHeader(request, 'token', () => 'token')),
  onRetries('no-signature', ['webhook-signature.every-delivery'], (request) =>
    withHeader(request, '-signature', () => undefined),
  ),
  onRetries('no-query', ['webhook-url.called-exactly'], (request) => ({
    ...request,
    url: request.url.split('?', 1).join(''),
  })),
  mutant(
    'issuance-callback.old-timestamp-on-retries',
    ['webhook-delivery.fresh-timestamp-on-retry'],
    'webhookSignature',
    {
      timestamp: (outgoing) =>
        isIssuance(outgoing)
          ? String(Math.floor(outgoing.createdMs / 1000))
          : webhookSignatureRules.timestamp(outgoing),
    },
  ),
  givingUp('4xx', (status) => status !== undefined && status >= 400 && status < 500),
  givingUp('redirect', (status) => status !== undefined && status >= 300 && status < 400),
  givingUp('server-error', (status) => status !== undefined && status >= 500),
  ruled('event-id-per-address', ['webhook-delivery.event-id-over-targets'], {
    eventId: (outgoing) => (isIssuance(outgoing) ? `${outgoing.eventId}-${outgoing.url.slice(-8)}` : outgoing.eventId),
  }),
  ruledIssuanceCallback('motivo-in-ascii', ['issuance-callback.motivo-of-denial'], {
    motivo: ({ settlement }) => inAscii(settlement.motivo),
  }),
  ruledIssuanceCallback('three-hours-off', ['issuance-callback.data-emissao'], { time: threeHoursOff }),
  ruledIssuanceCallback('denial-in-1970', ['issuance-callback.data-emissao'], {
    body: (result) => (result.nfeStatus === 'Negada' ? { ...result, nfeDataEmissao: '1970-01-01T00:00:00Z' } : result),
  }),
  mutant('webhook-url.query-lost-for-verdicts', ['webhook-url.called-exactly'], 'webhookDelivery', {
    request: (request, outgoing) =>
      isVerification(outgoing) ? { ...request, url: request.url.split('?', 1).join('') } : request,
  }),
  ruledVerdict('verified-three-hours-off', ['verdict-event.verified-at'], { time: threeHoursOff }),
  mutant('verdict-event.three-hours-off', ['verdict-event.occurred-at'], 'verdictEvent', { time: threeHoursOff }),
  ...ofOtherVerdicts.flatMap(([what, clause, name, change]) => ofVerdicts(what, clause, name, change)),
  ...ofAnyVerdict.flatMap(([what, clause, name, change]) => ofVerdicts(what, clause, name, change, everyState)),
  ruledVerdict('rejection-not-sent', ['verdict-event.sent-when-settled'], {
    isSent: ({ validationStatus }) => validationStatus !== 'REJECTED',
  }),
  ruledVerdict('error-not-sent', ['verdict-event.sent-when-settled'], {
    isSent: ({ validationStatus }) => validationStatus !== 'VALIDATION_ERROR',
  }),
  integerOf(32),
  integerOf(64),
  stageMutant(
    'timestamp.of-20-digits-fails',
    ['timestamp.future-refused'],
    'timestamp',
    (request, context, original) =>
      /^\d{20,}$/.test(context.sent.timestamp)
        ? { status: 500, body: { code: 500, message: 'Internal Server Error' } }
        : original.answer(request, context),
  ),
];
