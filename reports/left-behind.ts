import type { LeftBehind } from '../contract/endpoints.ts';
import type { Results } from '../schemas/results.ts';
import { counted, type Language } from './language.ts';
import { summaryWords } from './summary-words.ts';

/** What stays at a target in the words of each language: companies, invoices and addresses, which are what somebody finds there. */
const words = {
  en: {
    companies: ['company', 'companies'],
    invoices: ['invoice', 'invoices'],
    addresses: ['address', 'addresses'],
    cancelled: ['cancelled', 'cancelled'],
    certificates: ['certificate', 'certificates'],
    nothing: 'nothing',
  },
  'pt-BR': {
    companies: ['empresa', 'empresas'],
    invoices: ['nota', 'notas'],
    addresses: ['endereço', 'endereços'],
    cancelled: ['cancelada', 'canceladas'],
    certificates: ['certificado', 'certificados'],
    nothing: 'nada',
  },
} as const;

/** What was left behind, in one line: "2 companies, 31 invoices (8 cancelled), 1 address"; certificates where told to, or others. */
export function leftText(left: LeftBehind, language: Language = 'en', hasCertificates = false): string {
  const { nothing, ...nouns } = words[language];
  const of = (count: number, [one, many]: readonly [string, string]): string => counted(count, one, many, language);
  const cancelled = left.cancellations === 0 ? '' : ` (${of(left.cancellations, nouns.cancelled)})`;
  const parts = [
    ...(left.companies === 0 ? [] : [of(left.companies, nouns.companies)]),
    // Each company that is registered is given one; only one that was there before makes a difference.
    ...(left.certificates === (hasCertificates ? 0 : left.companies)
      ? []
      : [of(left.certificates, nouns.certificates)]),
    ...(left.invoices + left.cancellations === 0 ? [] : [`${of(left.invoices, nouns.invoices)}${cancelled}`]),
    ...(left.addresses === 0 ? [] : [of(left.addresses, nouns.addresses)]),
  ];
  return parts.length === 0 ? nothing : parts.join(', ');
}

/** The same as a line of a summary; `undefined` where nobody will find anything: a simulator may have ended with its run. */
export function leftLine({ target, sideEffects }: Results, language: Language = 'en'): string | undefined {
  const isFound = target.kind === 'sandbox' && sideEffects && Object.values(sideEffects).some((count) => count > 0);
  return isFound ? `${summaryWords[language].leftAtTarget}: ${leftText(sideEffects, language)}.` : undefined;
}
