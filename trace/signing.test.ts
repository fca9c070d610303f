import { describe, expect, test } from 'vitest';
import type { Draft } from '../contract/request.ts';
import { maskFor } from './mask.ts';
import { partsOf, signedRequest, stringToSign, type SignedRequest } from '../client/sign.ts';
import type { Signing } from '../schemas/evidence.ts';
import { signingOf, isRightlySigned, nowAt, signingFactsOf, type SigningFacts } from './signing.ts';

describe('signing', () => {
  const secret = 'signing-canary-Secret-0123456789';
  const pairs = [[secret, '$NFE_APP_SECRET']] as const;
  const mask = maskFor(new Map(pairs));
  const nowSeconds = 1_700_000_000;

  function signingWith(change: Partial<Draft> | ((draft: Draft) => Draft), hide = mask): Signing | undefined {
    const rawBody = Buffer.from('{"message":"a\r\nb"}');
    const call = { method: 'POST', path: '/openapi/demo/echo', query: 'a=b', rawBody };
    const origin = { appSecret: secret, nowSeconds };
    const draft: Draft = { call, token: secret, timestamp: String(nowSeconds), origin };
    const request = signedRequest(typeof change === 'function' ? change(draft) : { ...draft, ...change });
    return signingOf(request, hide, Infinity);
  }

  const itself = { between: ['', ''] };
  const now = { clock: 'seconds', offsetSeconds: 0 };
  const rightPieces = [{ sent: 'token' }, { sent: 'path' }, { sent: 'body' }, { sent: 'timestamp' }];

  test('a right request is told as the four ingredients, their MD5 and the present', () => {
    expect(signingWith({})).toEqual({
      secret: '$NFE_APP_SECRET',
      token: itself,
      timestamp: [now],
      digest: { hash: 'md5', of: rightPieces },
      sign: itself,
    });
  });

  test('a link that was followed, which nobody signed, has no signing', () => {
    const parts = { token: '', path: '/a.xml', body: Buffer.alloc(0), timestamp: '' };
    expect(signingOf({ method: 'GET', target: '/a.xml', headers: [], parts }, mask, Infinity)).toBeUndefined();
  });

  test('a path with a question mark has none: which part of it was signed does not show', () => {
    expect(signingWith({ call: { method: 'GET', path: '/openapi/x?y' } })).toBeUndefined();
  });

  test('a body that is not signed is no piece of what was hashed', () => {
    const call = { method: 'GET', path: '/openapi/nfe/x' };
    expect(signingWith({ call })?.digest?.of).toEqual([{ sent: 'token' }, { sent: 'path' }, { sent: 'timestamp' }]);
  });

  describe('the timestamp is told by the caller’s clock', () => {
    test.each([
      ['an hour behind', String(nowSeconds - 3600), [{ clock: 'seconds', offsetSeconds: -3600 }]],
      ['ten years ahead', String(nowSeconds + 315_360_000), [{ clock: 'seconds', offsetSeconds: 315_360_000 }]],
      ['in milliseconds', `${nowSeconds}123`, [now, { text: '123' }]],
      ['with a plus sign', `+${nowSeconds}`, [{ text: '+' }, now]],
      ['with a fraction', `${nowSeconds}.5`, [now, { text: '.5' }]],
      ['in hex', `0x${nowSeconds.toString(16)}`, [{ text: '0x' }, { clock: 'hex', offsetSeconds: 0 }]],
      ['as an ISO-8601 time', '2023-11-14T22:13:20.000Z', [{ clock: 'iso', offsetSeconds: 0 }]],
      ['as an HTTP date', 'Tue, 14 Nov 2023 22:13:20 GMT', [{ clock: 'http-date', offsetSeconds: 0 }]],
      ['as a word', 'now', [{ text: 'now' }]],
    ])('%s', (_, timestamp, pieces) => {
      expect(signingWith({ timestamp })?.timestamp).toEqual(pieces);
    });
  });

  describe('the sign is told by the digest', () => {
    const changed = (right: string): string => `${right.slice(0, 5)}${right[5] === '0' ? '1' : '0'}${right.slice(6)}`;
    test.each<[string, (right: string) => string, object]>([
      ['in upper case', (right) => right.toUpperCase(), { as: 'upper-case' }],
      ['cut', (right) => right.slice(0, -1), { dropStart: 0, dropEnd: 1 }],
      ['with a character changed', changed, { changedAt: 5 }],
      ['behind 0x', (right) => `0x${right}`, { between: ['0x', ''] }],
      ['twice', (right) => right + right, { between: ['', '', ''] }],
    ])('%s', (_, make, form) => {
      expect(signingWith({ sign: make })).toMatchObject({ digest: { hash: 'md5', of: rightPieces }, sign: form });
    });

    test('but for one that was not made of it: it is a text', () => {
      const signing = signingWith({ sign: () => '0'.repeat(32) });
      expect(signing?.sign).toEqual({ text: '0'.repeat(32) });
      expect(signing).not.toHaveProperty('digest');
    });
  });

  describe('what was hashed in the place of the string to sign', () => {
    const hashing = (text: (token: string) => string) => ({ hashed: Buffer.from(text(secret)) });
    test.each<[string, Partial<Draft>, object[]]>([
      [
        'with the query string',
        hashing((token) => `${token}/openapi/demo/echo?a=b{"message":"ab"}${nowSeconds}`),
        [{ sent: 'token' }, { sent: 'path' }, { text: '?a=b' }, { sent: 'body' }, { sent: 'timestamp' }],
      ],
      [
        'in another order',
        hashing((token) => `${nowSeconds}{"message":"ab"}/openapi/demo/echo${token}`),
        [...rightPieces].toReversed(),
      ],
      [
        'with the token in upper case',
        hashing((token) => `${token.toUpperCase()}/x`),
        [{ token: 'upper-case' }, { text: '/x' }],
      ],
      ['of bytes that are no UTF-8', { hashed: Buffer.from([0xff, 0xfe]) }, [{ base64: '//4=' }]],
    ])('is told in pieces: %s', (_, change, of) => {
      expect(signingWith(change)?.digest).toEqual({ hash: 'md5', of });
    });

    test('has the other second by the clock', () => {
      const other = (draft: Draft): Draft => ({
        ...draft,
        hashed: stringToSign(partsOf({ ...draft, timestamp: String(nowSeconds + 1) })),
      });
      expect(signingWith(other)?.digest?.of.at(-1)).toEqual({ clock: 'seconds', offsetSeconds: 1 });
    });

    test.each([
      ['another secret', (token: string) => `${token}/x`, new Map([[`${secret}/x`, '$OTHER']])],
      ['a secret that the mask knows', () => 'webhook-0815', new Map([['webhook-0815', '$WEBHOOK_TOKEN']])],
      ['most of the token', (token: string) => token.slice(0, -3), new Map<string, string>()],
      ['most of the token in upper case', (token: string) => token.slice(3).toUpperCase(), new Map<string, string>()],
    ])('is not told where %s would show', (_, text, others) => {
      const hide = maskFor(new Map([...others, [secret, '$NFE_APP_SECRET']]));
      const signing = signingWith({ hashed: Buffer.from(text(secret)) }, hide);
      expect(signing).not.toHaveProperty('digest');
      expect(signing?.sign).toHaveProperty('text');
    });
  });

  describe('the token is told by the secret', () => {
    test.each<[string, string, object]>([
      ['in upper case', secret.toUpperCase(), { as: 'upper-case' }],
      ['behind the word Bearer', `Bearer ${secret}`, { between: ['Bearer ', ''] }],
      ['without its first character', secret.slice(1), { dropStart: 1, dropEnd: 0 }],
      ['with its last character changed', `${secret.slice(0, -1)}X`, { changedAt: secret.length - 1 }],
      ['of nobody', 'token-that-nobody-was-given', { madeUp: 27 }],
      ['of one character of it', 'g', { madeUp: 1 }],
    ])('%s', (_, token, form) => {
      const signing = signingWith({ token }, maskFor(new Map([[secret, '$NFE_APP_SECRET']])));
      expect(signing?.token).toEqual(form);
      expect(JSON.stringify(signing)).not.toMatch(/canary/i);
    });

    test('that is another secret which begins like it is its name, and what follows does not show', () => {
      const hide = maskFor(new Map([...pairs, [`${secret}-and-more`, '$OTHER']]));
      expect(signingWith({ token: `${secret}-and-more` }, hide)?.token).toEqual({ text: '$OTHER' });
    });

    test('twice, as a list, is told by it, though a mask knows the list as another token', () => {
      const list = `${secret}, ${secret}`;
      const hide = maskFor(new Map([...pairs, [list, '(another token of 34 characters)']]));
      expect(signingWith({ token: list }, hide)?.token).toEqual({ between: ['', ', ', ''] });
    });

    test('that is another secret is its name', () => {
      const hide = maskFor(new Map([['old-secret-of-it', '$APP_SECRET']]));
      expect(signingWith({ token: 'old-secret-of-it' }, hide)?.token).toEqual({ text: '$APP_SECRET' });
    });
  });

  test('names of what is hidden in the request are listed, names that were sent are not', () => {
    const rawBody = Buffer.from('{"url":"https://host/hook-canary","text":"$OWN_TEXT"}');
    const call = { method: 'POST', path: '/openapi/x', rawBody };
    const hide = maskFor(new Map([['hook-canary', '$WEBHOOK_TOKEN']]));
    expect(signingWith({ call }, hide)?.hidden).toEqual(['$WEBHOOK_TOKEN']);
  });

  test.each(['$CEP', '$Cep', '$cep', '$linkToken'])('the name %s of masked data is listed as it is written', (name) => {
    const rawBody = Buffer.from('<a>somebody</a>');
    const call = { method: 'POST', path: '/openapi/x', rawBody };
    const hide = maskFor(
      new Map([
        [secret, '$NFE_APP_SECRET'],
        ['somebody', name],
      ] as const),
    );
    expect(signingWith({ call }, hide)?.hidden).toEqual([name]);
  });

  test('a sign of the right parts under a token header that is missing is told as well', () => {
    const signing = signingWith((draft) => ({ ...draft, omit: ['token'] }));
    expect(signing).toMatchObject({ sign: itself, digest: { of: rightPieces } });
  });
});

describe('signing facts', () => {
  const nowSeconds = 1_790_000_000;
  const origin = { appSecret: 'the-secret', formerSecrets: ['the-former-one'], nowSeconds };

  function requestOf(draft: Partial<Draft> = {}): SignedRequest {
    const call = { method: 'GET', path: '/openapi/v2/empresas/e-1/nf-e/n-1' };
    return signedRequest({ call, token: 'the-secret', timestamp: String(nowSeconds), origin, ...draft });
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
        factsWith([['timestamp', String(nowSeconds + 1)]], { omit: ['timestamp'] }),
        { isSignOfSent: false, aheadSeconds: 1 },
      ],
      [
        'a timestamp may be ahead',
        signingFactsOf(requestOf({ timestamp: String(nowSeconds + 400) })),
        { aheadSeconds: 400 },
      ],
    ])('%s', (_, facts, wrong) => {
      expect(facts).toMatchObject(wrong);
      expect(isRightlySigned(facts)).toBe(false);
    });

    test.each(['', 'abc', ` ${nowSeconds}`, `0${nowSeconds}`, `${nowSeconds}.0`, '-1', '1e9', '9'.repeat(13)])(
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
      expect([nowAt(going, 10_000), nowAt(going, 11_999), nowAt(going, 12_000)]).toEqual([
        nowSeconds,
        nowSeconds + 1,
        nowSeconds + 2,
      ]);
      expect(signingFactsOf(requestOf({ origin: going }), 70_000)).toMatchObject({ aheadSeconds: -60 });
    });

    test('stands still where nobody says when the request was made', () => {
      expect(nowAt(origin, 99_000)).toBe(nowSeconds);
      expect(nowAt({ ...origin, madeAtMs: 10_000 })).toBe(nowSeconds);
    });
  });
});
