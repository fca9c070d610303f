import { type Variant, withTopic } from './variant.ts';

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
