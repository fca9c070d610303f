/**
 * How addresses may end as they are registered: names twice, empty values, escapes in either case, a plus, a comma, a semicolon, a
 * second question mark, a long query, a slash, segments that are empty, have parameters or an escaped slash. What some clients write anew
 * and means the same is left out: an empty query, escapes of what needs none. Section 4.1, endpoint 4.
 */
export const tellingEnds = [
  '?origem=nf-e&vazio=&codigo=%c3%a7%2F%20x+y&lista=a,b;c=d&volta=/x?y=z',
  `?a=1&a=2&${'filtro=valor-de-exemplo&'.repeat(48)}fim`,
  '//nf-e;v=2,1//aviso%2Fa%2520/?a=1',
  '/nf-e/',
] as const;

/** The same that nothing on a public way writes anew: neither tunnels nor proxies. Section 4.1, endpoint 4. */
export const plainEnd = '?origem=nf-e&n=2&n=1';

/**
 * A verification token of these random bytes, 73 characters for 48 of them: it is another one where it is taken for a number, a list, or
 * text to be unescaped, escaped as HTML is, cut short or put in one case. Section 4.1, endpoint 4.
 */
export function tellingToken(random: Buffer): string {
  return `0Nf%2Fe&,${random.toString('base64')}`;
}
