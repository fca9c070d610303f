import { randomUUID } from 'node:crypto';
import { member } from '../../schemas/values.ts';
import type { Breach, DeliveryChange, DeliveryMatch, TopicName } from './breach.ts';
import { delivering, withHeader } from './changes.ts';

function sending(
  id: string,
  breaks: Breach['breaks'],
  match: DeliveryMatch,
  change: DeliveryChange,
  met: readonly TopicName[] = [],
): Breach {
  return { kind: 'delivery', id, breaks, match, change, met };
}

const gone = (): undefined => undefined;
const isVerdict =
  (...words: readonly string[]) =>
  ({ json }: { readonly json: object }) =>
    words.includes(String(member(json, 'data', 'validationStatus')));
const isSettledAs =
  (word: string) =>
  ({ json }: { readonly json: object }) =>
    member(json, 'nfeStatus') === word;

const ofInvoices: readonly Breach[] = [
  {
    kind: 'lost',
    channel: 'issuance',
    id: 'issuance-callback.lost',
    breaks: ['issuance-callback', 'webhook-delivery'],
  },
  sending(
    'issuance-callback.no-protocolo',
    ['issuance-callback.all-fields', 'issuance-callback.all-fields-when-denied'],
    { channel: 'issuance' },
    delivering('nfeNumeroProtocolo', gone),
    ['webhook-delivery'],
  ),
  sending(
    'issuance-callback.chave-short',
    ['issuance-callback.chave', 'issuance-callback.agrees-with-query', 'issuance-callback.xml-of-the-invoice'],
    { channel: 'issuance', where: isSettledAs('Autorizada') },
    delivering('nfeChaveAcesso', (was) => String(was).slice(1)),
    ['webhook-delivery'],
  ),
  sending(
    'issuance-callback.of-another',
    ['issuance-callback.nfe-id', 'issuance-callback.called-back-when-authorised'],
    { channel: 'issuance' },
    delivering('nfeId', () => randomUUID()),
  ),
  sending(
    'issuance-callback.denied-when-authorised',
    ['issuance-callback'],
    { channel: 'issuance', where: isSettledAs('Autorizada') },
    delivering('nfeStatus', () => 'Negada'),
  ),
  sending(
    'issuance-callback.enveloped',
    ['issuance-callback.bare-object'],
    { channel: 'issuance' },
    { body: (data) => ({ success: true, code: 0, message: 'OK', data }) },
  ),
  sending(
    'issuance-callback.number',
    ['issuance-callback.texts', 'issuance-callback.numero-and-serie'],
    { channel: 'issuance', where: isSettledAs('Autorizada') },
    delivering('nfeNumero', Number),
    ['webhook-delivery'],
  ),
  sending(
    'issuance-callback.no-token-on-retry',
    ['issuance-callback.token'],
    { channel: 'issuance', attempts: 'retry' },
    withHeader('token', gone),
    ['webhook-delivery'],
  ),
  sending(
    'issuance-callback.other-token',
    ['issuance-callback.token'],
    { channel: 'issuance' },
    withHeader('token', () => 'another-token'),
    ['webhook-delivery'],
  ),
];

const ofVerdicts: readonly Breach[] = [
  { kind: 'lost', channel: 'verification', id: 'verdict-event.lost', breaks: ['verdict-event', 'webhook-delivery'] },
  sending(
    'verdict-event.no-verified-at',
    ['verdict-event.fields', 'verdict-event.verified-at'],
    { channel: 'verification', where: isVerdict('REJECTED', 'VALIDATION_ERROR') },
    delivering('data.verifiedAt', gone),
  ),
  sending(
    'verdict-event.no-chave',
    ['verdict-event.chave-acesso'],
    { channel: 'verification', where: isVerdict('REJECTED', 'VALIDATION_ERROR') },
    delivering('data.chaveAcesso', () => ''),
  ),
  sending(
    'verdict-event.protocolo-number',
    ['verdict-event.protocolo'],
    { channel: 'verification' },
    delivering('data.protocolo', () => 17),
    ['webhook-delivery'],
  ),
  sending(
    'verdict-event.version-number',
    ['verdict-event.version'],
    { channel: 'verification' },
    delivering('version', Number),
    ['webhook-delivery'],
  ),
  sending(
    'verdict-event.reason-when-validated',
    ['verdict-event.no-reason-when-validated'],
    { channel: 'verification', where: isVerdict('VALIDATED') },
    delivering('data.reason', () => 'none'),
    ['webhook-delivery'],
  ),
  sending(
    'verdict-event.no-reason',
    ['verdict-event.reason-when-rejected', 'verdict-event.reason-when-unreachable'],
    { channel: 'verification', where: isVerdict('REJECTED', 'VALIDATION_ERROR') },
    delivering('data.reason', gone),
  ),
  sending(
    'verdict-event.other-event-id',
    ['verdict-event.event-id'],
    { channel: 'verification' },
    delivering('event_id', () => randomUUID()),
    ['webhook-delivery'],
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
  sending(
    'webhook-delivery.stale-timestamp-on-retry',
    [
      'webhook-delivery.fresh-timestamp-on-retry',
      'webhook-delivery.timestamp-header',
      'webhook-signature.fresh-on-retry',
    ],
    { attempts: 'retry' },
    { timestamp: ({ outgoing }) => String(Math.floor(outgoing.createdMs / 1000)) },
    ['webhook-signature'],
  ),
  sending(
    'webhook-delivery.timestamp-in-ms',
    ['webhook-delivery.timestamp-header', 'webhook-delivery.headers-of-verdicts'],
    {},
    { timestamp: ({ outgoing }) => String(outgoing.startedMs) },
  ),
  sending(
    'webhook-delivery.no-delivery-id',
    ['webhook-delivery.delivery-id-header', 'webhook-delivery.headers-of-verdicts'],
    {},
    withHeader('-delivery-id', gone),
  ),
  sending(
    'webhook-delivery.no-event-header',
    ['webhook-delivery.event-header', 'webhook-delivery.headers-of-verdicts', 'verdict-event.event-type'],
    {},
    withHeader('-event', gone),
  ),
  sending(
    'webhook-delivery.token-on-verdicts',
    ['webhook-delivery.no-token-on-verdicts'],
    { channel: 'verification' },
    { request: (request) => ({ ...request, headers: { ...request.headers, token: 'token' } }) },
    ['verdict-event'],
  ),
  sending(
    'webhook-delivery.by-put',
    ['webhook-delivery.post-with-json'],
    {},
    { request: (request) => ({ ...request, method: 'PUT' }) },
    ['issuance-callback'],
  ),
  sending(
    'webhook-delivery.by-put-on-retry',
    ['webhook-delivery.post-with-json'],
    { attempts: 'retry' },
    { request: (request) => ({ ...request, method: 'PUT' }) },
  ),
  sending(
    'webhook-delivery.as-text',
    ['webhook-delivery.media-type'],
    {},
    withHeader('content-type', () => 'text/plain'),
  ),
  sending(
    'webhook-delivery.other-body-on-retry',
    ['webhook-delivery.body-kept-on-retry'],
    { channel: 'verification', attempts: 'retry' },
    { body: (json) => ({ ...json, occurred_at: new Date().toISOString() }) },
  ),
  sending(
    'webhook-signature.wrong',
    ['webhook-signature'],
    {},
    withHeader('-signature', (was) => was.slice(1) + was.slice(0, 1)),
    ['webhook-delivery'],
  ),
  sending(
    'webhook-signature.wrong-on-retry',
    ['webhook-signature'],
    { attempts: 'retry' },
    withHeader('-signature', (was) => was.slice(1) + was.slice(0, 1)),
    ['webhook-delivery'],
  ),
  sending(
    'webhook-signature.upper-case',
    ['webhook-signature'],
    {},
    withHeader('-signature', (was) => was.toUpperCase()),
    ['webhook-delivery'],
  ),
];

/** Wrong deliveries, and lost ones. */
export const deliveryBreaches: readonly Breach[] = [...ofInvoices, ...ofVerdicts, ...ofDeliveries];
