import { describe, expect, test } from 'vitest';
import { signedRequest, type SignedRequest } from '../client/sign.ts';
import type { Draft } from '../contract/request.ts';
import { isRightlySigned, nowAt, signingFactsOf, type SigningFacts } from './signing-facts.ts';

const now = 1_790_000_000;
const origin = { appSecret: 'the-secret', formerSecrets: ['the-former-one'], nowSeconds: now };

function requestOf(draft: Partial<Draft> = {}): SignedRequest {
  const call = { method: 'GET', path: '/openapi/v2/empresas/e-1/nf-e/n-1' };
  return signedRequest({ call, token: 'the-secret', timestamp: String(now), origin, ...draft });
}

/** The facts of a request with such headers besides, or in place of its own. */
function factsWith(headers: SignedRequest['headers'], draft: Partial<Draft> = {}): SigningFacts | undefined {
  const request = requestOf(draft);
  return signingFactsOf({ ...request, headers: [...request.headers, ...headers] });
}

const right: SigningFacts = { missing: [], repeated: [], isOwnToken: true, aheadSeconds: 0, isSignOfSent: true };

describe('how a request was signed', () => {
  test('is right where all three headers are those of its caller', () => {
    expect(signingFactsOf(requestOf())).toEqual(right);
    expect(isRightlySigned(right)).toBe(true);
  });

  test('is not known where nobody signed it', () => {
    const { origin: _, ...unsigned } = requestOf();
    expect(signingFactsOf(unsigned)).toBe(undefined);
    expect(isRightlySigned(undefined)).toBe(false);
  });

  test.each<[string, SigningFacts | undefined, Partial<SigningFacts>]>([
    ['a header that is left out is missing', signingFactsOf(requestOf({ omit: ['sign'] })), { missing: ['sign'] }],
    ['one that is empty is missing', signingFactsOf(requestOf({ token: '' })), { missing: ['token'] }],
    ['one that is sent twice is repeated, in whatever case', factsWith([['TOKEN', 'x']]), { repeated: ['token'] }],
    ['a token of nobody is not his own', signingFactsOf(requestOf({ token: 'x' })), { isOwnToken: false }],
    [
      'nor is one that was rotated away, which is told apart',
      signingFactsOf(requestOf({ token: 'the-former-one' })),
      { isOwnToken: false, isFormerToken: true },
    ],
    [
      'a sign in capitals is not that of what was sent',
      signingFactsOf(requestOf({ sign: (digest) => digest.toUpperCase() })),
      { isSignOfSent: false },
    ],
    [
      'a sign by another timestamp is not either',
      factsWith([['timestamp', String(now + 1)]], { omit: ['timestamp'] }),
      { isSignOfSent: false, aheadSeconds: 1 },
    ],
    ['a timestamp may be ahead', signingFactsOf(requestOf({ timestamp: String(now + 400) })), { aheadSeconds: 400 }],
  ])('%s', (_, facts, wrong) => {
    expect(facts).toMatchObject(wrong);
    expect(isRightlySigned(facts)).toBe(false);
  });

  test.each(['', 'abc', ` ${now}`, `0${now}`, `${now}.0`, '-1', '1e9', '9'.repeat(13)])(
    'tells no distance of a timestamp that is not plain decimal: "%s"',
    (timestamp) => {
      const facts = signingFactsOf(requestOf({ timestamp }));
      expect(facts).not.toHaveProperty('aheadSeconds');
      expect(isRightlySigned(facts)).toBe(false);
    },
  );

  test.each([
    [-60, true],
    [60, true],
    [-61, false],
    [61, false],
  ])(
    'is right at %i s from the clock of its caller, since a request waits for its turn: %s',
    (aheadSeconds, isRight) => {
      expect(isRightlySigned({ ...right, aheadSeconds })).toBe(isRight);
    },
  );
});

describe('the clock of a caller', () => {
  test('goes on by whole seconds while a request waits to be sent', () => {
    const going = { ...origin, madeAtMs: 10_000 };
    expect([nowAt(going, 10_000), nowAt(going, 11_999), nowAt(going, 12_000)]).toEqual([now, now + 1, now + 2]);
    expect(signingFactsOf(requestOf({ origin: going }), 70_000)).toMatchObject({ aheadSeconds: -60 });
  });

  test('stands still where nobody says when the request was made', () => {
    expect(nowAt(origin, 99_000)).toBe(now);
    expect(nowAt({ ...origin, madeAtMs: 10_000 })).toBe(now);
  });
});
