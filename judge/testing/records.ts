import type { CallerFacts } from '../../contract/request.ts';
import { calledEndpoint } from '../../contract/endpoints.ts';
import { codes } from '../../contract/values.ts';
import { idsOfCall, idsOfDelivery, idsOfDocument } from '../../trace/ids.ts';
import { jsonIn } from '../../trace/exchange.ts';
import type { Aim, DeliveryRecord, ExchangeRecord, LinkRecord, SteeringRecord } from '../../trace/records.ts';
import { isRightlySigned as isRightlySignedBy, type SigningFacts } from '../../trace/signing.ts';
import { readJson } from '../../schemas/values.ts';

/** What a record to test with is to be like. */
export interface RecordWish {
  readonly method?: string;
  readonly target?: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly requestHeaders?: Readonly<Record<string, string>>;
  readonly requestBody?: string;
  /** As it is where nothing else is said. */
  readonly isRightlySigned?: boolean;
  /** What is known of how it was signed, where something is: these facts in place of the right ones. */
  readonly signing?: Partial<SigningFacts>;
  readonly caller?: Partial<CallerFacts>;
  readonly aim?: Aim;
  readonly durationMs?: number;
  /** An object is sent as JSON. */
  readonly body?: string | object;
  /** Epoch milliseconds at which it was sent; it takes one. */
  readonly sentAtMs?: number;
  readonly nowSeconds?: number;
  readonly isOfBurst?: true;
}

/** An answer by the gateway that refuses with a code, under the status that carries it. */
export function refused(code: number): Required<Pick<RecordWish, 'status' | 'body'>> {
  const status = Object.values(codes).find((each) => each.code === code)?.status;
  if (status === undefined) throw new Error(`the gateway has no code ${code}`);
  return { status, body: { success: false, errorType: 1, code, message: 'não' } };
}

/** The query of an invoice that was denied. */
export const deniedQuery = {
  method: 'GET',
  target: '/openapi/v2/empresas/e-1/nf-e/n-1',
  body: { status: 'Negada' },
} as const satisfies RecordWish;

/** An exchange with echo, or as it is wished for, to judge. */
export function recordOf(wish: RecordWish): ExchangeRecord {
  const {
    method = 'POST',
    target = '/openapi/demo/echo',
    status = 200,
    headers = {},
    requestHeaders = { 'content-type': 'application/json' },
    requestBody = '',
    signing,
    isRightlySigned = signing === undefined || isRightlySignedBy(factsOf(signing)),
    caller,
    aim,
    durationMs = 1,
    body = '',
    sentAtMs = 0,
    nowSeconds,
    isOfBurst,
  } = wish;
  const called = calledEndpoint(method, target);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return {
    kind: 'exchange',
    sentAtMs,
    durationMs,
    method,
    target,
    ...(called === undefined ? {} : 'name' in called ? { endpoint: called } : { retired: called }),
    requestHeaders: new Map(Object.entries(requestHeaders)),
    requestBody: Buffer.from(requestBody),
    isRightlySigned,
    ...(signing ? { signing: factsOf(signing) } : {}),
    ...(caller ? { caller: { name: 'app', standing: {}, ...caller } } : {}),
    ...(aim ? { aim } : {}),
    ...(isOfBurst ? { isOfBurst } : {}),
    ...(nowSeconds === undefined ? {} : { nowSeconds }),
    status,
    headers: new Map(Object.entries(headers)),
    body: Buffer.from(text),
    json: readJson(text),
    ids:
      called !== undefined && 'name' in called
        ? {
            ...idsOfCall(called, target, readJson(requestBody), readJson(text)),
            ...(called.body === 'xml' ? idsOfDocument(Buffer.from(requestBody)) : {}),
          }
        : {},
  };
}

/** A call of the control API that was done to an application. */
export function steeringOf(atMs: number, request: string, json: object, application = 'app-1'): SteeringRecord {
  const [method = '', path = ''] = request.split(' ');
  return { kind: 'steering', atMs, durationMs: 1, method, path, json, application, status: 200, ids: {} };
}

/** A link that was followed, with what it led to. */
export function linkOf(
  sentAtMs: number,
  target: string,
  status: number,
  text = target.startsWith('/danfe') ? '%PDF-1.7' : nfeOf(authorised.nfeChaveAcesso),
): LinkRecord {
  const body = Buffer.from(text);
  const ids = { ...idsOfDocument(body), links: [target] };
  return { kind: 'link', sentAtMs, durationMs: 1, status, headers: new Map(), body, json: jsonIn(text), ids };
}

/** What is looked at of an authorised NF-e with that chave, and with that chave in its protocol. */
export function nfeOf(chave: string, ofProtocol = chave): string {
  return `<infNFe Id="NFe${chave}"/><ds:Signature>…</ds:Signature><chNFe>${ofProtocol}</chNFe>`;
}

function factsOf(signing: Partial<SigningFacts>): SigningFacts {
  return { missing: [], repeated: [], isOwnToken: true, aheadSeconds: 0, isSignOfSent: true, ...signing };
}

/** What a delivery to test with is to be like. */
export interface DeliveryWish {
  readonly method?: string;
  /** These in place of those of the same name; an empty text leaves one out. */
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON. */
  readonly body: string | object;
}

/** A delivery to judge, with right headers where none are wished for. */
export function deliveryOf({ method = 'POST', headers = {}, body }: DeliveryWish): DeliveryRecord {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const all = Object.entries({ ...rightHeaders, ...headers }).filter(([, value]) => value !== '');
  return {
    kind: 'delivery',
    method,
    target: '/hook',
    headerPrefix: 'X-Service',
    arrivedAtMs: Date.parse('2026-09-10T12:00:00Z'),
    headers: new Map(all.map(([name, value]) => [name.toLowerCase(), value])),
    body: Buffer.from(text),
    json: readJson(text),
    ids: idsOfDelivery(
      readJson(text),
      headers['x-service-event-id'] ?? rightHeaders['x-service-event-id'],
      Buffer.from(text),
    ),
  };
}

const rightHeaders = {
  'content-type': 'application/json',
  'x-service-event': 'nfe',
  'x-service-event-id': 'e-1',
  'x-service-delivery-id': 'd-1',
  'x-service-timestamp': '1789041600',
  'x-service-signature': '0123456789abcdef'.repeat(4),
};

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

/** A body that lacks some of its members. */
export function without(body: object, ...names: readonly string[]): object {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
}
