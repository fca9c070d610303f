import type { RequestFacts } from '../http/request-facts.ts';
import type { Findings } from '../model/findings.ts';
import type { BodyFault, BodyRules } from '../rules/nfe-verification.ts';
import { documentFault } from './document-faults.ts';

/** What is found in the document that a request brings; or why there is nothing to judge. */
export async function examine(
  { rawBody, isBodyTooLarge }: Pick<RequestFacts, 'rawBody' | 'isBodyTooLarge'>,
  { largestBytes, isEmpty, decode, scan }: BodyRules,
): Promise<Findings | { readonly refusal: BodyFault }> {
  if (isBodyTooLarge || rawBody.length > largestBytes) return { refusal: 'tooLarge' };
  if (isEmpty(rawBody)) return { refusal: 'empty' };
  const text = decode(rawBody);
  if (text === undefined) return { refusal: 'encoding' };
  const refusal = scan(text);
  return refusal ? { refusal } : findingsOf(text);
}

async function findingsOf(text: string): Promise<Findings | { readonly refusal: BodyFault }> {
  // Loaded with the first document: its parser would slow down every start.
  const { readDocument } = await import('./document.ts');
  const document = readDocument(text);
  if (typeof document === 'string') return { refusal: document };
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
