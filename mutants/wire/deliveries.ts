import { randomUUID } from 'node:crypto';
import { member } from '../../schemas/values.ts';
import type { Breach, DeliveryChange, DeliveryMatch, TopicName } from './breach.ts';
import { delivering, withHeader, always } from './changes.ts';

function sending(
  id: string,
  breaks: Breach['breaks'],
  match: DeliveryMatch,
  change: DeliveryChange,
  met: readonly TopicName[] = [],
): Breach {
  return { kind: 'delivery', id, breaks, match, change, met };
}

/** Makes breaches of such deliveries; their ids begin with `prefix`, and `met` are further topics whose checks get them. */
function spoilingDeliveries(prefix: string, match: DeliveryMatch) {
  return (what: string, breaks: Breach['breaks'], change: DeliveryChange, ...met: readonly TopicName[]): Breach =>
    sending(`${prefix}.${what}`, breaks, match, change, met);
}

const gone = always(undefined);
const isVerdict =
  (...words: readonly string[]) =>
  ({ json }: { readonly json: object }) =>
    words.includes(String(member(json, 'data', 'validationStatus')));
const isSettledAs =
  (word: string) =>
  ({ json }: { readonly json: object }) =>
    member(json, 'nfeStatus') === word;

const issuanceCallback = spoilingDeliveries('issuance-callback', { channel: 'issuance' });
const issuanceCallbackAuthorised = spoilingDeliveries('issuance-callback', {
  channel: 'issuance',
  where: isSettledAs('Autorizada'),
});
const verdictEventUnsound = spoilingDeliveries('verdict-event', {
  channel: 'verification',
  where: isVerdict('REJECTED', 'VALIDATION_ERROR'),
});
const verdictEvent = spoilingDeliveries('verdict-event', { channel: 'verification' });
const webhookDeliveryRetry = spoilingDeliveries('webhook-delivery', { attempts: 'retry' });
const webhookDelivery = spoilingDeliveries('webhook-delivery', {});
const webhookSignature = spoilingDeliveries('webhook-signature', {});

const ofInvoices: readonly Breach[] = [
  {
    kind: 'lost',
    channel: 'issuance',
    id: 'issuance-callback.lost',
    breaks: ['issuance-callback', 'webhook-delivery'],
  },
  issuanceCallback(
    'no-protocolo',
    ['issuance-callback.all-fields', 'issuance-callback.all-fields-when-denied'],
    delivering('nfeNumeroProtocolo', gone),
    'webhook-delivery',
  ),
  issuanceCallbackAuthorised(
    'chave-short',
    ['issuance-callback.chave', 'issuance-callback.agrees-with-query', 'issuance-callback.xml-of-the-invoice'],
    delivering('nfeChaveAcesso', (was) => String(was).slice(1)),
    'webhook-delivery',
  ),
  issuanceCallback(
    'of-another',
    ['issuance-callback.nfe-id', 'issuance-callback.called-back-when-authorised'],
    delivering('nfeId', () => randomUUID()),
  ),
  issuanceCallbackAuthorised(
    'denied-when-authorised',
    ['issuance-callback'],
    delivering('nfeStatus', always('Negada')),
  ),
  issuanceCallback('enveloped', ['issuance-callback.bare-object'], {
    body: (data) => ({ success: true, code: 0, message: 'OK', data }),
  }),
  issuanceCallbackAuthorised(
    'number',
    ['issuance-callback.texts', 'issuance-callback.numero-and-serie'],
    delivering('nfeNumero', Number),
    'webhook-delivery',
  ),
  sending(
    'issuance-callback.no-token-on-retry',
    ['issuance-callback.token'],
    { channel: 'issuance', attempts: 'retry' },
    withHeader('token', gone),
    ['webhook-delivery'],
  ),
  issuanceCallback(
    'other-token',
    ['issuance-callback.token'],
    withHeader('token', always('another-token')),
    'webhook-delivery',
  ),
];

const ofVerdicts: readonly Breach[] = [
  { kind: 'lost', channel: 'verification', id: 'verdict-event.lost', breaks: ['verdict-event', 'webhook-delivery'] },
  verdictEventUnsound(
    'no-verified-at',
    ['verdict-event.fields', 'verdict-event.verified-at'],
    delivering('data.verifiedAt', gone),
  ),
  verdictEventUnsound('no-chave', ['verdict-event.chave-acesso'], delivering('data.chaveAcesso', always(''))),
  verdictEvent(
    'protocolo-number',
    ['verdict-event.protocolo'],
    delivering('data.protocolo', always(17)),
    'webhook-delivery',
  ),
  verdictEvent('version-number', ['verdict-event.version'], delivering('version', Number), 'webhook-delivery'),
  sending(
    'verdict-event.reason-when-validated',
    ['verdict-event.no-reason-when-validated'],
    { channel: 'verification', where: isVerdict('VALIDATED') },
    delivering('data.reason', always('none')),
    ['webhook-delivery'],
  ),
  verdictEventUnsound(
    'no-reason',
    ['verdict-event.reason-when-rejected', 'verdict-event.reason-when-unreachable'],
    delivering('data.reason', gone),
  ),
  verdictEvent(
    'other-event-id',
    ['verdict-event.event-id'],
    delivering('event_id', () => randomUUID()),
    'webhook-delivery',
  ),
];

const ofDeliveries: readonly Breach[] = [
  sending(
    'webhook-delivery.event-id-new-on-retry',
    ['webhook-delivery.event-id-kept-on-retry', 'webhook-delivery.issuance-retried'],
    { channel: 'issuance', attempts: 'retry' },
    withHeader('-event-id', () => randomUUID()),
  ),
  sending(
    'webhook-delivery.event-id-of-the-one-before',
    ['webhook-delivery.event-id-of-its-own', 'webhook-delivery.event-id-kept-on-retry'],
    { channel: 'issuance', where: ({ otherEventId }) => otherEventId !== undefined },
    withHeader('-event-id', (was, _, { otherEventId }) => otherEventId ?? was),
    ['issuance-callback'],
  ),
  webhookDeliveryRetry(
    'stale-timestamp-on-retry',
    [
      'webhook-delivery.fresh-timestamp-on-retry',
      'webhook-delivery.timestamp-header',
      'webhook-signature.fresh-on-retry',
    ],
    { timestamp: ({ outgoing }) => String(Math.floor(outgoing.createdMs / 1000)) },
    'webhook-signature',
  ),
  webhookDelivery('timestamp-in-ms', ['webhook-delivery.timestamp-header', 'webhook-delivery.headers-of-verdicts'], {
    timestamp: ({ outgoing }) => String(outgoing.startedMs),
  }),
  webhookDelivery(
    'no-delivery-id',
    ['webhook-delivery.delivery-id-header', 'webhook-delivery.headers-of-verdicts'],
    withHeader('-delivery-id', gone),
  ),
  webhookDelivery(
    'no-event-header',
    ['webhook-delivery.event-header', 'webhook-delivery.headers-of-verdicts', 'verdict-event.event-type'],
    withHeader('-event', gone),
  ),
  sending(
    'webhook-delivery.token-on-verdicts',
    ['webhook-delivery.no-token-on-verdicts'],
    { channel: 'verification' },
    { request: (request) => ({ ...request, headers: { ...request.headers, token: 'token' } }) },
    ['verdict-event'],
  ),
  webhookDelivery(
    'by-put',
    ['webhook-delivery.post-with-json'],
    { request: (request) => ({ ...request, method: 'PUT' }) },
    'issuance-callback',
  ),
  webhookDeliveryRetry('by-put-on-retry', ['webhook-delivery.post-with-json'], {
    request: (request) => ({ ...request, method: 'PUT' }),
  }),
  webhookDelivery('as-text', ['webhook-delivery.media-type'], withHeader('content-type', always('text/plain'))),
  sending(
    'webhook-delivery.other-body-on-retry',
    ['webhook-delivery.body-kept-on-retry'],
    { channel: 'verification', attempts: 'retry' },
    { body: (json) => ({ ...json, occurred_at: new Date().toISOString() }) },
  ),
  webhookSignature(
    'wrong',
    ['webhook-signature'],
    withHeader('-signature', (was) => was.slice(1) + was.slice(0, 1)),
    'webhook-delivery',
  ),
  sending(
    'webhook-signature.wrong-on-retry',
    ['webhook-signature'],
    { attempts: 'retry' },
    withHeader('-signature', (was) => was.slice(1) + was.slice(0, 1)),
    ['webhook-delivery'],
  ),
  webhookSignature(
    'upper-case',
    ['webhook-signature'],
    withHeader('-signature', (was) => was.toUpperCase()),
    'webhook-delivery',
  ),
];

/** Wrong deliveries, and lost ones. */
export const deliveryBreaches: readonly Breach[] = [...ofInvoices, ...ofVerdicts, ...ofDeliveries];
