import { quotedOf, type Exchange } from '../trace/exchange.ts';

/** Statuses that the gateway answers with before it reads a body: no other body mends that. Section 7.1. */
export const beforeBody: ReadonlySet<number> = new Set([401, 410, 429]);

/** What is told of a refusal in which no body had a part; `undefined` of any other answer. */
export function refusedBeforeBody({ response, isResent }: Exchange): string | undefined {
  // What came first may have been taken: no body mends that either.
  if (response && isResent)
    return `the first answer was lost on the way; the second one: ${response.status}: ${quotedOf(response)}`;
  if (!response || !beforeBody.has(response.status)) return undefined;
  return `a correct request was refused before its body was read: ${response.status}: ${quotedOf(response)}`;
}
