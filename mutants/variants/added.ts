import { all, extended, withRepliesOf, withTopic, type Variant } from './variant.ts';

const bareEndpoints = [
  'empresa-registration',
  'certificado-association',
  'webhook-registration',
  'nfe-query',
  'nfe-verification',
  'chave-lookup',
  'cnpj-lookup',
  'cpf-lookup',
] as const;

/** Fields more in the bare objects of successes, which the contract leaves open. */
function bareWith(what: string, fields: object): Variant {
  return {
    id: `variant.bare-with-${what}`,
    change: withRepliesOf(bareEndpoints, (reply) =>
      reply.status === 200 ? { ...reply, body: extended(reply.body, fields) } : reply,
    ),
  };
}

/** Fields more in callbacks. */
function callbackWith(what: string, fields: object): Variant {
  return {
    id: `variant.callback-with-${what}`,
    change: withTopic('issuanceCallback', ({ body }) => ({
      body: (result, invoice) => extended(body(result, invoice), fields),
    })),
  };
}

/** Fields more in verdicts and around them. */
function eventWith(what: string, data: object, envelope: object = {}): Variant {
  return {
    id: `variant.event-with-${what}`,
    change: withTopic('verdictEvent', (own) => ({
      data: (verdict) => ({ ...own.data(verdict), ...data }),
      body: (right) => extended(own.body(right), envelope),
    })),
  };
}

/** Fields more in errors of the endpoints. */
function errorsWith(what: string, fields: object): Variant {
  return {
    id: `variant.errors-with-${what}`,
    change: all(
      withTopic('codeMessage', ({ body }) => ({ body: (code, message) => extended(body(code, message), fields) })),
      withTopic('faults', ({ body }) => ({ body: (faults) => body(faults.map((fault) => ({ ...fields, ...fault }))) })),
    ),
  };
}

/** Fields that the contract does not name, in objects that it leaves open; many are called like others that it has. */
export const addedVariants: readonly Variant[] = [
  bareWith('event-id', { event_id: 'a1b2' }),
  bareWith('data', { data: { origem: 'SEFAZ' } }),
  bareWith('data-of-its-own', { data: '2026-09-04' }),
  bareWith('success', { success: true }),
  bareWith('success-and-message', { success: true, code: 0, message: 'OK', errorType: 0 }),
  bareWith('code', { code: 'OK' }),
  bareWith('code-zero', { code: 0 }),
  bareWith('codigo', { codigo: '0001' }),
  bareWith('code-and-message', { code: 0, message: 'OK' }),
  bareWith('message', { message: 'Consulta realizada', mensagem: 'ok' }),
  bareWith('reason', { reason: 'none', errorType: 0, error: null, errors: [], version: '1.0' }),
  bareWith('callback-fields', { tipo: 'NF-e', nfeStatus: '', nfeLinkXml: null, token: 'a' }),
  bareWith('links', { links: [{ rel: 'self', href: '/openapi/v2' }], _links: {}, url: 'https://example.com/' }),
  {
    // As large as a DANFE in the invoice object makes it.
    id: 'variant.query-with-a-document-inside',
    change: withRepliesOf(['nfe-query'], (reply) =>
      reply.status === 200 ? { ...reply, body: extended(reply.body, { danfe: 'JVBERi0x'.repeat(10_000) }) } : reply,
    ),
  },
  callbackWith('event-id', { event_id: 'a1b2', event_type: 'nfe', version: '2.0', occurred_at: '04/09/2026' }),
  callbackWith('data', { data: { validationStatus: 'x' }, success: true, code: 0, message: 'ok' }),
  callbackWith('status', { status: 'Autorizada', reason: '', codigo: null, mensagem: [] }),
  callbackWith('nested', { empresa: { cnpj: '11222333000181' }, itens: [{ nfeNumero: 1 }] }),
  eventWith('reason-elsewhere', {}, { reason: 'settled', message: 'ok', code: 0, success: true }),
  eventWith('data-in-data', { data: { a: 1 }, event_id: 'other', version: '9', success: false, code: 'x' }),
  eventWith('callback-fields', { tipo: 'NF-e', empresaId: 'a', nfeId: 'b', nfeStatus: 'Autorizada', nfeNumero: '1' }),
  eventWith('callback-fields-around', {}, { tipo: 'NF-e', empresaId: 'a', nfeId: 'b', nfeStatus: '', nfeSerie: '1' }),
  eventWith('more-texts', { motivo: 'Autorizado', message: 'verified', reasonCode: null, reasons: [] }),
  {
    id: 'variant.event-with-more-inside',
    change: withTopic('verdict', ({ verdict }) => ({
      verdict(right) {
        const made = verdict(right);
        const protocolo = made.protocolo && { ...made.protocolo, reason: 'r', code: 100, data: {} };
        return { ...made, protocolo, eventos: made.eventos.map((one) => ({ ...one, reason: 'r', event_id: 'e' })) };
      },
    })),
  },
  errorsWith('details', { details: [], path: '/openapi', timestamp: 1_788_000_000, status: 400 }),
  // With both, `success` and one of these, it would be an envelope.
  errorsWith('envelope-words', { errorType: 2, version: '1.0', data: {} }),
  errorsWith('success', { success: false, timestamp: '2026-09-04T12:00:00Z', errors: [] }),
  errorsWith('data', { data: null, event_id: null, reason: 'bad request', error: 'Bad Request' }),
  {
    id: 'variant.faults-with-an-empty-one',
    change: withTopic('faults', ({ body }) => ({ body: (faults) => body([...faults, { codigo: 0, mensagem: '' }]) })),
  },
  {
    id: 'variant.envelope-with-more-fields',
    change: all(
      withTopic('envelope', ({ error, ok }) => ({
        error: (fields) => extended(error(fields), { traceId: 'a1b2', data: null, reason: 'r', event_id: 'e' }),
        ok: (data, message) => extended(ok(data, message), { code: 0, errorType: 0, traceId: 'a1b2' }),
      })),
      withTopic('echo', ({ data }) => ({
        data: (right) => extended(data(right), { environment: 'homologacao', code: 1, success: false, data: {} }),
      })),
    ),
  },
  {
    id: 'variant.envelope-with-data-in-errors',
    change: withTopic('envelope', ({ error }) => ({
      error: (fields) => extended(error(fields), { data: { hint: 'see the manual', code: 1 } }),
    })),
  },
  {
    id: 'variant.envelope-of-success-with-code-200',
    change: withTopic('envelope', ({ ok }) => ({
      ok: (data, message) => extended(ok(data, message), { code: 200, errorType: null, error: null }),
    })),
  },
  bareWith('success-and-data-that-are-words', { success: true, data: '2026-09-04' }),
  {
    id: 'variant.branches-told-of-by-their-head-office',
    change: withRepliesOf(['cnpj-lookup'], (reply, { path }) =>
      reply.status === 200
        ? { ...reply, body: extended(reply.body, { cnpj: `${path.split('/').at(-1)?.slice(0, 8)}000100` }) }
        : reply,
    ),
  },
];
