import type { RequestFacts } from '../http/request-facts.ts';
import type { Findings } from '../model/findings.ts';
import type { BodyFault, BodyRules } from '../rules/nfe-verification.ts';
import { documentFault } from './document-faults.ts';

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
