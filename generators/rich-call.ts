import fc from 'fast-check';
import type { Call } from '../contract/request.ts';
import { jsonCall, queryCall } from './calls.ts';
import { pathSegment, queryString } from './text.ts';

/**
 * An echo call in which every wrong way to sign shows: its body has line breaks of all kinds, spaces, tabs, keys out of
 * order, escapes, accents in both Unicode forms, compatibility and astral characters and line separators, it is longer than
 * 1,024 characters, and it has a query string out of order.
 */
export function richCall(): fc.Arbitrary<Call> {
  return fc
    .record({ tail: fc.string({ unit: 'grapheme', maxLength: 40 }), query: queryString() })
    .map(({ tail, query }) => {
      const message = `Nota nº 1: pão/café, cafe\u0301, ﬁm, 😀, a\u0085b\u2028c\u2029d, ${'x'.repeat(1100)} ${tail}`;
      const lines = [
        '  {',
        '\t"zeta" :  [ 1,\r2 ],',
        `  "message" : ${JSON.stringify(`${message}\r\n\n\rfim`)},\r`,
        '  "alfa":"\\u00e9"\n\r',
        '}\n  ',
      ];
      return { ...jsonCall('echo', lines.join('\r\n')), query: `zz=1&aa=2&${query}` };
    });
}

/** A query of an invoice whose path has variables in mixed case, with a query string. */
export function richPathCall(): fc.Arbitrary<Call> {
  return fc.record({ empresaId: pathSegment(), nfeId: pathSegment(), query: queryString() }).map((values) => ({
    ...queryCall(`Ab-${values.empresaId}`, `Nf-${values.nfeId}`),
    query: `zz=1&aa=2&${values.query}`,
  }));
}
