import type { ExchangeEvidence } from '../../schemas/results.ts';
import type { Signing } from '../../schemas/evidence.ts';

/** What masks put in the place of the secrets of applications that the suite made itself. */
export const ownSecrets: readonly string[] = ['$APP_SECRET', '$NEW_APP_SECRET'];

/** A secret is masked by the name of a variable, with an underscore: `$NFE_APP_SECRET`. */
const secretName = /\$[A-Z]+(?:_[A-Z]+)+/g;
/** What is masked without being a secret has the name of the field it was in, in the field's letter case: `$CEP`, `$nome`. */
const dataName = /^\$[A-Za-z]+$/;

/** The variable that holds what the mask's name stands for; `NFE_APP_SECRET` for applications of the suite's own. */
export function variableOf(name: string): string {
  const isName = name.match(secretName)?.[0] === name;
  return isName && !ownSecrets.includes(name) ? name.slice(1) : 'NFE_APP_SECRET';
}

/** The names of secrets in a request, beside a token made of the caller's. */
export function hiddenNames({ hidden = [], token }: Signing): string[] {
  const inToken = 'text' in token ? (token.text.match(secretName) ?? []) : [];
  const inRequest = hidden.filter((name) => name.match(secretName)?.[0] === name);
  return [...new Set([...inToken, ...inRequest])];
}

/** The names of what is masked in a request without being a secret: somebody's data, the token of a link. */
export function maskedData({ hidden = [] }: Signing): string[] {
  return [...new Set(hidden.filter((name) => dataName.test(name)))];
}

type Request = ExchangeEvidence['request'];

/** What was hashed for the `sign` header, where there is such a header and it was made of a digest. */
export function sentDigest(request: Request, { digest }: Signing): Signing['digest'] {
  return isSent(request, 'sign') ? digest : undefined;
}

/** Tells of `token`, `path`, `body` and `sign` whether the request needs them: as a header, or in what is hashed. */
export function usesOf(request: Request, signing: Signing): (name: 'token' | 'path' | 'body' | 'sign') => boolean {
  const { hash = '', of = [] } = sentDigest(request, signing) ?? {};
  return (name) =>
    isSent(request, name) ||
    of.some((piece) => ('sent' in piece && piece.sent === name) || name in piece) ||
    (name === 'token' && hash.startsWith('hmac'));
}

/** Whether the request can't be made without the caller's secret. */
export function needsSecret(request: Request, signing: Signing): boolean {
  const isOfSecret = !('text' in signing.token) && !('madeUp' in signing.token);
  return isOfSecret && usesOf(request, signing)('token');
}

function isSent({ headers }: Request, name: string): boolean {
  return headers.some(([own]) => own?.toLowerCase() === name);
}
