import type { DeliveryRecord } from '../../trace/records.ts';
import { deliveryOf, type DeliveryWish } from './records.ts';

/** The body of the callback of an authorised invoice. Section 2.3. */
export const authorised = {
  tipo: 'NF-e',
  empresaId: 'c-1',
  nfeId: 'pedido-1',
  nfeStatus: 'Autorizada',
  nfeMotivoStatus: '',
  nfeLinkDanfe: '',
  nfeLinkXml: 'https://nfe.example/x?token=1',
  nfeNumero: '000000007',
  nfeSerie: '1',
  nfeChaveAcesso: '4'.repeat(44),
  nfeDataEmissao: '2026-09-10T11:59:58.120Z',
  nfeDataAutorizacao: 'Thu, 10 Sep 2026 11:59:59 GMT',
  nfeNumeroProtocolo: '135260000000001',
  nfeDigestValue: '',
};

/** The body of the callback of a denied one, for which nothing had been given. */
export const denied = {
  ...authorised,
  nfeStatus: 'Negada',
  nfeMotivoStatus: '302 - Uso Denegado: irregularidade fiscal',
  nfeLinkXml: '',
  nfeNumero: '',
  nfeSerie: '',
  nfeChaveAcesso: '',
  nfeDataEmissao: '',
  nfeDataAutorizacao: '',
  nfeNumeroProtocolo: '',
};

/** A verdict on a valid document. Section 2.4. */
export const valid = {
  chaveAcesso: '4'.repeat(44),
  validationStatus: 'VALIDATED',
  status: 'Autorizada',
  cStat: '100',
  xMotivo: 'Autorizado o uso da NF-e',
  protocolo: { numero: '135260000000001', digestValue: 'a+b/c=' },
  dataAutorizacao: '2026-09-10T11:59:59+00:00',
  eventos: [],
  verifiedAt: '2026-09-10T12:00:00Z',
};

/** A verdict while the tax authority is out of reach. */
export const unreached = {
  ...valid,
  validationStatus: 'VALIDATION_ERROR',
  status: 'Desconhecida',
  cStat: null,
  xMotivo: null,
  protocolo: null,
  dataAutorizacao: null,
  reason: 'The tax authority was not reached.',
};

/** A delivery on the issuance channel. */
export function callbackOf(body: DeliveryWish['body'], headers: Readonly<Record<string, string>> = {}): DeliveryRecord {
  return deliveryOf({ body, headers: { token: 't-1', ...headers } });
}

/** The envelope of an event with that verdict. Section 6.6. */
export function eventWith(data: unknown): object {
  const event_type = 'invoice.verify.completed';
  return { version: '1.0', event_id: 'e-1', event_type, occurred_at: '2026-09-10T12:00:00.5Z', data };
}

/** A delivery on the verification channel. */
export function eventOf(body: DeliveryWish['body'], headers: Readonly<Record<string, string>> = {}): DeliveryRecord {
  return deliveryOf({ body, headers: { 'x-service-event': 'invoice.verify.completed', ...headers } });
}
