import { expect, test, describe } from 'vitest';
import { sampleExchange, sampleFailure, sampleOutcome } from '../testing/sample-run.ts';
import { exchangeDetails, exchangeList, stringToSignBlock } from './exchange.ts';
import type { CheckResult, ExchangeEvidence } from '../../schemas/results.ts';
import { markup } from './markup.ts';
import type { CallerEvidence, Signing } from '../../schemas/evidence.ts';
import { steeredList } from './circumstances.ts';

describe('exchange', () => {
  const sample = sampleExchange();

  test('a long target is cut in the line that an exchange folds to, and whole below it', () => {
    const target = `/${'a'.repeat(500)}`;
    const { html } = exchangeDetails({ ...sample, request: { ...sample.request, target } }, 1, false, 'here');
    const [line = '', rest = ''] = html.split('</summary>');
    expect(line).toContain(`<code>POST /${'a'.repeat(159)}… (501 characters in all)</code>`);
    expect(rest).toContain(`POST ${target}\n`);
  });

  const three = [sampleExchange(), sampleExchange(), sampleExchange()];

  /** What stands in the head of a list of which the last `shown` are shown. */
  function head(result: Partial<CheckResult>, shown: number): string {
    const pieces = Array.from({ length: shown }, () => markup`<hr>`);
    return exchangeList(sampleOutcome('echo.a', result).result, pieces)?.html ?? '';
  }

  test('what the page has no room for is said, and where it is', () => {
    expect(head({ ...sampleFailure, exchanges: three }, 1)).toContain(
      'the last 1 of 3; the others are in results.json',
    );
    expect(head({ ...sampleFailure, exchanges: three }, 0)).toContain('the last 0 of 3');
  });

  test('of a failing case all is shown, and how much the check did besides is said', () => {
    expect(head({ ...sampleFailure, exchanges: three, exchangesMade: 90 }, 3)).toContain(
      '3 of the failing case; the check made 90',
    );
  });

  test('of a check that passed what is shown is called a sample', () => {
    expect(head({ exchanges: three.slice(2), exchangesMade: 1_200 }, 1)).toContain('a sample: 1 of 1,200');
  });

  test('a check that sent nothing has no list', () => {
    expect(head({ exchanges: [], exchangesMade: 0 }, 0)).toBe('');
  });

  function htmlOf(change: Partial<ExchangeEvidence>): string {
    return exchangeDetails({ ...sampleExchange(), ...change }, 1, true, 'place').html;
  }

  describe('an exchange tells', () => {
    test('its address, its time of day and its connection', () => {
      const html = htmlOf({ at: Date.UTC(2026, 10, 22, 23, 21, 57, 123), connection: 40_258 });
      expect(html).toContain('<details class="exchange" id="place" open>');
      expect(html).toMatch(/<time [^>]*>23:21:57\.123<\/time>, .*connection.* 40258/);
    });

    test.each([
      [200, 'we answered 200', 'respondemos 200'],
      ['hang-up', 'we closed the connection', 'nós fechamos a conexão'],
    ] as const)('that a delivery got %s', (answered, english, portuguese) => {
      const html = htmlOf({ received: true, answered });
      expect(html).toContain(english);
      expect(html).toContain(portuguese);
    });

    test('the signature that is due beside the one that was given, their first difference marked', () => {
      const html = htmlOf({ rightSignature: '9f3c5d0e7a1b2c3d4e5f60718293a4b6' });
      expect(html).toMatch(/Signature that is due.*<mark>6<\/mark>.*Signature given.*<mark>5<\/mark>/s);
      expect(htmlOf({})).not.toContain('Signature that is due');
    });
  });

  describe('who called is told by the condition of the application', () => {
    test.each<[CallerEvidence, string, string]>([
      [{ standing: {} }, 'an active application that may call everything', 'uma aplicação ativa que pode chamar tudo'],
      [{ standing: { state: 'disabled' } }, 'the application that is disabled', 'pela aplicação que está desabilitada'],
      [
        { standing: { integratorState: 'disabled', subscriptions: [] } },
        'that belongs to a disabled integrator account, and has no subscription',
        'que é de uma conta de integrador desabilitada e que não tem assinatura',
      ],
      [
        { standing: { rateLimit: { limit: 3, windowSeconds: 60 } }, hasOwnClock: true },
        'that may send 3 requests in 60 s, and has a clock of its own',
        'que pode enviar 3 requisições em 60 s e que tem um relógio próprio',
      ],
    ])('%j', (caller, english, portuguese) => {
      const html = htmlOf({ caller });
      expect(html).toContain(english);
      expect(html).toContain(portuguese);
      expect(html).toContain('(<code>$NFE_APP_SECRET_UNSUBSCRIBED</code>)');
    });
  });

  test('what the control API did before a failure is told step by step, in words', () => {
    const steered = [
      { at: 0, method: 'POST', path: '/applications', json: { state: 'disabled' }, status: 201 },
      {
        at: 1,
        method: 'POST',
        path: '/applications/app-1/clock',
        json: { advanceSeconds: 660, wait: 'none' },
        status: 200,
      },
      { at: 2, method: 'PUT', path: '/never/heard/of', status: 404 },
    ];
    const { result } = sampleOutcome('echo.a', { ...sampleFailure, steered });
    const html = steeredList(result)?.html ?? '';
    expect(html).toMatch(/00:00:00\.000.*makes an application.*moves its clock on by 660 s.*calls the control API/s);
    expect(html).toContain('adianta o relógio dela em 660 s');
    expect(steeredList(sampleOutcome('echo.a').result)).toBeUndefined();
  });
});

describe('string to sign', () => {
  const sample = sampleExchange();
  const all = (['token', 'path', 'body', 'timestamp'] as const).map((sent) => ({ sent }));
  const withoutBody = all.filter(({ sent }) => sent !== 'body');
  const asIs: Signing['sign'] = { between: ['', ''] };

  function md5Of(of: NonNullable<Signing['digest']>['of']): NonNullable<Signing['digest']> {
    return { hash: 'md5', of };
  }

  function toldOf(change: Partial<Signing>, rest: Partial<ExchangeEvidence> = {}): string {
    const signing = { secret: '', token: asIs, timestamp: [], sign: asIs, ...change };
    const exchange: ExchangeEvidence = { ...sample, signing, ...rest };
    return exchange.stringToSign ? stringToSignBlock(exchange, exchange.stringToSign).html : '';
  }

  const nothingInBody = {
    text: '$X/p1',
    encoding: 'utf-8',
    bytes: 5,
    parts: [
      { name: 'token', length: 2 },
      { name: 'path', length: 2 },
      { name: 'body', length: 0 },
      { name: 'timestamp', length: 1 },
    ],
  } as const satisfies ExchangeEvidence['stringToSign'];

  test.each<[string, Partial<Signing>, Partial<ExchangeEvidence>]>([
    ['by the contract', { digest: md5Of(all) }, {}],
    [
      'by the contract, without a body',
      { digest: md5Of(withoutBody) },
      { stringToSign: { ...nothingInBody, parts: [...nothingInBody.parts] } },
    ],
    ['as a delivery', { digest: md5Of([]) }, { received: true }],
  ])('of what was signed %s nothing is said', (_, signing, exchange) => {
    expect(toldOf(signing, exchange)).not.toContain('on purpose');
  });

  test.each<[string, Partial<Signing>]>([
    ['without a body that is there', { digest: md5Of(withoutBody) }],
    ['in another order', { digest: md5Of(all.toReversed()) }],
    ['by another hash', { digest: { hash: 'sha256', of: all } }],
    ['and written in upper case', { digest: md5Of(all), sign: { as: 'upper-case' } }],
    ['and cut', { digest: md5Of(all), sign: { dropStart: 0, dropEnd: 16 } }],
    ['by no digest', { sign: { text: '0000' } }],
  ])('what was signed %s is said to be so on purpose, in both languages', (_, signing) => {
    const html = toldOf(signing);
    expect(html).toContain('Signed otherwise on purpose');
    expect(html).toContain('Assinada de outro modo, de propósito');
  });

  test('a request that was sent without a sign is said to be so on purpose', () => {
    const request = { ...sample.request, headers: [] };
    expect(toldOf({ sign: { text: '' } }, { request })).toContain('On purpose, the request was sent without a');
  });
});
