import { type NfeResultField, nfeResultFields } from '../schemas/invoice.ts';
import type { ClauseId } from '../contract/catalogue.ts';
import { member } from '../schemas/values.ts';
import { findInvoice } from '../simulator/endpoints/nfe.ts';
import type { IssuanceCallbackRules, NfeResult, SettledInvoice } from '../simulator/rules/issuance-callback.ts';
import { nfeQueryRules } from '../simulator/rules/nfe-query.ts';
import { referenceRules } from '../simulator/rules/rules.ts';
import { findRoute } from '../simulator/rules/route.ts';
import { queueIssuanceCallback } from '../simulator/webhooks/events.ts';
import { also, counter, endpointMutant, firstOf, idIn, type Mutant, rewriting, ruleMutants } from './mutant.ts';
import { servedOnce } from './nfe-query.links.ts';

const ruled = ruleMutants('issuance-callback', 'issuanceCallback');
const ruledNfeQuery = ruleMutants('issuance-callback', 'nfeQuery');

const { motivo, xmlLink, isCalledBack } = referenceRules.issuanceCallback;

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

/** One field of each callback told otherwise. */
function field(
  what: string,
  clause: ClauseId,
  name: NfeResultField,
  change: (value: string, result: NfeResult) => unknown,
): Mutant {
  return bodyMutant(what, [clause], (result) => ({ ...result, [name]: change(result[name], result) }));
}

/** The id of the company's invoice before, as of a variable that is set too late; that of its first one is right. */
function idBefore(): (id: string, result: NfeResult) => string {
  const last = new Map<string, string>();
  return (id, { empresaId }) => {
    const before = last.get(empresaId) ?? id;
    last.set(empresaId, id);
    return before;
  };
}

/** A body that lacks a field. */
function without(name: NfeResultField): Mutant {
  return bodyMutant(`without-${name.toLowerCase()}`, allFields, (result) =>
    Object.fromEntries(Object.entries(result).filter(([each]) => each !== name)),
  );
}

const allFields = ['issuance-callback.all-fields', 'issuance-callback.all-fields-when-denied'] as const;

function mapped(result: NfeResult, change: (text: string) => unknown): object {
  return Object.fromEntries(Object.entries(result).map(([name, text]) => [name, change(text)]));
}

/** Each delivery of an event tells the other outcome than the one before. */
function wavering(): Mutant {
  const timesTold = counter();
  return ruleMutants('issuance-callback', 'webhookDelivery')('two-outcomes', ['issuance-callback.one-outcome'], {
    isAcknowledged: () => false,
    ...rewriting((right, { eventId }) =>
      timesTold(eventId) % 2 === 0 ? right : right.replace(/"(Autorizada|Negada)"/, '"Cancelada"'),
    ),
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

/** Tells the chave of the last authorised invoice of the company in a denial. */
function ofTheLastAuthorised(): IssuanceCallbackRules['body'] {
  const last = new Map<string, string>();
  return (result, { settlement }) => {
    if (settlement.outcome === 'Autorizada') last.set(result.empresaId, result.nfeChaveAcesso);
    return { ...result, nfeChaveAcesso: last.get(result.empresaId) ?? result.nfeChaveAcesso };
  };
}

/** Names the company of the first of all invoices that have that in common. */
function firstCompany(what: string, common: (invoice: SettledInvoice) => string): Mutant {
  const first = firstOf<string>();
  return bodyMutant(what, ['issuance-callback.empresa-id'], (result, invoice) => ({
    ...result,
    empresaId: first(common(invoice), result.empresaId),
  }));
}

/** Whether an invoice is of the first company that an application has invoices of. */
function isOfFirstCompany(): IssuanceCallbackRules['isCalledBack'] {
  const first = firstOf<string>();
  return ({ appKey, empresaId }) => first(appKey, empresaId) === empresaId;
}

/** Names the outcome in English where the issuance asked for English. */
function outcomeTranslated(): Mutant {
  const inEnglish = new Set<string>();
  const issuance = endpointMutant(
    'issuance-callback.outcome-in-the-language-asked-for',
    ['issuance-callback.status-authorised', 'issuance-callback.status-denied'],
    'nfe-issuance',
    (request, context, answer) => {
      const isAsked = context.rules.language.choose(request.headers) === 'en';
      if (isAsked) inEnglish.add(`${request.path} ${idIn(request)}`);
      return answer(request, context);
    },
  );
  const english: Record<string, string> = { Autorizada: 'Authorized', Negada: 'Denied' };
  return also(issuance, 'issuanceCallback', {
    body: (result) => {
      const { empresaId, nfeId, nfeStatus } = result;
      const isAsked = inEnglish.has(`/openapi/v2/empresas/${empresaId}/nf-e ${nfeId}`);
      return isAsked ? { ...result, nfeStatus: english[nfeStatus] } : result;
    },
  });
}

/** Nobody is called back for an invoice that waited while the secret was rotated. */
function lostWhileWaiting(): Mutant {
  const { token } = referenceRules;
  const [issued, lost] = [new Set<string>(), new Set<string>()];
  const issuance = endpointMutant(
    'issuance-callback.lost-by-a-rotation-meanwhile',
    ['issuance-callback.called-back-when-authorised'],
    'nfe-issuance',
    (request, context, answer) => {
      issued.add(idIn(request));
      return answer(request, context);
    },
  );
  const rotating = also(issuance, 'token', {
    secretsAfterRotation(old, fresh) {
      issued.forEach((nfeId) => lost.add(nfeId));
      return token.secretsAfterRotation(old, fresh);
    },
  });
  return also(rotating, 'issuanceCallback', { isCalledBack: ({ nfeId }) => !lost.has(nfeId) });
}

/** Nobody is called back for an invoice that was asked for while it waited: whoever asks is thought to know. */
function lostByAQuery(): Mutant {
  const known = new Set<string>();
  const query = endpointMutant(
    'issuance-callback.lost-by-a-query-meanwhile',
    ['issuance-callback.called-back-when-authorised', 'issuance-callback.called-back-when-denied'],
    'nfe-query',
    async (request, context, answer) => {
      const reply = await answer(request, context);
      const { nfeId = '' } = findRoute(request.method, request.path)?.variables ?? {};
      if (member(reply.body, 'status') === 'AguardandoAutorizacao') known.add(nfeId);
      return reply;
    },
  );
  return also(query, 'issuanceCallback', { isCalledBack: ({ nfeId }) => !known.has(nfeId) });
}

/** Callbacks name the company that issued last, whoever issued their invoice: where it is kept for all requests at once. */
function companyOfTheLast(): Mutant {
  let last = '';
  const id = 'issuance-callback.company-of-the-last';
  const issuance = endpointMutant(id, ['issuance-callback.empresa-id'], 'nfe-issuance', (request, context, answer) => {
    last = request.path.split('/')[4] ?? '';
    return answer(request, context);
  });
  return also(issuance, 'issuanceCallback', { body: (result) => ({ ...result, empresaId: last }) });
}

/** Invoices that took more than 64 KiB to issue are called back for one outcome alone. */
function largeSilentOf(outcome: (typeof outcomes)[number], clause: ClauseId): Mutant {
  const large = new Set<string>();
  const issuance = endpointMutant(
    `issuance-callback.large-silent-${outcome.toLowerCase()}`,
    [clause],
    'nfe-issuance',
    (request, context, answer) => {
      if (request.rawBody.length > 65_536) large.add(idIn(request));
      return answer(request, context);
    },
  );
  return also(issuance, 'issuanceCallback', {
    isCalledBack: ({ nfeId, settlement }) => settlement.outcome !== outcome || !large.has(nfeId),
  });
}

/** What was said of a denial is said again of what the application issues afterwards. */
function afterDenial(): readonly Mutant[] {
  const motivos = new Map<string, string>();
  const denied = new Set<string>();
  return [
    ruled('motivo-of-the-last-denial', ['issuance-callback.no-motivo-when-authorised'], {
      motivo(invoice) {
        if (motivo(invoice) !== '') motivos.set(invoice.appKey, motivo(invoice));
        return motivos.get(invoice.appKey) ?? '';
      },
    }),
    ruled('no-link-after-a-denial', ['issuance-callback.xml-link'], {
      xmlLink(invoice, link) {
        if (invoice.settlement.outcome === 'Negada') denied.add(invoice.appKey);
        return denied.has(invoice.appKey) ? '' : xmlLink(invoice, link);
      },
    }),
  ];
}

const isFirstForDenials = isOfFirstCompany();
const isFirstForLinks = isOfFirstCompany();

/** Wrong callbacks. */
export const issuanceCallbackMutants: readonly Mutant[] = [
  lostByAQuery(),
  ruled('authorisation-not-called-back', ['issuance-callback.called-back-when-authorised'], {
    isCalledBack: ({ settlement }) => settlement.outcome === 'Negada',
  }),
  ruled('rejections-without-code', ['issuance-callback.motivo-of-denial'], {
    motivo: (invoice) => motivo(invoice).replace(/^2\d\d - /, ''),
  }),
  ruled('not-beyond-an-hour', ['issuance-callback.called-back-when-authorised'], {
    isCalledBack: ({ issuedMs, settlement }) => settlement.settledMs - issuedMs <= 3_600_000,
  }),
  ruled('first-company-only', ['issuance-callback.called-back-when-authorised'], {
    isCalledBack: isOfFirstCompany(),
  }),
  ruled('denial-not-called-back', ['issuance-callback.called-back-when-denied'], {
    isCalledBack: ({ settlement }) => settlement.outcome === 'Autorizada',
  }),
  ruled('denied-of-second-company-silent', ['issuance-callback.called-back-when-denied'], {
    isCalledBack: (invoice) => isFirstForDenials(invoice) || invoice.settlement.outcome !== 'Negada',
  }),
  ruled('producao-silent', ['issuance-callback.called-back-when-authorised'], {
    isCalledBack: (invoice) => invoice.ambiente !== 'Producao' && isCalledBack(invoice),
  }),
  lostWhileWaiting(),
  largeSilentOf('Autorizada', 'issuance-callback.called-back-when-authorised'),
  largeSilentOf('Negada', 'issuance-callback.called-back-when-denied'),
  ...afterDenial(),
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
  bodyMutant('null-for-empty', allFields, (result) => mapped(result, (text) => (text === '' ? null : text))),
  bodyMutant('empty-fields-left-out', allFields, (result) =>
    mapped(result, (text) => (text === '' ? undefined : text)),
  ),
  bodyMutant('numbers-for-texts', ['issuance-callback.texts'], (result) => ({
    ...result,
    nfeNumero: Number(result.nfeNumero),
    nfeSerie: Number(result.nfeSerie),
  })),
  fieldMutant('tipo-nfe', ['issuance-callback.tipo'], 'Autorizada', 'tipo', 'NFe'),
  fieldMutant('tipo-small', ['issuance-callback.tipo'], 'Autorizada', 'tipo', 'nf-e'),
  firstCompany('first-company-named', ({ appKey }) => appKey),
  firstCompany('company-by-id-alone', ({ nfeId }) => nfeId),
  fieldMutant('other-company', ['issuance-callback.empresa-id'], 'Autorizada', 'empresaId', 'another-company'),
  ruled('late-denial-lost', ['issuance-callback.called-back-when-denied'], {
    isCalledBack: ({ settlement, issuedMs }) =>
      settlement.outcome === 'Autorizada' || settlement.settledMs - issuedMs < 600_000,
  }),
  ruled('late-authorisation-lost', ['issuance-callback.called-back-when-authorised'], {
    isCalledBack: ({ settlement, issuedMs }) =>
      settlement.outcome === 'Negada' || settlement.settledMs - issuedMs < 600_000,
  }),
  bodyMutant('chave-of-the-last-authorised', ['issuance-callback.fields-of-denial'], ofTheLastAuthorised()),
  bodyMutant('chave-of-the-invoice-before', ['issuance-callback.xml-of-the-invoice'], ofTheOneBefore()),
  field('nfe-id-cut-at-40', 'issuance-callback.nfe-id', 'nfeId', (id) => id.slice(0, 40)),
  field('ids-cut-at-64', 'issuance-callback.nfe-id', 'nfeId', (id) => id.slice(0, 64)),
  field('nfe-id-of-digits-as-a-number', 'issuance-callback.nfe-id', 'nfeId', (id) =>
    /^[1-9]\d*$/.test(id) ? Number(id) : id,
  ),
  field('short-numbers-as-numbers', 'issuance-callback.nfe-id', 'nfeId', (id) =>
    /^\d{1,15}$/.test(id) ? Number(id) : id,
  ),
  field('nfe-id-in-capitals', 'issuance-callback.nfe-id', 'nfeId', (id) => id.toUpperCase()),
  field('nfe-id-of-denials-in-small-letters', 'issuance-callback.nfe-id', 'nfeId', (id, { nfeStatus }) =>
    nfeStatus === 'Negada' ? id.toLowerCase() : id,
  ),
  field('nfe-id-of-the-invoice-before', 'issuance-callback.nfe-id', 'nfeId', idBefore()),
  field('nfe-id-trimmed', 'issuance-callback.nfe-id', 'nfeId', (id) => id.trim()),
  companyOfTheLast(),
  field('nfe-id-in-small-letters', 'issuance-callback.nfe-id', 'nfeId', (id) => id.toLowerCase()),
  field('nfe-id-unescaped', 'issuance-callback.nfe-id', 'nfeId', (id) =>
    id.replaceAll(/%[\da-f]{2}/gi, decodeURIComponent),
  ),
  field('nfe-id-escaped', 'issuance-callback.nfe-id', 'nfeId', (id) => encodeURIComponent(id)),
  field('nfe-id-without-accents', 'issuance-callback.nfe-id', 'nfeId', (id) => id.replaceAll(/[^\x20-\x7e]/g, '')),
  field('chave-for-nfe-id', 'issuance-callback.nfe-id', 'nfeId', (_, { nfeChaveAcesso }) => nfeChaveAcesso),
  field('numero-one-more', 'issuance-callback.xml-of-the-invoice', 'nfeNumero', (text) => String(Number(text) + 1)),
  field('protocolo-of-another', 'issuance-callback.xml-of-the-invoice', 'nfeNumeroProtocolo', (text) =>
    text.replace(/\d$/, (digit) => `${9 - Number(digit)}`),
  ),
  fieldMutant('autorizado', ['issuance-callback.status-authorised'], 'Autorizada', 'nfeStatus', 'Autorizado'),
  fieldMutant('autorizada-small', ['issuance-callback.status-authorised'], 'Autorizada', 'nfeStatus', 'autorizada'),
  fieldMutant('rejeitada', ['issuance-callback.status-denied'], 'Negada', 'nfeStatus', 'Rejeitada'),
  fieldMutant('motivo-empty', ['issuance-callback.motivo-of-denial'], 'Negada', 'nfeMotivoStatus', ''),
  fieldMutant('motivo-code-only', ['issuance-callback.motivo-of-denial'], 'Negada', 'nfeMotivoStatus', '302'),
  field('motivo-encoded-twice', 'issuance-callback.motivo-of-denial', 'nfeMotivoStatus', (text) =>
    Buffer.from(text).toString('latin1'),
  ),
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
  ruled('xml-link-dead-when-decided-late', ['issuance-callback.xml-of-the-invoice'], {
    xmlLink: (invoice, link) => {
      const age = invoice.settlement.settledMs - invoice.issuedMs;
      return xmlLink(invoice, () => (age > 600_000 ? `${link()}0` : link()));
    },
  }),
  bodyMutant('link-dead-in-second-company', ['issuance-callback.xml-link-alive'], (result, invoice) =>
    isFirstForLinks(invoice) ? result : { ...result, nfeLinkXml: result.nfeLinkXml.replace(/\.xml$/, 'x.xml') },
  ),
  ruledNfeQuery(
    'link-serves-once',
    ['issuance-callback.xml-link-alive', 'nfe-query.xml-link-alive', 'nfe-query.danfe-link-alive'],
    servedOnce(),
  ),
  ruledNfeQuery('xml-link-for-ever', ['issuance-callback.xml-link-expires'], { isLinkAlive: () => true }),
  ruledNfeQuery('other-xml', ['nfe-query.xml-link-serves-its-invoice', 'issuance-callback.xml-of-the-invoice'], {
    document: () => Promise.resolve({ type: 'application/xml', bytes: Buffer.from('<nfeProc/>') }),
  }),
  fieldMutant('numero-empty', ['issuance-callback.numero-and-serie'], 'Autorizada', 'nfeNumero', ''),
  fieldMutant('serie-empty', ['issuance-callback.numero-and-serie'], 'Autorizada', 'nfeSerie', ''),
  field('chave-of-43-digits', 'issuance-callback.chave', 'nfeChaveAcesso', (chave) => chave.slice(1)),
  field('chave-with-prefix', 'issuance-callback.chave', 'nfeChaveAcesso', (chave) => `NFe${chave}`),
  field('local-time', 'issuance-callback.data-emissao', 'nfeDataEmissao', (time) => time.replace('Z', '-03:00')),
  field('time-without-zone', 'issuance-callback.data-emissao', 'nfeDataEmissao', (time) => time.replace('Z', '')),
  field(
    'emissao-to-the-minute',
    'issuance-callback.data-emissao',
    'nfeDataEmissao',
    (time) => `${time.slice(0, 17)}00Z`,
  ),
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
  ruledNfeQuery('query-contradicts', ['issuance-callback.agrees-with-query'], {
    state: (invoice, record) => (invoice.settlement ? 'Cancelada' : nfeQueryRules.state(invoice, record)),
  }),
  wavering(),
  outcomeTranslated(),
  endpointMutant(
    'issuance-callback.again-for-a-refused-repeat',
    ['webhook-delivery.event-id-kept-on-retry'],
    'nfe-issuance',
    async (request, context, answer) => {
      const [, , , , empresaId = ''] = request.path.split('/');
      const held = context.state.invoices.find(empresaId, idIn(request));
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
