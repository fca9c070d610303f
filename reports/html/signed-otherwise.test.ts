import { expect, test } from 'vitest';
import type { ExchangeEvidence } from '../../schemas/results.ts';
import type { Signing } from '../../schemas/evidence.ts';
import { sampleExchange } from '../sample-run.ts';
import { signedOtherwise } from './signed-otherwise.ts';

const [token, path, body, timestamp] = (['token', 'path', 'body', 'timestamp'] as const).map((sent) => ({ sent }));
const all = [token, path, body, timestamp].filter((piece) => piece !== undefined);
const asIs: Signing['sign'] = { between: ['', ''] };
const sample = sampleExchange();

function signedBy(change: Pick<Signing, 'digest' | 'sign'>, rest: Partial<ExchangeEvidence> = {}): ExchangeEvidence {
  const { secret = '', token: form = asIs, timestamp: times = [] } = sample.signing ?? {};
  return { ...sample, ...rest, signing: { secret, token: form, timestamp: times, ...change } };
}

function hashedOf(of: NonNullable<Signing['digest']>['of']): Pick<Signing, 'digest' | 'sign'> {
  return { digest: { hash: 'md5', of }, sign: asIs };
}

/** What is said in a language, without markup; `undefined` where nothing is. */
function words(exchange: ExchangeEvidence, language = 'en'): string | undefined {
  const html = signedOtherwise(exchange)?.html;
  const own = html?.split(/<span lang="(?=en|pt-BR)/).find((piece) => piece.startsWith(`${language}"`));
  return own
    ?.replace(/^[^>]*>/, '')
    .replace(/<[^>]*>/g, '')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
}

/** The sample with other text in its string to sign, without a body in it. */
const bodyless: Partial<ExchangeEvidence> = {
  stringToSign: {
    text: '$X/p1',
    encoding: 'utf-8',
    bytes: 5,
    parts: [
      { name: 'token', length: 2 },
      { name: 'path', length: 2 },
      { name: 'body', length: 0 },
      { name: 'timestamp', length: 1 },
    ],
  },
};

test('of a request that was signed by the contract nothing is said', () => {
  expect(signedOtherwise(sample)).toBeUndefined();
  expect(signedOtherwise(signedBy(hashedOf(all.filter((piece) => piece !== body)), bodyless))).toBeUndefined();
});

test('of a delivery, and of a request whose signing is not known, nothing is said', () => {
  const { signing: _, ...unknown } = sample;
  expect(signedOtherwise(unknown)).toBeUndefined();
  expect(signedOtherwise({ ...signedBy(hashedOf([])), received: true })).toBeUndefined();
});

test('a body that is there and was not hashed is told', () => {
  const left = all.filter((piece) => piece !== body);
  const said = 'Signed otherwise on purpose: the sign sent is the MD5 of token + path + timestamp.';
  expect(words(signedBy(hashedOf(left)))).toBe(said);
  const base64 = { stringToSign: { text: '/w==', encoding: 'base64', bytes: 1 } } as const;
  expect(words(signedBy(hashedOf(left), base64))).toBe(said);
});

test('the same ingredients in another order are told', () => {
  expect(words(signedBy(hashedOf(all.toReversed())))).toMatch(/the MD5 of timestamp \+ body \+ path \+ token\.$/);
});

test('pieces that are not the request’s are named in their order, text as it was', () => {
  const of = [...all.toReversed(), { text: ' <\n>  x' }, { base64: '/w==' }, { token: 'md5' } as const];
  const change = hashedOf([...of, { clock: 'iso', offsetSeconds: -60 }]);
  expect(words(signedBy(change))).toBe(
    'Signed otherwise on purpose: the sign sent is the MD5 of timestamp + body + path + token + “ <\\n>  x” + ' +
      'the bytes in base64 “/w==” + the MD5 of the token + the sender’s time − 60 s in ISO 8601.',
  );
  expect(words(signedBy(change), 'pt-BR')).toMatch(
    /^Assinada de outro modo, de propósito: .*os bytes em base64 “\/w==” \+ o MD5 do token \+ a hora de quem envia − 60 s em/,
  );
  expect(words(signedBy(hashedOf([])))).toMatch(/the MD5 of no bytes\.$/);
});

test.each([
  ['md5-of-md5', 'the MD5 of the hex MD5 of token'],
  ['sha256', 'the SHA-256 of token'],
  ['hmac-md5', 'the HMAC-MD5, keyed with the token, of token'],
] as const)('the hash %s is called by its name', (hash, name) => {
  expect(words(signedBy({ digest: { hash, of: all }, sign: asIs }))).toContain(`the sign sent is ${name} + path`);
});

test.each<[Signing['sign'], string]>([
  [{ as: 'upper-case' }, ', in upper case'],
  [{ as: 'bytes-reversed' }, ', its bytes in reverse order'],
  [{ between: ['0x', ''] }, ', written as “0x” + digest'],
  [{ between: ['', '', ''] }, ', written as digest + digest'],
  [{ dropStart: 0, dropEnd: 16 }, ', without its first 0 and its last 16 characters'],
  [{ changedAt: 27 }, ', with character 28 changed'],
])('a sign that was made of the right digest by %j is told', (sign, said) => {
  expect(words(signedBy({ digest: { hash: 'md5', of: all }, sign }))).toBe(
    `Signed otherwise on purpose: the sign sent is the MD5 of token + path + body + timestamp${said}.`,
  );
});

test.each<[Signing['sign'], string]>([
  [{ text: '0000' }, 'the text “0000”'],
  [{ text: '' }, 'an empty text'],
  [{ madeUp: 9 }, '9 characters that are not shown'],
])('a sign %j of no digest is told', (sign, said) => {
  expect(words(signedBy({ sign }))).toBe(
    `Signed otherwise on purpose: the sign sent is no digest of this string, but ${said}.`,
  );
});

test('a request that was sent without a sign is told', () => {
  const { request } = sample;
  const unsigned = { ...signedBy({ sign: { text: '' } }), request: { ...request, headers: [] } };
  expect(words(unsigned)).toBe('On purpose, the request was sent without a sign.');
});

test('a text longer than a sentence can hold is cut, and says how long it was', () => {
  const said = words(signedBy({ sign: { text: 'x'.repeat(5000) } }));
  expect(said).toMatch(/“x{1000}”… \(5,000 characters in all\)\.$/);
});
