import fc from 'fast-check';
import type { Call } from '../contract/request.ts';
import { jsonCall, queryCall } from './calls.ts';
import { pathSegment, queryString } from './text.ts';

/*
 * Each of these calls shows certain wrong ways to sign and is plain in everything else. So a target that signs wrongly in one
 * way is accused of that way only: a body with accents in the check on line breaks would fail for its accents too.
 */

const word = (): fc.Arbitrary<string> => fc.stringMatching(/^[a-z]{1,12}$/);

/** An echo call of a word: no query, no line breaks, no spaces, ASCII only. */
export function plainCall(): fc.Arbitrary<Call> {
  return word().map((text) => jsonCall('echo', `{"message":"${text}"}`));
}

/** With a query string that is out of order. */
export function queriedCall(): fc.Arbitrary<Call> {
  return fc
    .record({ call: plainCall(), query: queryString() })
    .map(({ call, query }) => ({ ...call, query: `zz=1&aa=2&${query}` }));
}

/** With CR, LF and CRLF at both ends and between tokens. */
export function brokenCall(): fc.Arbitrary<Call> {
  return word().map((text) => jsonCall('echo', `\r\n\n{\r"message"\n:\r\n"${text}"\n\r}\r\n\n`));
}

/** With spaces and tabs at both ends and between tokens, runs of them, separators of lines and escaped line breaks. */
export function spacedCall(): fc.Arbitrary<Call> {
  return word().map((text) => jsonCall('echo', ` \t{"message" :  "${text}  a\u0085b\u2028c\u2029d\\r\\n" }\t `));
}

/** With accents in both Unicode forms, compatibility and astral characters. */
export function accentedCall(): fc.Arbitrary<Call> {
  return word().map((text) => jsonCall('echo', `{"message":"Nota nº 1: ${text} pão, cafe\u0301, ﬁm, 😀"}`));
}

/** With keys out of order, spaces, slashes and characters that need no escape escaped. */
export function writtenCall(): fc.Arbitrary<Call> {
  return word().map((text) => jsonCall('echo', `{"zeta": [1, 2], "message": "${text} a/b \\u0041", "alfa": 1.0}`));
}

/** With a body of more than 1,024 characters. */
export function longCall(): fc.Arbitrary<Call> {
  return word().map((text) => jsonCall('echo', `{"message":"${'x'.repeat(1100)}${text}"}`));
}

/** A query of an invoice whose path has variables in mixed case. */
export function variableCall(): fc.Arbitrary<Call> {
  return fc
    .record({ empresaId: pathSegment(), nfeId: pathSegment() })
    .map(({ empresaId, nfeId }) => queryCall(`Ab-${empresaId}`, `Nf-${nfeId}`));
}
