import type { Outgoing, Invoice } from '../simulator/model.ts';
import { referenceRules } from '../simulator/rules/rules.ts';
import { webhookDeliveryRules } from '../simulator/rules/webhook-delivery.ts';
import { endpointMutant, mutant, type Mutant } from './mutant.ts';
import type { NfeResult, SettledInvoice } from '../simulator/rules/issuance-callback.ts';
import { parseJsonObject } from '../simulator/http/json.ts';

const { issuanceCallback, nfeQuery, token, webhookDelivery } = referenceRules;

const called = (
  what: string,
  clause: Mutant['breaks'][number],
  change: (result: NfeResult, invoice: SettledInvoice) => unknown,
): Mutant => mutant(`issuance-callback.${what}`, [clause], 'issuanceCallback', { body: change });

/** Whether a company is another than the first for which that application issued. */
function isSecondCompany(): (invoice: Pick<Invoice, 'appKey' | 'empresaId'>) => boolean {
  const first = new Map<string, string>();
  return ({ appKey, empresaId }) => {
    if (!first.has(appKey)) first.set(appKey, empresaId);
    return first.get(appKey) !== empresaId;
  };
}

/** The link in the callbacks of one class of invoices leads nowhere. */
function deadLinks(what: string, isOf: (invoice: SettledInvoice) => boolean): Mutant {
  return called(what, 'issuance-callback.xml-link-alive', (result, invoice) => {
    return isOf(invoice) ? { ...result, nfeLinkXml: result.nfeLinkXml.replace(/\.xml$/, 'x.xml') } : result;
  });
}

/** Nobody is called back for an invoice that waited while the secret was rotated. */
function lostWhileWaiting(): Mutant {
  const issued = new Set<string>();
  const lost = new Set<string>();
  const { id, breaks, rules } = endpointMutant(
    'issuance-callback.lost-by-a-rotation-meanwhile',
    ['issuance-callback.called-back-when-authorised'],
    'nfe-issuance',
    (request, context, answer) => {
      issued.add(String(parseJsonObject(request.rawBody)?.['id']));
      return answer(request, context);
    },
  );
  const secretsAfterRotation: typeof token.secretsAfterRotation = (old, fresh) => {
    issued.forEach((nfeId) => lost.add(nfeId));
    return token.secretsAfterRotation(old, fresh);
  };
  const isCalledBack: typeof issuanceCallback.isCalledBack = ({ nfeId }) => !lost.has(nfeId);
  return {
    id,
    breaks,
    rules: {
      ...rules,
      token: { ...token, secretsAfterRotation },
      issuanceCallback: { ...issuanceCallback, isCalledBack },
    },
  };
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

/** All addresses of an application get the token that was registered last. */
function oneToken(): Mutant {
  const last = new Map<string, string>();
  const { id, breaks, rules } = endpointMutant(
    'issuance-callback.last-token-for-all',
    ['issuance-callback.token'],
    'webhook-registration',
    (request, context, answer) => {
      const token = parseJsonObject(request.rawBody)?.['token'];
      if (typeof token === 'string') last.set(context.application?.appKey ?? '', token);
      return answer(request, context);
    },
  );
  const token = (outgoing: Outgoing): string | undefined =>
    webhookDeliveryRules.token(outgoing) && last.get(outgoing.appKey);
  return { id, breaks, rules: { ...rules, webhookDelivery: { ...webhookDeliveryRules, token } } };
}

/** What was said of a denial is said again of what the application issues afterwards. */
function afterDenial(): readonly Mutant[] {
  const { motivo, xmlLink } = referenceRules.issuanceCallback;
  const motivos = new Map<string, string>();
  const denied = new Set<string>();
  return [
    mutant(
      'issuance-callback.motivo-of-the-last-denial',
      ['issuance-callback.no-motivo-when-authorised'],
      'issuanceCallback',
      {
        motivo(invoice) {
          if (motivo(invoice) !== '') motivos.set(invoice.appKey, motivo(invoice));
          return motivos.get(invoice.appKey) ?? '';
        },
      },
    ),
    mutant('issuance-callback.no-link-after-a-denial', ['issuance-callback.xml-link'], 'issuanceCallback', {
      xmlLink(invoice, link) {
        if (invoice.settlement.outcome === 'Negada') denied.add(invoice.appKey);
        return denied.has(invoice.appKey) ? '' : xmlLink(invoice, link);
      },
    }),
  ];
}

/** A callback names the company that had its id first. */
function companyById(): Mutant {
  const first = new Map<string, string>();
  return mutant('issuance-callback.company-by-id-alone', ['issuance-callback.empresa-id'], 'issuanceCallback', {
    body(result) {
      const empresaId = first.get(result.nfeId) ?? result.empresaId;
      first.set(result.nfeId, empresaId);
      return { ...result, empresaId };
    },
  });
}

const isSecondForDenials = isSecondCompany();
const isSecondForLinks = isSecondCompany();

/** Callbacks that are wrong of some invoices only, or tell of one what is another's. */
export const someCallbackMutants: readonly Mutant[] = [
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
  oneToken(),
  ...afterDenial(),
  companyById(),
  lostWhileWaiting(),
];
