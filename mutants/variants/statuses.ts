import type { EndpointName } from '../../contract/endpoints.ts';
import { withSettings } from '../../simulator/settings.ts';
import { all, extended, type Variant, withRepliesOf, withTopic } from './variant.ts';

/** Another status for refusals of some endpoints, where the contract leaves it open. */
function refusing(what: string, names: readonly EndpointName[], from: readonly number[], status: number): Variant {
  return {
    id: `variant.${what}`,
    change: withRepliesOf(names, (reply) => (from.includes(reply.status) ? { ...reply, status } : reply)),
  };
}

const lookups = ['cnpj-lookup', 'cpf-lookup'] as const;
const early = ['echo', 'empresa-registration', 'certificado-association', 'webhook-registration'] as const;
const invoices = ['nfe-issuance', 'nfe-query', 'nfe-cancellation'] as const;

/** Other codes of endpoint errors. */
function coded(what: string, code: (code: string | number) => unknown, codigo: unknown): Variant {
  return {
    id: `variant.codes-${what}`,
    unlike: ['chave-lookup.unknown-code'],
    change: all(
      withTopic('codeMessage', ({ body }) => ({
        body: (right, message) => extended(body(right, message), { code: code(right) }),
      })),
      withTopic('faults', ({ body }) => ({
        body(faults) {
          const made = body(faults);
          return Array.isArray(made) ? made.map((fault: unknown) => extended(fault, { codigo })) : made;
        },
      })),
    ),
  };
}

/** What becomes of cancelling what waits or was denied: the contract is silent. */
export const cancellationVariants: readonly Variant[] = [
  {
    id: 'variant.anything-cancelled',
    change: withTopic('nfeCancellation', ({ cancel }) => ({
      cancel: (invoice, register) =>
        invoice.settlement?.outcome === 'Autorizada' ? cancel(invoice, register) : undefined,
    })),
  },
];

/** What refusals of the endpoints are answered with. Section 7.3 and reading 18. */
export const statusVariants: readonly Variant[] = [
  { id: 'variant.denied-id-issued-again', change: (rules) => withSettings(rules, { reissueAfterDenial: true }) },
  refusing('lookups-refuse-with-422', lookups, [400, 404], 422),
  refusing('lookups-refuse-with-404', lookups, [400], 404),
  refusing('lookups-refuse-with-400', lookups, [404], 400),
  refusing('chave-unknown-409', ['chave-lookup'], [404], 409),
  refusing('chave-unknown-400', ['chave-lookup'], [404], 400),
  refusing('first-endpoints-refuse-with-422', early, [400], 422),
  refusing('first-endpoints-refuse-with-409', early, [400], 409),
  refusing('first-endpoints-refuse-with-404', early, [400], 404),
  refusing('invoices-refuse-with-400', invoices, [404], 400),
  refusing('invoices-refuse-with-404', invoices, [400], 404),
  coded('numbers', () => 4711, 17),
  coded('texts', (code) => `E-${code}`, 'E017'),
  coded('negative', () => -1, '-1'),
  {
    id: 'variant.unknown-chave-code-as-text',
    change: withTopic('codeMessage', ({ body }) => ({
      body: (code, message) => body(code === 10015004 ? '10015004' : code, message),
    })),
  },
];

/** Another way to say why an invoice was denied, of the code and the words of the authority. */
function said(what: string, say: (code: string, words: string) => string): Variant {
  return {
    id: `variant.denial-${what}`,
    change: withTopic('issuanceCallback', ({ motivo }) => ({
      motivo(invoice) {
        const right = motivo(invoice);
        const [, code, words = ''] = /^\D*(\d+)\W*(.*)$/s.exec(right) ?? [];
        return code === undefined ? right : say(code, words);
      },
    })),
  };
}

/** How `nfeMotivoStatus` is written. Section 2.3 and reading 39. */
export const denialVariants: readonly Variant[] = [
  said('in-brackets', (code, words) => `[${code}] ${words}`),
  said('in-chinese-brackets', (code, words) => `【${code}】${words}`),
  said('after-word', (code, words) => `Rejeição ${code}: ${words}`),
  said('code-last', (code, words) => `${words} (cStat ${code})`),
  said('code-last-bare', (code, words) => `${words} ${code}`),
  said('code-in-the-middle', (code, words) => `NF-e denegada; ${code}; ${words}`),
  said('without-space', (code, words) => `${code}${words}`),
  said('dashed', (code, words) => `${code}-${words}`),
  said('as-fields', (code, words) => `cStat=${code}|xMotivo=${words}`),
  said('as-json', (code, words) => JSON.stringify({ cStat: code, xMotivo: words })),
  said('as-xml', (code, words) => `<cStat>${code}</cStat><xMotivo>${words}</xMotivo>`),
  said('in-lines', (code, words) => `${code}\n${words}\n`),
  said('in-quotes', (code, words) => `“${code}” – ${words.toUpperCase()}`),
  said(
    'with-chave',
    (code, words) => `${code} - ${words} [chNFe: ${'35260911222333'.padEnd(44, '7')}][nRec:351000123456789]`,
  ),
  said('with-date', (code, words) => `04/09/2026 12:00 SEFAZ/SP ${code} ${words}`),
  said('of-four-digits', (_, words) => `Rejeição: 1024 - ${words}`),
  said('short', (code) => `${code} Rejeitada`),
];
