import { createHash, createHmac } from 'node:crypto';
import type { Origin, SignedParts } from '../contract/request.ts';
import { md5, stringToSign, type SignedRequest } from '../client/sign.ts';
import type { Form, Signing } from '../schemas/evidence.ts';
import { formOf } from './form.ts';
import type { Mask } from './masking.ts';
import { hashedPieces, rightPieces, timestampPieces } from './pieces.ts';

const ingredients = ['token', 'path', 'body', 'timestamp'] as const;

/** What somebody might take for the MD5 of the string to sign; each gives lower-case hex. */
const hashes = {
  md5: (signed) => md5(signed),
  'md5-of-md5': (signed) => md5(Buffer.from(md5(signed))),
  sha1: (signed) => createHash('sha1').update(signed).digest('hex'),
  sha256: (signed) => createHash('sha256').update(signed).digest('hex'),
  'hmac-md5': (signed, token) => createHmac('md5', token).update(signed).digest('hex'),
  'hmac-sha256': (signed, token) => createHmac('sha256', token).update(signed).digest('hex'),
} as const satisfies Record<string, (signed: Buffer, token: string) => string>;

type Hash = keyof typeof hashes;
const isHash = (name: string): name is Hash => name in hashes;
const hashNames = Object.keys(hashes).filter(isHash);

/** How a request was signed; `undefined` where nobody signed it, as a link that was followed. The mask hides every secret. */
export function signingOf(request: SignedRequest, mask: Mask): Signing | undefined {
  const { parts, origin } = request;
  // Who reads the evidence takes what stands before the `?` for the path that was signed.
  if (!origin || parts.path.includes('?')) return undefined;
  const timestamp = timestampPieces(parts.timestamp, origin.nowSeconds, mask);
  if (!timestamp) return undefined;
  const hidden = hiddenIn(request, mask);
  const rest = hidden.length === 0 ? {} : { hidden };
  return {
    secret: mask(origin.appSecret),
    token:
      parts.token === origin.caller?.name ? { text: '$NFE_APP_KEY' } : tokenForm(origin.appSecret, parts.token, mask),
    timestamp,
    ...signOf(request, origin, mask),
    ...rest,
  };
}

/** What stands for a secret, with an underscore, or for somebody's data, without. */
const maskName = /\$(?:[A-Z]+(?:_[A-Z]+)+|[A-Za-z]+)/g;

/** The names that the mask puts into the request, its token and its sign aside. */
function hiddenIn({ target, headers, rawBody }: SignedRequest, mask: Mask): string[] {
  const others = headers.filter(([name]) => !/^(token|sign)$/i.test(name)).map(([, value]) => value);
  const texts = [target, ...others, rawBody?.toString('utf8') ?? ''];
  const names = texts.flatMap((text) => {
    const own = new Set(text.match(maskName));
    return (mask(text).match(maskName) ?? []).filter((name) => !own.has(name));
  });
  return [...new Set(names)];
}

function tokenForm(appSecret: string, token: string, mask: Mask): Form {
  const form = formOf(appSecret, token, mask);
  if (form) return form;
  const text = mask(token);
  return text === token || text.includes('(another token') ? { madeUp: token.length } : { text };
}

function signOf(request: SignedRequest, { nowSeconds }: Origin, mask: Mask): Pick<Signing, 'digest' | 'sign'> {
  const { parts, hashed, headers } = request;
  const sent = headers.find(([name]) => name.toLowerCase() === 'sign')?.[1] ?? '';
  const literal = { sign: { text: mask(sent) } };
  if (!hashed) return signOfParts(parts, sent, mask) ?? literal;
  const sign = formOf(md5(hashed), sent, mask);
  const of = hashedPieces(hashed, parts, nowSeconds, mask);
  return sign && of ? { digest: { hash: 'md5', of }, sign } : literal;
}

/** Of a sign that was made of the right ingredients, though perhaps by another hash or in another notation. */
function signOfParts(parts: SignedParts, sent: string, mask: Mask): Pick<Signing, 'digest' | 'sign'> | undefined {
  for (const hash of hashNames) {
    const isKeyed = hash.startsWith('hmac');
    const signed = stringToSign(isKeyed ? { ...parts, token: '' } : parts);
    const sign = formOf(hashes[hash](signed, parts.token), sent, mask);
    const of = rightPieces(parts, isKeyed ? ingredients.slice(1) : ingredients);
    if (sign) return { digest: { hash, of }, sign };
  }
  return undefined;
}
