import { chavePart, type ChavePart, impossiblePart, isAnyChave } from '../documents/tax-numbers.ts';
import type { RequestFacts } from '../http/request-facts.ts';
import type { Findings, Verdict, Application, AuthorityRecord } from '../model.ts';
import type { BodyFault, BodyRules } from '../rules/nfe-verification.ts';
import type { NfeDocument } from './document.ts';
import type { ServiceParts } from '../service.ts';

/** What is found in the document that a request brings; or why there is nothing to judge. */
export async function examine(
  { rawBody, isBodyTooLarge }: Pick<RequestFacts, 'rawBody' | 'isBodyTooLarge'>,
  { largestBytes, isEmpty, decode, scan, isChave }: BodyRules,
): Promise<Findings | { readonly refusal: BodyFault }> {
  if (isBodyTooLarge || rawBody.length > largestBytes) return { refusal: 'tooLarge' };
  if (isEmpty(rawBody)) return { refusal: 'empty' };
  const text = decode(rawBody);
  if (text === undefined) return { refusal: 'encoding' };
  const refusal = scan(text);
  return refusal ? { refusal } : findingsOf(text, isChave);
}

async function findingsOf(
  text: string,
  isChave: BodyRules['isChave'],
): Promise<Findings | { readonly refusal: BodyFault }> {
  // Loaded with the first document: its parser would slow down every start.
  const { readDocument } = await import('./document.ts');
  const document = readDocument(text);
  if (typeof document === 'string') return { refusal: document };
  if (!isChave(document.chave)) return { refusal: 'withoutChave' };
  const { chave, protocols, signatures } = document;
  const [protocol] = protocols;
  const [signature] = signatures;
  const fault = documentFault(document);
  return {
    chave,
    ...(fault === undefined ? {} : { fault }),
    ...(signature ? { digestValue: signature.digestValue } : {}),
    ...(protocol ? { protocol } : {}),
  };
}

/** The first thing that is wrong with a document by itself, as stable English text; `undefined` for nothing. Section 2.4. */
export function documentFault(document: NfeDocument): string | undefined {
  for (const reasonOf of checks) {
    const reason = reasonOf(document);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

const checks: readonly ((document: NfeDocument) => string | undefined)[] = [
  ({ layout }) => layoutFault(layout),
  ({ chave }) => (isAnyChave(chave) ? undefined : 'The check digit of the access key is wrong.'),
  ({ chave }) => {
    const part = impossiblePart(chave);
    return part && `The access key holds an impossible ${part}.`;
  },
  (document) => {
    const part = foreignPart(document);
    return part && `The ${part} in the access key is not the one in the invoice.`;
  },
  ({ signatures }) => (signatures.length > 0 ? undefined : 'The invoice is not signed.'),
  ({ signatures }) => (signatures.length > 1 ? 'The invoice has more than one Signature.' : undefined),
  ({ signatures: [signature] }) => signature?.fault,
  ({ protocols }) => (protocols.length > 1 ? 'The document has more than one protocol.' : undefined),
  ({ protocols: [protocol], chave }) =>
    !protocol || protocol.chave === chave ? undefined : 'The protocol is of another invoice.',
  ({ protocols: [protocol], signatures: [signature] }) =>
    !protocol?.digestValue || protocol.digestValue === signature?.digestValue
      ? undefined
      : 'The digest in the protocol is not the one that was signed.',
];

/** Only 4.00 is in use, since 2018; before it other names stood where these are looked for. */
function layoutFault(layout: string): string | undefined {
  if (layout === '4.00') return undefined;
  return /^[1-3]\.\d\d$/.test(layout)
    ? 'The invoice is of a layout before 4.00.'
    : 'The layout of the invoice is not 4.00.';
}

/** The first part of the access key that the invoice itself says otherwise. */
function foreignPart({ chave, ide, issuer }: NfeDocument): ChavePart | undefined {
  const content: Readonly<Record<ChavePart, string>> = {
    cUF: ide.cUF,
    // Of the local date.
    AAMM: ide.dhEmi.slice(2, 4) + ide.dhEmi.slice(5, 7),
    CNPJ: issuer,
    mod: ide.mod,
    serie: ide.serie.padStart(3, '0'),
    nNF: ide.nNF.padStart(9, '0'),
    tpEmis: ide.tpEmis,
    cNF: ide.cNF,
    cDV: ide.cDV,
  };
  return partNames.find((part) => chavePart(chave, part) !== content[part]);
}

const partNames: readonly ChavePart[] = ['cUF', 'AAMM', 'CNPJ', 'mod', 'serie', 'nNF', 'tpEmis', 'cNF', 'cDV'];

/** The verdict on what was found, by what the authority says now. */
export function verdictOn(
  findings: Findings,
  application: Application,
  nowMs: number,
  { rules, state }: ServiceParts,
): Verdict {
  const { record: ask, outcome, time, verdict } = rules.verdict;
  const record = ask(findings, application, state);
  const { status, cStat, xMotivo, protocolo, dataAutorizacao, eventos } = record ?? unreached;
  const { validationStatus, reason } = outcome(findings, record);
  return verdict({
    chaveAcesso: findings.chave,
    validationStatus,
    status,
    cStat,
    xMotivo,
    protocolo,
    // The control API takes it in any zone.
    dataAutorizacao: dataAutorizacao === null ? null : new Date(dataAutorizacao).toISOString(),
    eventos,
    verifiedAt: time(nowMs),
    ...(reason === undefined ? {} : { reason }),
  });
}

const unreached: AuthorityRecord = {
  status: 'Desconhecida',
  cStat: null,
  xMotivo: null,
  protocolo: null,
  dataAutorizacao: null,
  eventos: [],
};
