import { describe, expect, test } from 'vitest';
import type { ClauseResult } from '../../schemas/results.ts';
import type { Fact, Node } from '../../schemas/finding.ts';
import { at, broken, type Shown } from '../testing/sample-run.ts';
import { findingsOf } from './findings.ts';

const groups = (...clauses: ClauseResult[]): string[][] => findingsOf(clauses).map((finding) => finding.clauses);

describe('clauses belong to one finding', () => {
  test.each<[string, ClauseResult[]]>([
    [
      'where most records that break the one break the other',
      [broken('echo.bare', { shared: { beside: ['envelope.code-integer'] } }), broken('envelope.code-integer')],
    ],
    [
      'where both hang on the same condition, and nothing right does',
      [
        broken('retirement.gone', { facts: [{ ...at('POST /x'), telling: true }] }),
        broken('precedence.410-before-403', { facts: [{ ...at('POST /x'), telling: true }] }),
      ],
    ],
    [
      'where the same came in place of the same',
      [
        broken('precedence.410-before-403', { expected: '410, code 10009034', actual: '403, code 10009005' }),
        broken('retirement.before-subscription', { expected: '410, code 10009034', actual: '403, code 10009005' }),
      ],
    ],
    [
      'where requests with one fault pass, however each endpoint says so',
      [
        broken('signature.chave-in-path', { expected: '401, code 10009003', actual: '404, code 10015004' }),
        broken('signature.body-bound', { expected: '401, code 10009003', actual: '200, no code' }),
      ],
    ],
    [
      'where the one stands on the other, and they were seen at one endpoint',
      [
        broken('nfe-query.status-known', { facts: [at('GET /n')] }),
        broken('issuance-callback.agrees-with-query', { facts: [at('GET /n')] }),
      ],
    ],
    [
      'where a field that one of them is about is wrong now and then, and what the other shows is that field',
      [
        broken('verdict-event.verified-at', { actual: '"2031-05-17T06:34:47Z"', shared: { wrong: 2, of: 9 } }),
        broken('webhook-delivery.true-times', { actual: 'verifiedAt is 2026-11-25T14:04:54Z' }),
      ],
    ],
    [
      'where retries get lost now and then, whatever the answer was',
      [
        broken('webhook-delivery.other-status-retried', {
          expected: 'a retry within 66 s after the answer 500',
          actual: 'none',
          shared: { wrong: 6, of: 79 },
        }),
        broken('webhook-delivery.broken-connection-retried', {
          expected: 'a retry within 66 s after the answer hang-up',
          actual: 'none came',
          shared: { wrong: 4, of: 6 },
        }),
      ],
    ],
    [
      'where one field holds the same that it is not to hold',
      [
        broken('envelope.error-type', { actual: 'errorType is 0' }),
        broken('errors.envelope-of-403', { actual: '/errorType is 0, but is to be 1' }),
      ],
    ],
    [
      'where the same header is missing',
      [
        broken('webhook-delivery.delivery-id-header', {
          expected: 'the header X-Service-Delivery-Id',
          actual: 'no such header, or an empty one',
        }),
        broken('webhook-delivery.headers-of-verdicts', {
          expected: 'the five headers of a delivery',
          actual: 'no X-Service-Delivery-Id',
        }),
      ],
    ],
    [
      'where the same page came in place of two documents',
      [
        broken('nfe-query.danfe-link-serves-a-pdf', { expected: 'a PDF, which starts with %PDF-', actual: '<p>' }),
        broken('issuance-callback.xml-of-the-invoice', { expected: 'an infNFe with the chave', actual: '<p>' }),
      ],
    ],
    [
      'where the same sentence tells what came',
      [
        broken('webhook-signature.new-secret-on-retries', {
          expected: 'a retry signed with the new secret',
          actual: 'one with the secret of before',
        }),
        broken('webhook-signature.new-secret-after-rotation', {
          expected: 'an event signed with the new secret',
          actual: 'one with the secret of before',
        }),
      ],
    ],
    [
      'where texts come in one language in place of another, whatever they say',
      [
        broken('envelope.message-language', { expected: 'a message in zh', actual: 'one in pt: "Falta o token"' }),
        broken('language.on-403', { expected: 'a message in zh', actual: 'one in pt: "O aplicativo não pode"' }),
      ],
    ],
    [
      'where requests for different things got one answer of the service, word by word, now and then',
      [
        broken('nfe-issuance.status-200', { expected: 'accepted beside A', actual: '500, code "E1"' }),
        broken('nfe-query.found-by-id', {
          expected: 'the id a-1 accepted',
          actual: '500: {"code":"E1","message":"x"}, in 1 of 4 tries: intermittent, 95 % interval 0.6 % to 81 %',
        }),
      ],
    ],
    [
      'where one endpoint turns right requests down without a word',
      ['200', 'Producao accepted'].map((expected, nth) =>
        broken(nth === 0 ? 'nfe-issuance.status-200' : 'nfe-issuance.both-ambientes', {
          expected,
          actual: `400, an empty body, in ${nth + 1} of 4 tries: intermittent, 95 % interval 0.6 % to 81 %`,
          facts: [at('POST /n'), { name: 'signed', value: 'right' }],
        }),
      ),
    ],
    [
      'where a verification says of several documents what it is to say of none',
      [
        broken('nfe-verification.altered-not-validated', { expected: 'anything else', actual: 'VALIDATED' }),
        broken('nfe-verification.rejection-is-200', {
          expected: '200, validationStatus REJECTED',
          actual: '200, no code, validationStatus "VALIDATED"',
        }),
      ],
    ],
    [
      'where one field is of one form where another is due, whatever it holds',
      [
        broken('envelope.code-integer', { expected: 'code is an integer', actual: 'code is "10009000"' }),
        broken('errors.envelope-of-410', { actual: '/code is "10009034", but is to be an integer' }),
      ],
    ],
    [
      'where a refusal that the one got is among the answers that the other rests on',
      [
        broken('signature.body-empty-for-multipart', { expected: 'accepted', actual: '401, code 10009003' }),
        broken('empresa-registration.id-names-company', {
          expected: 'a certificate and an issuance accepted',
          actual: '401, code 10009003; 400, no code',
        }),
      ],
    ],
    [
      'where right requests are all refused as those are to be that pass',
      [
        broken('timestamp.server-time-accepted', {
          expected: 'accepted',
          actual: '401, code 10009001',
          facts: [{ name: 'fault', value: 'none' }, at('POST /a')],
        }),
        broken('timestamp.milliseconds-refused', {
          expected: '401, code 10009001',
          actual: '200, no code',
          facts: [at('POST /b')],
        }),
      ],
    ],
    [
      'where one value comes on a channel that is due for neither',
      [
        broken('verdict-event.event-type', {
          expected: 'verify.completed in body and header',
          actual: '"VERIFY.COMPLETED" and "verify.completed"',
          facts: [{ name: 'channel', value: 'verification' }],
        }),
        broken('webhook-url.test-delivery', {
          expected: 'webhook.verify in body and header',
          actual: '["VERIFY.COMPLETED","webhook.verify"]',
          facts: [{ name: 'channel', value: 'verification' }],
        }),
      ],
    ],
    [
      'where nothing but answers of ours of one class is taken for what it is not',
      [
        broken('webhook-delivery.other-status-retried', {
          expected: 'a retry within 66 s after the answer 400',
          actual: 'none',
        }),
        broken('webhook-url.not-saved-otherwise', {
          expected: 'refused with 422: a test was not acknowledged',
          actual: 'saved after the answer 404',
        }),
      ],
    ],
    [
      'where the same comes that the contract knows nowhere, whatever was due',
      [
        broken('nfe-verification.too-large', { expected: '400', actual: '413, a body that is no JSON' }),
        broken('retirement.gone', { expected: '410, code 10009034', actual: '413, a body that is no JSON' }),
      ],
    ],
  ])('%s', (_, clauses) => {
    expect(groups(...clauses)).toHaveLength(1);
  });
});

describe('clauses belong to findings of their own', () => {
  test('where they have nothing in common', () => {
    expect(groups(broken('echo.bare'), broken('verdict-event.version'))).toHaveLength(2);
  });

  test('where whatever stands before the service stopped the one by 403, and the other by 413', () => {
    const due = '401, code 10009003 (signature mismatch)';
    const two = groups(
      broken('signature.query-not-signed', { expected: due, actual: '403, no code' }),
      broken('precedence.gateway-before-endpoint', { expected: due, actual: '413, no code' }),
    );
    expect(two).toHaveLength(2);
  });

  test('where one field is of another form than the same one elsewhere', () => {
    const two = groups(
      broken('envelope.code-integer', { expected: 'code is an integer', actual: 'code is "10009000"' }),
      broken('errors.envelope-of-410', { actual: '/code is null, but is to be an integer' }),
    );
    expect(two).toHaveLength(2);
  });

  test('where answers of ours of several classes are taken for what they are not', () => {
    const ways = [
      { expected: 'a retry within 66 s after the answer 400', actual: 'none' },
      { expected: 'a retry within 66 s after the answer 503', actual: 'none' },
    ];
    const retried = broken('webhook-delivery.other-status-retried', ways[0]);
    const two = groups(
      { ...retried, checks: retried.checks.map((check) => ({ ...check, ways })) },
      broken('webhook-url.not-saved-otherwise', {
        expected: 'refused with 422: a test was not acknowledged',
        actual: 'saved after the answer 404',
      }),
    );
    expect(two).toHaveLength(2);
  });

  test('where some right requests are refused as those are to be that pass', () => {
    const two = groups(
      broken('timestamp.server-time-accepted', {
        expected: 'accepted',
        actual: '401, code 10009001',
        facts: [{ name: 'fault', value: 'none' }, at('POST /a')],
        shared: { wrong: 3, of: 30 },
      }),
      broken('timestamp.milliseconds-refused', {
        expected: '401, code 10009001',
        actual: '200, no code',
        facts: [at('POST /b')],
      }),
    );
    expect(two).toHaveLength(2);
  });

  test('where the one stands on the other, but they were seen at different endpoints', () => {
    const two = groups(
      broken('nfe-query.status-known', { facts: [at('GET /n')] }),
      broken('issuance-callback.agrees-with-query', { facts: [at('POST /m')] }),
    );
    expect(two).toHaveLength(2);
  });

  test('where the one stands on the other, but the one is wrong in answers and the other in deliveries', () => {
    const two = groups(
      broken('signature.accepted', { facts: [{ name: 'status', value: '401' }] }),
      broken('issuance-callback.all-fields', { facts: [{ name: 'channel', value: 'issuance' }] }),
    );
    expect(two).toHaveLength(2);
  });
});

describe('where few of all correctly signed requests are refused, what stands on that', () => {
  const refused = (name: string): Fact[] => [at(name), { name: 'status', value: '401' }];
  const base = broken('signature.accepted', { facts: refused('POST /x'), shared: { wrong: 79, of: 2545 } });
  const example = (id: string, facts: readonly Fact[]): ClauseResult => broken(id, { facts, isExample: true });

  test.each<[string, Fact[]]>([
    ['another status came elsewhere', [at('GET /c'), { name: 'status', value: '500' }]],
    ['a delivery shows it', [{ name: 'channel', value: 'verification' }]],
    ['nothing shows it', []],
  ])('is a cause of its own where %s', (_, facts) => {
    expect(groups(base, example('cnpj-lookup.unknown', facts))).toHaveLength(2);
  });

  test('explains it with a hint only where the same came', () => {
    const shown = { facts: refused('POST /x'), hint: 'the word is taken for a DTD', shared: { wrong: 1, of: 9 } };
    const found = findingsOf([base, broken('nfe-issuance.status-200', shown)]);
    expect(found.map(({ diagnosis }) => diagnosis)).toEqual([undefined]);
    const same = { ...shown, actual: 'what broke signature.accepted' };
    expect(findingsOf([base, broken('nfe-issuance.status-200', same)])[0]?.diagnosis).toBe(shown.hint);
  });

  test('is of one cause with it where the same came there', () => {
    expect(groups(base, example('nfe-issuance.status-200', refused('POST /x')))).toHaveLength(1);
  });
});

describe('lost retries', () => {
  const lost = (id: string, expected: string, actual: string, shared: object): ClauseResult =>
    broken(`webhook-delivery.${id}`, { expected, actual, shared });
  const seldom = lost('other-status-retried', 'a retry within 66 s after the answer 500', 'none', { wrong: 6, of: 79 });

  test('of now and then are named by the clause that no event is lost', () => {
    const any = lost('at-least-once', 'every event, again after it was refused', '1 lost', { wrong: 1, of: 9 });
    expect(groups(seldom, any)).toEqual([['webhook-delivery.at-least-once', 'webhook-delivery.other-status-retried']]);
  });

  test('after one kind of answer throughout are a cause of their own', () => {
    const each = lost('redirect-not-followed', 'a retry after 1 minute', 'none after 302', { wrong: 5, of: 5 });
    expect(groups(seldom, each)).toHaveLength(2);
  });
});

describe('what comes behind a refusal on one connection', () => {
  const before = (value: string): Fact => ({ name: 'before', value, telling: true });
  const broke = (id: string, more: Partial<Shown> = {}): ClauseResult =>
    broken(id, { facts: [before('4xx'), { name: 'status', value: '400' }], actual: `400 for ${id}`, ...more });
  const hint = 'the target takes a sign computed over nothing';
  const node: Node = { by: 'turn', wrong: 3, of: 4 };
  const three = ['signature.mismatch-refused', 'chave-lookup.unknown', 'retirement.gone'].map((id) =>
    broke(id, { hint, shared: { node } }),
  );

  test('is one cause, told by that and by no sign or node', () => {
    const [finding, ...others] = findingsOf(three);
    expect(others).toEqual([]);
    expect([finding?.diagnosis, finding?.node]).toEqual([undefined, undefined]);
    expect(finding?.summary).toContain('next on its connection after an answer of 4xx');
  });

  test('takes with it what came behind one with the same status, though too seldom to tell by itself', () => {
    const seldom = broken('nfe-query.found-by-id', {
      facts: [
        { name: 'before', value: '4xx' },
        { name: 'status', value: '400' },
      ],
    });
    expect(findingsOf([...three, seldom])).toHaveLength(1);
  });

  test('is no cause of two clauses, nor where one is broken behind something else', () => {
    expect(findingsOf(three.slice(0, 2))[0]?.diagnosis).toBeDefined();
    const elsewhere = broken('chave-lookup.malformed', {
      facts: [{ name: 'before', value: '2xx' }],
      expected: 'what chave-lookup.unknown demands',
      actual: '400 for chave-lookup.unknown',
    });
    expect(findingsOf([...three, elsewhere])[0]?.diagnosis).toBeDefined();
  });
});
