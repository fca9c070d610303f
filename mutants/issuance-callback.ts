import { type NfeResultField, nfeResultFields } from '../schemas/invoice.ts';
import { findInvoice } from '../simulator/endpoints/nfe.ts';
import type { IssuanceCallbackRules, NfeResult } from '../simulator/rules/issuance-callback.ts';
import { nfeQueryRules } from '../simulator/rules/nfe-query.ts';
import { findRoute } from '../simulator/rules/route.ts';
import { webhookDeliveryRules } from '../simulator/rules/webhook-delivery.ts';
import { queueIssuanceCallback } from '../simulator/webhooks/events.ts';
import { asking, ruleMutants, endpointMutant, type Mutant } from './mutant.ts';
import { parseJsonObject } from '../simulator/http/json.ts';

const ruled = ruleMutants('issuance-callback', 'issuanceCallback');
const ruledWebhookDelivery = ruleMutants('issuance-callback', 'webhookDelivery');
const ruledNfeQuery = ruleMutants('issuance-callback', 'nfeQuery');

const outcomes = ['Autorizada', 'Negada'] as const;

/** A wrong body. */
function bodyMutant(what: string, breaks: Mutant['breaks'], body: IssuanceCallbackRules['body']): Mutant {
  return ruled(what, breaks, { body });
}

/** Another value in one field of the callbacks of one outcome. */
function fieldMutant(
  what: string,
  breaks: Mutant['breaks'],
  outcome: (typeof outcomes)[number],
  field: NfeResultField,
  value: unknown,
): Mutant {
  return bodyMutant(what, breaks, (result, { settlement }) =>
    settlement.outcome === outcome ? { ...result, [field]: value } : result,
  );
}

/** Keeps one token for an address, whichever application registers it. */
function tokenOfTheAddress(): Mutant {
  const tokens = new Map<string, string>();
  const { id, breaks, rules } = endpointMutant(
    'issuance-callback.token-of-another-application',
    ['issuance-callback.token'],
    'webhook-registration',
    async (request, context, answer) => {
      const reply = await answer(request, context);
      if (reply.status !== 200) return reply;
      const { uri, token } = parseJsonObject(request.rawBody) ?? {};
      if (typeof uri === 'string' && typeof token === 'string') tokens.set(uri, token);
      return reply;
    },
  );
  const token: typeof webhookDeliveryRules.token = (outgoing) =>
    webhookDeliveryRules.token(outgoing) === undefined ? undefined : tokens.get(outgoing.url);
  return { id, breaks, rules: { ...rules, webhookDelivery: { ...webhookDeliveryRules, token } } };
}

/** An address that is registered again keeps the token that it had first. */
function firstTokenKept(): Mutant {
  const first = new Map<string, string>();
  return endpointMutant(
    'issuance-callback.first-token-kept',
    ['issuance-callback.token'],
    'webhook-registration',
    (request, context, answer) => {
      const { uri, token } = parseJsonObject(request.rawBody) ?? {};
      if (typeof uri !== 'string' || typeof token !== 'string' || token === '') return answer(request, context);
      const name = `${context.application?.appKey} ${uri}`;
      const kept = first.get(name) ?? token;
      first.set(name, kept);
      return answer(asking(request, { token: kept }), context);
    },
  );
}

/** A body that lacks a field. */
function without(field: NfeResultField): Mutant {
  const breaks = ['issuance-callback.all-fields', 'issuance-callback.all-fields-when-denied'] as const;
  return bodyMutant(`without-${field.toLowerCase()}`, breaks, (result) =>
    Object.fromEntries(Object.entries(result).filter(([name]) => name !== field)),
  );
}

function mapped(result: NfeResult, change: (text: string) => unknown): object {
  return Object.fromEntries(Object.entries(result).map(([name, text]) => [name, change(text)]));
}

/** Each delivery of an event tells the other outcome than the one before. */
function wavering(): Mutant {
  const told = new Map<string, number>();
  return ruledWebhookDelivery('two-outcomes', ['issuance-callback.one-outcome'], {
    isAcknowledged: () => false,
    body(outgoing) {
      const times = told.get(outgoing.eventId) ?? 0;
      told.set(outgoing.eventId, times + 1);
      if (times % 2 === 0) return webhookDeliveryRules.body(outgoing);
      return Buffer.from(outgoing.rawBody.toString('utf8').replace(/"(Autorizada|Negada)"/, '"Cancelada"'));
    },
  });
}

/** Tells the chave of the invoice before, of the same company. */
function ofTheOneBefore(): IssuanceCallbackRules['body'] {
  const last = new Map<string, string>();
  return (result) => {
    const before = last.get(result.empresaId) ?? result.nfeChaveAcesso;
    last.set(result.empresaId, result.nfeChaveAcesso);
    return { ...result, nfeChaveAcesso: before };
  };
}

/** Names the company that an application was called back for first. */
function namingTheFirst(): IssuanceCallbackRules['body'] {
  const first = new Map<string, string>();
  return (result, { appKey }) => {
    const empresaId = first.get(appKey) ?? result.empresaId;
    first.set(appKey, empresaId);
    return { ...result, empresaId };
  };
}

/** Whether an invoice is of the first company that an application has invoices of. */
function firstOfEachApplication(): IssuanceCallbackRules['isCalledBack'] {
  const first = new Map<string, string>();
  return ({ appKey, empresaId }) => {
    const known = first.get(appKey) ?? empresaId;
    first.set(appKey, known);
    return known === empresaId;
  };
}

/** Wrong callbacks. */
export const issuanceCallbackMutants: readonly Mutant[] = [
  ruled('authorisation-not-called-back', ['issuance-callback.called-back-when-authorised'], {
    isCalledBack: ({ settlement }) => settlement.outcome === 'Negada',
  }),
  ruled('first-company-only', ['issuance-callback.called-back-when-authorised'], {
    isCalledBack: firstOfEachApplication(),
  }),
  ruled('denial-not-called-back', ['issuance-callback.called-back-when-denied'], {
    isCalledBack: ({ settlement }) => settlement.outcome === 'Autorizada',
  }),
  bodyMutant('in-platform-envelope', ['issuance-callback.bare-object'], (data) => ({
    success: true,
    code: 0,
    message: 'OK',
    data,
  })),
  bodyMutant('in-event-envelope', ['issuance-callback.bare-object'], (data) => ({
    version: '1.0',
    event_id: 'e',
    data,
  })),
  bodyMutant('in-array', ['issuance-callback.bare-object'], (result) => [result]),
  ...nfeResultFields.map(without),
  bodyMutant('null-for-empty', ['issuance-callback.all-fields', 'issuance-callback.all-fields-when-denied'], (result) =>
    mapped(result, (text) => (text === '' ? null : text)),
  ),
  bodyMutant(
    'empty-fields-left-out',
    ['issuance-callback.all-fields', 'issuance-callback.all-fields-when-denied'],
    (result) => mapped(result, (text) => (text === '' ? undefined : text)),
  ),
  bodyMutant('numbers-for-texts', ['issuance-callback.texts'], (result) => ({
    ...result,
    nfeNumero: Number(result.nfeNumero),
    nfeSerie: Number(result.nfeSerie),
  })),
  fieldMutant('tipo-nfe', ['issuance-callback.tipo'], 'Autorizada', 'tipo', 'NFe'),
  fieldMutant('tipo-small', ['issuance-callback.tipo'], 'Autorizada', 'tipo', 'nf-e'),
  bodyMutant('first-company-named', ['issuance-callback.empresa-id'], namingTheFirst()),
  fieldMutant('other-company', ['issuance-callback.empresa-id'], 'Autorizada', 'empresaId', 'another-company'),
  ruled('late-denial-lost', ['issuance-callback.called-back-when-denied'], {
    isCalledBack: ({ settlement, issuedMs }) =>
      settlement.outcome === 'Autorizada' || settlement.settledMs - issuedMs < 600_000,
  }),
  ruled('late-authorisation-lost', ['issuance-callback.called-back-when-authorised'], {
    isCalledBack: ({ settlement, issuedMs }) =>
      settlement.outcome === 'Negada' || settlement.settledMs - issuedMs < 600_000,
  }),
  bodyMutant('chave-of-the-invoice-before', ['issuance-callback.xml-of-the-invoice'], ofTheOneBefore()),
  bodyMutant('nfe-id-cut-at-40', ['issuance-callback.nfe-id'], (result) => ({
    ...result,
    nfeId: result.nfeId.slice(0, 40),
  })),
  bodyMutant('nfe-id-of-digits-as-a-number', ['issuance-callback.nfe-id'], (result) => ({
    ...result,
    nfeId: /^[1-9]\d*$/.test(result.nfeId) ? Number(result.nfeId) : result.nfeId,
  })),
  bodyMutant('nfe-id-in-capitals', ['issuance-callback.nfe-id'], (result) => ({
    ...result,
    nfeId: result.nfeId.toUpperCase(),
  })),
  bodyMutant('nfe-id-trimmed', ['issuance-callback.nfe-id'], (result) => ({ ...result, nfeId: result.nfeId.trim() })),
  bodyMutant('nfe-id-escaped', ['issuance-callback.nfe-id'], (result) => ({
    ...result,
    nfeId: encodeURIComponent(result.nfeId),
  })),
  bodyMutant('nfe-id-without-accents', ['issuance-callback.nfe-id'], (result) => ({
    ...result,
    nfeId: result.nfeId.replaceAll(/[^\x20-\x7e]/g, ''),
  })),
  bodyMutant('chave-for-nfe-id', ['issuance-callback.nfe-id'], (result) => ({
    ...result,
    nfeId: result.nfeChaveAcesso,
  })),
  fieldMutant('autorizado', ['issuance-callback.status-authorised'], 'Autorizada', 'nfeStatus', 'Autorizado'),
  fieldMutant('autorizada-small', ['issuance-callback.status-authorised'], 'Autorizada', 'nfeStatus', 'autorizada'),
  fieldMutant('rejeitada', ['issuance-callback.status-denied'], 'Negada', 'nfeStatus', 'Rejeitada'),
  fieldMutant('motivo-empty', ['issuance-callback.motivo-of-denial'], 'Negada', 'nfeMotivoStatus', ''),
  fieldMutant('motivo-code-only', ['issuance-callback.motivo-of-denial'], 'Negada', 'nfeMotivoStatus', '302'),
  fieldMutant('motivo-text-only', ['issuance-callback.motivo-of-denial'], 'Negada', 'nfeMotivoStatus', 'Uso Denegado'),
  fieldMutant(
    'motivo-when-authorised',
    ['issuance-callback.no-motivo-when-authorised'],
    'Autorizada',
    'nfeMotivoStatus',
    '100 - Autorizado o uso da NF-e',
  ),
  ruled('danfe-link', ['issuance-callback.no-danfe-link'], { danfeLink: (_, link) => link() }),
  ruled('no-xml-link', ['issuance-callback.xml-link'], { xmlLink: () => '' }),
  ruled('relative-xml-link', ['issuance-callback.xml-link'], { xmlLink: () => '/documentos/1.xml' }),
  ruled('xml-link-when-denied', ['issuance-callback.no-xml-link-when-denied'], { xmlLink: (_, link) => link() }),
  ruled('xml-link-to-nowhere', ['issuance-callback.xml-link-alive'], { xmlLink: (_, link) => `${link()}0` }),
  ruledNfeQuery('xml-link-for-ever', ['issuance-callback.xml-link-expires'], { isLinkAlive: () => true }),
  ruledNfeQuery('other-xml', ['issuance-callback.xml-of-the-invoice'], {
    document: () => Promise.resolve({ type: 'application/xml', bytes: Buffer.from('<nfeProc/>') }),
  }),
  fieldMutant('numero-empty', ['issuance-callback.numero-and-serie'], 'Autorizada', 'nfeNumero', ''),
  fieldMutant('serie-empty', ['issuance-callback.numero-and-serie'], 'Autorizada', 'nfeSerie', ''),
  bodyMutant('chave-of-43-digits', ['issuance-callback.chave'], (result) => ({
    ...result,
    nfeChaveAcesso: result.nfeChaveAcesso.slice(1),
  })),
  bodyMutant('chave-with-prefix', ['issuance-callback.chave'], (result) => ({
    ...result,
    nfeChaveAcesso: `NFe${result.nfeChaveAcesso}`,
  })),
  bodyMutant('local-time', ['issuance-callback.data-emissao'], (result) => ({
    ...result,
    nfeDataEmissao: result.nfeDataEmissao.replace('Z', '-03:00'),
  })),
  bodyMutant('time-without-zone', ['issuance-callback.data-emissao'], (result) => ({
    ...result,
    nfeDataEmissao: result.nfeDataEmissao.replace('Z', ''),
  })),
  fieldMutant('no-authorisation-time', ['issuance-callback.data-autorizacao'], 'Autorizada', 'nfeDataAutorizacao', ''),
  ruled('authorisation-time-when-denied', ['issuance-callback.no-data-autorizacao-when-denied'], {
    authorizedAt: ({ settlement }) => settlement.settledMs,
  }),
  fieldMutant('no-protocolo', ['issuance-callback.protocolo'], 'Autorizada', 'nfeNumeroProtocolo', ''),
  fieldMutant(
    'protocolo-when-denied',
    ['issuance-callback.no-protocolo-when-denied'],
    'Negada',
    'nfeNumeroProtocolo',
    '1',
  ),
  ruled('with-digest', ['issuance-callback.no-digest'], { digestValue: () => '+GzukUqyGg3ksWFUU/e6HsguR0A=' }),
  ruledWebhookDelivery('without-token', ['issuance-callback.token'], { token: () => undefined }),
  ruledWebhookDelivery('another-token', ['issuance-callback.token'], { token: () => 'token' }),
  ruledWebhookDelivery('token-cut', ['issuance-callback.token'], {
    token: (outgoing) => webhookDeliveryRules.token(outgoing)?.slice(0, 64),
  }),
  ruledWebhookDelivery('token-cut-at-255', ['issuance-callback.token'], {
    token: (outgoing) => webhookDeliveryRules.token(outgoing)?.slice(0, 255),
  }),
  ruledWebhookDelivery('token-unescaped', ['issuance-callback.token'], {
    token: (outgoing) => webhookDeliveryRules.token(outgoing)?.replaceAll(/%[\da-f]{2}/gi, decodeURIComponent),
  }),
  ruledWebhookDelivery('token-cut-at-comma', ['issuance-callback.token'], {
    token: (outgoing) => webhookDeliveryRules.token(outgoing)?.replace(/,.*/, ''),
  }),
  ruledWebhookDelivery('token-as-a-number', ['issuance-callback.token'], {
    token: (outgoing) => webhookDeliveryRules.token(outgoing)?.replace(/^0+/, ''),
  }),
  tokenOfTheAddress(),
  firstTokenKept(),
  ruledWebhookDelivery('token-in-capitals', ['issuance-callback.token'], {
    token: (outgoing) => webhookDeliveryRules.token(outgoing)?.toUpperCase(),
  }),
  ruledNfeQuery('query-contradicts', ['issuance-callback.agrees-with-query'], {
    state: (invoice, record) => (invoice.settlement ? 'Cancelada' : nfeQueryRules.state(invoice, record)),
  }),
  wavering(),
  endpointMutant(
    'issuance-callback.again-for-a-refused-repeat',
    ['webhook-delivery.event-id-kept-on-retry'],
    'nfe-issuance',
    async (request, context, answer) => {
      const [, , , , empresaId = ''] = request.path.split('/');
      const held = context.state.invoices.find(empresaId, String(parseJsonObject(request.rawBody)?.['id']));
      if (held?.settlement) queueIssuanceCallback(held, context);
      return answer(request, context);
    },
  ),
  endpointMutant(
    'issuance-callback.on-cancellation',
    ['issuance-callback.none-on-cancellation'],
    'nfe-cancellation',
    async (request, context, answer) => {
      const { application: caller } = context;
      const found =
        caller &&
        findInvoice({ state: context.state, caller }, findRoute(request.method, request.path)?.variables ?? {});
      const reply = await answer(request, context);
      if (found && 'invoice' in found && reply.status === 200) queueIssuanceCallback(found.invoice, context);
      return reply;
    },
  ),
];
