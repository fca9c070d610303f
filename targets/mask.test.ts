import { expect, test, describe } from 'vitest';
import { maskAt, learningOf, hidesPeople, peopleAt, withoutPeople } from './mask.ts';
import { foreignAddress } from './testing/server.ts';
import type { Arrival, Exchange } from '../trace/exchange.ts';
import { signedRequest } from '../client/sign.ts';
import { maskFor } from '../trace/mask.ts';
import { newPeople } from '../trace/people/memory.ts';

describe('mask', () => {
  const secret = 'Ab3dEf6hIj9lMn2pQr5t';
  const near = [secret.slice(0, -1), `${secret}x`, secret.toUpperCase(), `x${secret.slice(1)}`, 'abcdef', 'abcde'];
  const mask = maskAt(foreignAddress('http://127.0.0.1'), new Map([[secret, '$NFE_APP_SECRET']]), {
    tokens: [secret, ...near],
  });

  test('a token that was sent and is nearly the secret is told from the secret, and neither shows', () => {
    expect(mask(secret)).toBe('$NFE_APP_SECRET');
    for (const token of near.slice(0, -1))
      expect(mask(`"${token}"`)).toBe(`"(another token of ${token.length} characters)"`);
  });

  test('a token of five characters shows, since hiding it would blot out half a report', () => {
    expect(mask('abcde')).toBe('abcde');
  });

  test('what the target says of its application by right shows, though the secret is like it', () => {
    const credentials = { active: secret, appKey: secret.slice(0, 10) };
    const ofCaller = maskAt(
      { ...foreignAddress('http://127.0.0.1'), credentials },
      new Map([[secret, '$NFE_APP_SECRET']]),
    );
    expect(ofCaller(`{"appKey":"${credentials.appKey}"}`)).toContain(credentials.appKey);
    expect(ofCaller(secret)).toBe('$NFE_APP_SECRET');
  });
});

describe('people', () => {
  const secret = 'a-secret';
  const asIs = (text: string): string => text;

  function exchangeOf(path: string, answer: unknown, body?: unknown): Exchange {
    const rawBody = body === undefined ? {} : { rawBody: Buffer.from(JSON.stringify(body)) };
    const request = signedRequest({
      call: { method: 'POST', path, ...rawBody },
      token: secret,
      timestamp: '1700000000',
    });
    const response = { status: 200, headers: [], rawBody: Buffer.from(JSON.stringify(answer)) };
    return { request, response, durationMs: 1 };
  }

  /** A free text as it is masked once those exchanges were made. */
  function maskedAfter(exchanges: readonly Exchange[], text: string, secrets = new Map<string, string>()): string {
    const people = peopleAt(foreignAddress('http://h'));
    const learning = learningOf(people, new Map());
    for (const exchange of exchanges) learning.exchange(exchange);
    return withoutPeople(secrets.size === 0 ? asIs : maskFor(secrets), people)(text).replaceAll(/ ~[\da-z]{4}/g, '');
  }

  describe('a free text of a report on a sandbox', () => {
    test('shows nothing that evidence of an answer before it would not', () => {
      const exchange = exchangeOf('/openapi/v2/empresas', { socios: ['Ana Lima', 'Eva Reis'], doc: 39053344705 });
      expect(maskedAfter([exchange], 'actual "ANA LIMA", then Eva Reis (390), 39053344705')).toBe(
        'actual "… 8 letters", then … 8 letters (390), … 11 digits',
      );
    });

    test('shows what the suite sent, and what it sends later', () => {
      const registered = exchangeOf('/openapi/demo/echo', { empresaId: 'kx-42-canario' });
      expect(maskedAfter([registered], 'actual kx-42-canario')).toBe('actual … 13 characters');
      const used = exchangeOf('/openapi/v2/empresas/kx-42-canario/nf-e', { code: 1 });
      expect(maskedAfter([registered, used], 'actual kx-42-canario')).toBe('actual kx-42-canario');
    });

    test('shows the address that the suite registered, though an escape in it is undone where it is called', () => {
      const query = '?codigo=%c3%a7%2Fx+y&lista=a,b;c=d';
      const registered = exchangeOf('/openapi/v1/webhooks', {}, { uri: `http://h/aviso-8x${query}` });
      const people = peopleAt(foreignAddress('http://h'));
      const learning = learningOf(people, new Map());
      learning.exchange(registered);
      const called = `/aviso-8x${query.replace('%2F', '/')}`;
      const rawBody = Buffer.from('{}');
      learning.arrival({ method: 'POST', target: called, headers: [], rawBody, isTooLarge: false, arrivedAtMs: 0 });
      const text = `expected ${query}, actual ${called}`;
      expect(withoutPeople(asIs, people)(text)).toBe(text);
    });

    test('shows no piece of a called address that can be a name: three letters, or two of a script in which that is one', () => {
      const people = peopleAt(foreignAddress('http://h'));
      const rawBody = Buffer.from('{}');
      const target = '/webhooks/Eva?b=%E6%9D%8E%E6%98%8E&c=x+y';
      const arrival: Arrival = { method: 'POST', target, headers: [], rawBody, isTooLarge: false, arrivedAtMs: 0 };
      learningOf(people, new Map()).arrival(arrival);
      const shown = withoutPeople(asIs, people)(`actual ${target}`).replaceAll(/ ~[\da-z]{4}/g, '');
      expect(shown).toBe('actual /webhooks/… 3 letters?b=… 18 characters&c=x+y');
    });

    test('shows the id of the company that the suite registered', () => {
      const registered = exchangeOf('/openapi/v2/empresas', { empresaId: 'emp_Xq7-canario' });
      expect(maskedAfter([registered], 'actual emp_Xq7-canario')).toBe('actual emp_Xq7-canario');
    });

    test('keeps the words of the suite, whatever a target answers', () => {
      const text = 'there is no company with a certificate to issue for: a login or a portal stands in between';
      const exchange = exchangeOf('/openapi/demo/echo', { words: text.split(' '), name: 'certificate' });
      expect(maskedAfter([exchange], text)).toBe(text);
    });

    test('shows statuses, codes and the words of servers', () => {
      const exchange = exchangeOf('/openapi/demo/echo', { code: 10009003, situacao: 'Ativa', error: 'Bad Gateway' });
      const text = 'expected 200, actual 401, code 10009003 (Bad Gateway), Ativa';
      expect(maskedAfter([exchange], text)).toBe(text);
    });

    test('shows nothing of what stands beside a secret', () => {
      const exchange = exchangeOf('/openapi/demo/echo', { x: `${secret} Ana Lima` });
      const masked = maskedAfter([exchange], `actual ${secret} Ana Lima`, new Map([[secret, '$NFE_APP_SECRET']]));
      expect(masked).toBe('actual $NFE_APP_SECRET … 9 letters');
    });

    test('shows nothing of a delivery', () => {
      const people = peopleAt(foreignAddress('http://h'));
      const rawBody = Buffer.from('{"nome":"Ana Lima"}');
      const arrival: Arrival = { method: 'POST', target: '/', headers: [], rawBody, isTooLarge: false, arrivedAtMs: 0 };
      learningOf(people, new Map()).arrival(arrival);
      expect(withoutPeople(asIs, people)('actual Ana Lima')).toMatch(/^actual … 8 letters ~[\da-z]{4}$/);
    });
  });

  test('on a target of one’s own, and with NFE_SHOW=all, everything is shown', () => {
    expect(hidesPeople(foreignAddress('http://h'))).toBe(true);
    for (const change of [{ kind: 'embedded' }, { kind: 'container' }, { shows: 'all' }] as const) {
      const people = peopleAt(foreignAddress('http://h', change));
      expect(people).toBeUndefined();
      expect(withoutPeople(asIs, people)('Ana Lima')).toBe('Ana Lima');
    }
  });

  test.each(['consulta', 'Homologacao', 'Autorizada', 'application', 'applications', 'nfeLinkXml', 'redeliver'])(
    'what stands in a link is no secret where the contract or our own files say it: %s',
    (word) => {
      const secrets = new Map<string, string>();
      learningOf(undefined, secrets).exchange(
        exchangeOf('/openapi/demo/echo', { url: `https://h/${word}/kWzTnRcYhP?tipo=${word}` }),
      );
      expect([...secrets.keys()]).toEqual(['kWzTnRcYhP']);
    },
  );

  test('a known name that a target calls a link is hidden as a name, with all that belongs to it', () => {
    const people = newPeople(new Map([['Quitéria Bonfim Xavantes', '$nome']]), '');
    const secrets = new Map<string, string>();
    learningOf(people, secrets).exchange(
      exchangeOf('/openapi/demo/echo', { linkDanfe: 'Xavantes', url: '/d/kWzTnRcYhP' }),
    );
    expect([...secrets.keys()]).toEqual(['kWzTnRcYhP']);
    expect(withoutPeople(maskFor(secrets), people)('"Quitéria Bonfim Xavantes"')).toBe('"$nome"');
  });
});
