import { member } from '../schemas/values.ts';
import { referenceRules, type Rules } from '../simulator/rules/rules.ts';
import type { Invoice, Outgoing } from '../simulator/model.ts';
import type { NfeResult, SettledInvoice } from '../simulator/rules/issuance-callback.ts';
import type { WebhookDeliveryRules } from '../simulator/rules/webhook-delivery.ts';
import { endpointMutant, type Mutant, mutant } from './mutant.ts';

/*
 * Services that are wrong for one class alone: of ids, of outcomes in a second company, of codes of a denial, of deliveries after a
 * rotation, of what else an answer says, of what was refused before.
 */

const { nfeIssuance, issuanceCallback, nfeQuery, webhookDelivery, webhookSignature } = referenceRules;

const delivered = (what: string, clause: Mutant['breaks'][number], change: Partial<WebhookDeliveryRules>): Mutant =>
  mutant(`webhook-delivery.${what}`, [clause], 'webhookDelivery', change);

const called = (
  what: string,
  clause: Mutant['breaks'][number],
  change: (result: NfeResult, invoice: SettledInvoice) => unknown,
): Mutant => mutant(`issuance-callback.${what}`, [clause], 'issuanceCallback', { body: change });

/** What stands in a delivery in that place. */
function told({ rawBody }: Outgoing, ...path: readonly string[]): unknown {
  const json: unknown = JSON.parse(rawBody.toString('utf8'));
  return member(json, ...path);
}

/** Whether a company is another than the first for which that application issued. */
function isSecondCompany(): (invoice: Pick<Invoice, 'appKey' | 'empresaId'>) => boolean {
  const first = new Map<string, string>();
  return ({ appKey, empresaId }) => {
    if (!first.has(appKey)) first.set(appKey, empresaId);
    return first.get(appKey) !== empresaId;
  };
}

/** Signs with the first secret what is of one class. */
function oldSecretFor(what: string, isOf: (outgoing: Outgoing) => boolean): Mutant {
  const rules: Rules = {
    ...referenceRules,
    token: { ...referenceRules.token, secretsAfterRotation: (old, fresh) => [...old, fresh] },
    webhookSignature: {
      ...webhookSignature,
      key: (secrets, outgoing) => (isOf(outgoing) ? (secrets[0] ?? '') : webhookSignature.key(secrets, outgoing)),
    },
  };
  return {
    id: `webhook-signature.old-secret-for-${what}`,
    breaks: ['webhook-signature.new-secret-after-rotation'],
    rules,
  };
}

/** Knows of each company the ids of its latest invoices alone. */
function rememberingIds(count: number): Mutant {
  const latest = new Map<string, readonly string[]>();
  return mutant(`nfe-issuance.remembers-${count}-ids`, ['nfe-issuance.id-unique-in-company'], 'nfeIssuance', {
    holderOf(nfeId, empresa, invoices) {
      const known = latest.get(empresa.empresaId) ?? [];
      if (known.includes(nfeId)) return nfeIssuance.holderOf(nfeId, empresa, invoices);
      latest.set(empresa.empresaId, [...known, nfeId].slice(-count));
      return undefined;
    },
  });
}

/** Tells ids apart by their first characters. */
function idsByTheirStart(length: number): Mutant {
  const first = new Map<string, string>();
  return mutant(`nfe-issuance.ids-by-first-${length}`, ['nfe-issuance.status-200'], 'nfeIssuance', {
    holderOf(nfeId, empresa, invoices) {
      const start = `${empresa.empresaId} ${nfeId.slice(0, length)}`;
      if (!first.has(start)) first.set(start, nfeId);
      return nfeIssuance.holderOf(first.get(start) ?? nfeId, empresa, invoices);
    },
  });
}

/** Times of one class of events are three hours behind, as where local time is taken for UTC. */
function threeHoursBehind(): Mutant {
  const rules: Rules = {
    ...referenceRules,
    verdict: {
      ...referenceRules.verdict,
      verdict: (verdict) =>
        verdict.validationStatus === 'REJECTED'
          ? { ...verdict, verifiedAt: new Date(Date.parse(verdict.verifiedAt) - 3 * 3600 * 1000).toISOString() }
          : verdict,
    },
  };
  return { id: 'webhook-delivery.rejected-three-hours-behind', breaks: ['webhook-delivery.true-times'], rules };
}

/** The link in the callbacks of one class of invoices leads nowhere. */
function deadLinks(what: string, isOf: (invoice: SettledInvoice) => boolean): Mutant {
  return called(what, 'issuance-callback.xml-link-alive', (result, invoice) => {
    return isOf(invoice) ? { ...result, nfeLinkXml: result.nfeLinkXml.replace(/\.xml$/, 'x.xml') } : result;
  });
}

/** The link of a callback serves once. */
function servingOnce(): Mutant {
  const served = new Set<string>();
  return mutant('issuance-callback.link-serves-once', ['issuance-callback.xml-link-alive'], 'nfeQuery', {
    servedInvoice(link, invoices) {
      const key = JSON.stringify(link);
      if (served.has(key)) return undefined;
      served.add(key);
      return nfeQuery.servedInvoice(link, invoices);
    },
  });
}

/** What is refused as an address makes the addresses of before lose their token. */
const refusedTakesTokens = endpointMutant(
  'issuance-callback.token-lost-by-refused-address',
  ['issuance-callback.token'],
  'webhook-registration',
  async (request, context, answer) => {
    const reply = await answer(request, context);
    const { webhooks } = context.state;
    const appKey = context.application?.appKey ?? '';
    if (reply.status >= 400)
      for (const { url } of webhooks.targetsOf(appKey, 'issuance')) webhooks.register(appKey, url, '-');
    return reply;
  },
);

/** A taken id is refused, and its invoice is denied from then on. */
const repeatDenies = endpointMutant(
  'nfe-issuance.repeated-id-denies-the-first',
  ['nfe-issuance.id-unique-in-company'],
  'nfe-issuance',
  async (request, context, answer) => {
    const reply = await answer(request, context);
    const [, , , , empresaId = ''] = request.path.split('/');
    const [, id = ''] = /"id":"([^"]+)"/.exec(request.rawBody.toString('utf8')) ?? [];
    const holder = reply.status === 400 ? context.state.invoices.find(empresaId, id) : undefined;
    if (holder?.settlement) context.state.invoices.settle(holder.id, { ...holder.settlement, outcome: 'Negada' });
    return reply;
  },
);

const lateCancellation = endpointMutant(
  'nfe-cancellation.late-refused-with-409',
  ['nfe-cancellation.error-array'],
  'nfe-cancellation',
  async (request, context, answer) => {
    const reply = await answer(request, context);
    return JSON.stringify(reply.body ?? '').includes('SEFAZ-501') ? { ...reply, status: 409 } : reply;
  },
);

const escapedCancellation = endpointMutant(
  'nfe-cancellation.escaped-id-unknown',
  ['nfe-cancellation.found-by-id'],
  'nfe-cancellation',
  (request, context, answer) =>
    answer(request.path.includes('%') ? { ...request, path: `${request.path}x` } : request, context),
);

const extensionCut = endpointMutant(
  'nfe-query.extension-cut',
  ['nfe-query.found-by-id'],
  'nfe-query',
  (request, context, answer) => answer({ ...request, path: request.path.replace(/\.[a-z]+$/, '') }, context),
);

const noUriTaken = endpointMutant(
  'webhook-url.no-uri-taken',
  ['webhook-url.absolute-http-only'],
  'webhook-registration',
  (request, context, answer) =>
    /"uri":\s*"/.test(request.rawBody.toString('utf8')) ? answer(request, context) : { status: 200, body: {} },
);

const isSecondForDenials = isSecondCompany();
const isSecondForLinks = isSecondCompany();
const isDenial = (outgoing: Outgoing): boolean => told(outgoing, 'nfeStatus') === 'Negada';
const isRejection = (outgoing: Outgoing): boolean => told(outgoing, 'data', 'validationStatus') === 'REJECTED';

export const oneClassMutants: readonly Mutant[] = [
  rememberingIds(10),
  idsByTheirStart(32),
  repeatDenies,
  called('short-numbers-as-numbers', 'issuance-callback.nfe-id', (result) =>
    /^\d{1,15}$/.test(result.nfeId) ? { ...result, nfeId: Number(result.nfeId) } : result,
  ),
  called('ids-cut-at-64', 'issuance-callback.nfe-id', (result) => ({ ...result, nfeId: result.nfeId.slice(0, 64) })),
  called('numero-one-more', 'issuance-callback.xml-of-the-invoice', (result) => {
    return { ...result, nfeNumero: String(Number(result.nfeNumero) + 1) };
  }),
  called('protocolo-of-another', 'issuance-callback.xml-of-the-invoice', (result) => {
    return {
      ...result,
      nfeNumeroProtocolo: result.nfeNumeroProtocolo.replace(/\d$/, (digit) => `${9 - Number(digit)}`),
    };
  }),
  called('emissao-to-the-minute', 'issuance-callback.data-emissao', (result) => {
    return { ...result, nfeDataEmissao: `${result.nfeDataEmissao.slice(0, 17)}00Z` };
  }),
  mutant(
    'issuance-callback.denied-of-second-company-silent',
    ['issuance-callback.called-back-when-denied'],
    'issuanceCallback',
    {
      isCalledBack: (invoice) => !(isSecondForDenials(invoice) && invoice.settlement.outcome === 'Negada'),
    },
  ),
  mutant('issuance-callback.producao-silent', ['issuance-callback.called-back-when-authorised'], 'issuanceCallback', {
    isCalledBack: (invoice) => invoice.ambiente !== 'Producao' && issuanceCallback.isCalledBack(invoice),
  }),
  deadLinks('link-dead-in-second-company', isSecondForLinks),
  servingOnce(),
  refusedTakesTokens,
  mutant('issuance-callback.token-spaces-squeezed', ['issuance-callback.token'], 'webhookDelivery', {
    token: (outgoing) => webhookDelivery.token(outgoing)?.replaceAll(/ +/g, ' '),
  }),
  mutant('nfe-query.denegada-for-some-codes', ['nfe-query.status-known'], 'nfeQuery', {
    state: (invoice, record) =>
      /^30[1-3]\b/.test(invoice.settlement?.motivo ?? '') ? 'Denegada' : nfeQuery.state(invoice, record),
  }),
  extensionCut,
  lateCancellation,
  escapedCancellation,
  noUriTaken,
  mutant('verdict-event.callbacks-at-its-address', ['verdict-event.event-type'], 'webhookDelivery', {
    receivers: (targets, targetsOf) =>
      targets.some(({ channel }) => channel === 'issuance') ? [...targets, ...targetsOf('verification')] : targets,
  }),
  oldSecretFor('denials', isDenial),
  oldSecretFor('rejections', isRejection),
  oldSecretFor('tests', ({ eventType }) => eventType === 'webhook.verify'),
  threeHoursBehind(),
  delivered('html-is-no-acknowledgement', 'webhook-delivery.acknowledged-by-any-2xx', {
    isAcknowledged: (status, headers) =>
      webhookDelivery.isAcknowledged(status) && !String(headers?.['content-type']).includes('html'),
  }),
  delivered('late-after-timeout', 'webhook-delivery.timeout-after-10-seconds', {
    retryMs: (attempt, endedMs, retry, delays) =>
      webhookDelivery.retryMs(attempt, endedMs, retry, delays) + (endedMs - attempt.startedMs >= 9000 ? 600_000 : 0),
  }),
];
