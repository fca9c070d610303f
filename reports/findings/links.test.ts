import { describe, expect, test } from 'vitest';
import { type Fact, linkToDocument } from '../../schemas/finding.ts';
import type { ClauseResult } from '../../schemas/results.ts';
import { at, broken } from '../testing/sample-run.ts';
import { findingsOf } from './findings.ts';

const always = (endpoint: string, status: string): readonly Fact[] => [
  at(endpoint),
  { name: 'always', value: status, telling: true },
];

const inChunks: Fact = { name: 'transfer', value: 'in chunks' };

const groups = (...clauses: ClauseResult[]): string[][] => findingsOf(clauses).map((finding) => finding.clauses);

describe('clauses belong to one finding', () => {
  test.each<[string, ClauseResult[]]>([
    [
      'where an endpoint says of what it takes that it is something else than OK',
      [
        broken('nfe-verification.one-megabyte', {
          expected: '200 with a verdict',
          actual: '202, no code',
          facts: [at('POST /x')],
        }),
        broken('nfe-verification.rejection-is-200', {
          expected: '200, validationStatus REJECTED',
          actual: '202, no code, validationStatus "REJECTED"',
          facts: [at('POST /x')],
        }),
      ],
    ],
    [
      'where a reason changes with the language that is asked for',
      [
        broken('verdict-event.reason-stable', { expected: 'the reason of before', actual: '"签名不符"' }),
        broken('verdict-event.reason-in-english', { expected: 'an English text', actual: 'reason is "não confere"' }),
      ],
    ],
    [
      'where the limit is looked at before whatever else the gateway refuses',
      [
        broken('retirement.not-rate-limited', { expected: '410, code 10009034', actual: '429, code 10009006' }),
        broken('precedence.401-before-429', { expected: '401, code 10009000', actual: '429, code 10009006' }),
        broken('precedence.403-before-429', { expected: '403, code 10009004', actual: '429, code 10009006' }),
      ],
    ],
    [
      'where most records that break the one break the other',
      [
        broken('echo.bare', { shared: { beside: ['envelope.code-integer'] } }),
        broken('envelope.code-integer', { shared: { wrong: 3, of: 30 } }),
      ],
    ],
    [
      'where one wrong way to sign is taken in place of the right one and beside it',
      [
        broken('nfe-verification.too-large', {
          expected: '400',
          actual: '401, code 10009003',
          hint: 'the target takes a sign computed over the first 9 bytes, or over the last (the same on this call)',
        }),
        broken('signature.body-bound', {
          expected: '401, code 10009003 (signature mismatch)',
          actual: '400, code "E1"',
          hint: 'the target takes a sign computed over the first 9 bytes',
        }),
      ],
    ],
    [
      'where the right sign is refused, and the other way to sign is taken elsewhere',
      [
        broken('signature.every-endpoint', {
          expected: 'accepted by the gateway',
          actual: '401, code 10009003',
          shared: { wrong: 11, of: 23 },
        }),
        broken('signature.line-breaks-removed', {
          expected: '401, code 10009003 (signature mismatch)',
          actual: '404, codigo "E1"',
          hint: 'the target takes a sign computed over the body with its line breaks',
        }),
      ],
    ],
    [
      'where what is taken in place of the right sign differs from it in the same part',
      [
        broken('retirement.gone', {
          expected: '410, code 10009034 (endpoint retired)',
          actual: '401, code 10009003',
          hint: 'the target takes a sign computed over the body parsed and written with sorted keys',
        }),
        broken('signature.json-as-sent', {
          expected: '401, code 10009003 (signature mismatch)',
          actual: '404, codigo "E1"',
          hint: 'the target takes a sign computed over the body parsed and written compactly',
        }),
      ],
    ],
    [
      'where refusals with the code that is due come by one other status',
      [
        broken('signature.mismatch-refused', { expected: '401, code 10009003', actual: '403, code 10009003' }),
        broken('token.unknown-refused', { expected: '401, code 10009002', actual: '403, code 10009002' }),
      ],
    ],
    [
      'where codes are off by the same, as in too few bits',
      [
        broken('signature.mismatch-refused', { expected: '401, code 10009003', actual: '401, code 47531' }),
        broken('retirement.gone', { expected: '410, code 10009034', actual: '410, code 47562' }),
      ],
    ],
    [
      'where messages name other replacements than their own',
      [
        broken('retirement.replacement-named', {
          expected: 'a message that names POST /openapi/v2/a',
          actual: '"该接口已下线，请改用 GET /openapi/v3/b"',
          shared: { wrong: 20, of: 65 },
        }),
        broken('retirement.english-text', {
          expected: 'a message that names POST /openapi/v3/c',
          actual: '"Esta API foi desativada, utilize DELETE /openapi/v2/d"',
          shared: { wrong: 5, of: 20 },
        }),
      ],
    ],
    [
      'where two codes are exchanged',
      [
        broken('application.disabled-refused', { expected: '403, code 10009004', actual: '403, code 10009015' }),
        broken('application.pending-refused', { expected: '403, code 10009015', actual: '403, code 10009004' }),
      ],
    ],
    [
      'where there is a link to a DANFE, whatever the status',
      [
        broken('nfe-query.no-danfe-link-when-denied', { actual: '"http://a"' }),
        broken('nfe-query.no-danfe-link-when-cancelled', { actual: '"http://b"' }),
      ],
    ],
    [
      'where an id that is taken is issued under again, so that its invoice is another',
      [
        broken('nfe-query.follows-the-life-cycle', { expected: 'Autorizada', actual: 'Negada' }),
        broken('nfe-issuance.id-unique-in-company', { expected: '400 or 404', actual: '200' }),
      ],
    ],
    [
      'where the event id in the header is another at each address',
      [
        broken('verdict-event.event-id', { actual: 'event_id is "a"' }),
        broken('webhook-delivery.event-id-over-targets', { actual: 'two event ids' }),
      ],
    ],
    [
      'where both hang on the same condition, and nothing right does',
      [
        broken('retirement.gone', { facts: [{ ...at('POST /x'), telling: true }] }),
        broken('precedence.410-before-403', { facts: [{ ...at('POST /x'), telling: true }] }),
      ],
    ],
    [
      'where one endpoint answers one thing, whatever it is sent',
      [
        broken('token.unknown-refused', { expected: '401', actual: '404, no code', facts: always('POST /x', '404') }),
        broken('nfe-verification.malformed-refused', { actual: '/code is missing', facts: always('POST /x', '404') }),
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
      'where requests with one fault pass, however each endpoint says so, or a later refusal',
      [
        broken('retirement.after-authentication', { expected: '401, code 10009003', actual: '410, code 10009034' }),
        broken('signature.chave-in-path', { expected: '401, code 10009003', actual: '404, code 10015004' }),
        broken('signature.body-bound', { expected: '401, code 10009003', actual: '200, no code' }),
      ],
    ],
    [
      'where who may not call comes as far as the endpoint, whatever the reason',
      [
        broken('application.disabled-refused', { expected: '403, code 10009004', actual: '404, codigo "E1"' }),
        broken('application.integrator-disabled-refused', { expected: '403, code 10009014', actual: '400, code "E2"' }),
      ],
    ],
    [
      'where refusals of several statuses have no envelope',
      [
        broken('errors.envelope-of-410', {
          expected: 'a platform envelope',
          actual: '/success is missing; /code is missing',
        }),
        broken('envelope.on-every-401', { expected: 'a platform envelope', actual: '{"error":{}}' }),
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
      'where links lead to other documents than they are to',
      [
        broken('nfe-query.danfe-link-serves-a-pdf', {
          actual: '<a/>',
          facts: [at(linkToDocument), { name: 'status', value: '200' }],
        }),
        broken('issuance-callback.xml-of-the-invoice', {
          actual: 'another chave',
          facts: [at(linkToDocument), { name: 'status', value: '200' }],
        }),
      ],
    ],
    [
      'where one DTD is taken, and what is none is refused as one',
      [
        broken('nfe-verification.dtd-refused', { expected: '400', actual: '200, no code' }),
        broken('nfe-verification.dtd-word-taken', { expected: '200 with a verdict', actual: '400, code "A"' }),
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
      'where the one got the answer that is wrong, now and then, for the one below',
      [
        broken('issuance-callback.xml-link-alive', {
          actual: '404',
          facts: [{ name: 'status', value: '404' }],
          shared: { wrong: 2, of: 9 },
        }),
        broken('issuance-callback.xml-of-the-invoice', { actual: '404, code "A"', isExample: true }),
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
      'where the same page came in place of two documents',
      [
        broken('nfe-query.danfe-link-serves-a-pdf', { expected: 'a PDF, which starts with %PDF-', actual: '<p>' }),
        broken('issuance-callback.xml-of-the-invoice', { expected: 'an infNFe with the chave', actual: '<p>' }),
      ],
    ],
    [
      'where the same sentence tells what came, and where the secret of before is taken, too',
      [
        broken('token.rotated-refused', { hint: 'the old secret still works' }),
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
      'where what is not known is answered with success, and as nothing that is known is',
      [
        broken('chave-lookup.unknown', { expected: '4xx', actual: '200, no code' }),
        broken('chave-lookup.shape-of-verification', {
          expected: 'validation.validationStatus: VALIDATED',
          actual: '/validation is null, but is to be an object',
          shared: { wrong: 65, of: 74 },
        }),
      ],
    ],
    [
      'where texts are due in one language, be it one text or several',
      [
        broken('language.portuguese-by-default', { expected: 'a message in pt', actual: 'one in en: "Invalid token"' }),
        broken('envelope.message-language', { expected: 'the texts of pt: Falta | Errado', actual: 'Missing | Wrong' }),
      ],
    ],
    [
      'where one field holds another word than each that is due',
      [
        broken('issuance-callback.status-authorised', {
          expected: 'nfeStatus is "Autorizada"',
          actual: 'nfeStatus is "Authorized"',
        }),
        broken('issuance-callback.status-denied', {
          expected: 'nfeStatus is "Negada"',
          actual: 'nfeStatus is "Denied"',
        }),
      ],
    ],
    [
      'where one field is of one form where so many digits are due, or none besides',
      [
        broken('issuance-callback.chave', { actual: '/nfeChaveAcesso is "NFe35", but is to be 44 digits' }),
        broken('issuance-callback.fields-of-denial', {
          actual: '/nfeChaveAcesso is "NFe36", but is to be 44 digits, or empty',
        }),
      ],
    ],
    [
      'where one field is of one form where a text is due, by either word for it',
      [
        broken('envelope.message-text', { expected: 'message is a text for people', actual: 'message is ["Falta"]' }),
        broken('errors.envelope-of-410', { actual: '/message is ["A API"], but is to be a string' }),
      ],
    ],
    [
      'where bodies are of one form where another is due, whatever is in them',
      [
        broken('cnpj-lookup.unknown', { actual: 'the body is [{"codigo":1}], but is to be an object' }),
        broken('chave-lookup.malformed', { actual: 'the body is an array of 1 items, but is to be an object' }),
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
      'where one endpoint fails for several requests',
      ['id-required', 'id-string'].map((rule) =>
        broken(`nfe-issuance.${rule}`, { expected: `400 or 404 for ${rule}`, actual: '500', facts: [at('POST /n')] }),
      ),
    ],
    [
      'where an id is kept otherwise than it was sent, so that it is not found, and another one comes back',
      [
        broken('nfe-query.found-by-id', { actual: '404', facts: [at('GET /n')] }),
        broken('issuance-callback.nfe-id', { actual: '"abc"', facts: [{ name: 'channel', value: 'issuance' }] }),
      ],
    ],
    [
      'where an id finds what another one names, or is refused beside that',
      [
        broken('nfe-query.unknown-id', { expected: '400 or 404', actual: '200, no code' }),
        broken('nfe-cancellation.unknown-id', { expected: 'the error array', actual: '200, an empty body' }),
        broken('nfe-issuance.status-200', { expected: 'accepted beside Nota-1', actual: '400, codigo "E1"' }),
      ],
    ],
    [
      'where a query tells of another invoice, and its links lead to that',
      [
        broken('nfe-query.follows-the-life-cycle', {
          expected: 'Autorizada, by what was asked of it and answered',
          actual: 'Cancelada',
          facts: [at('GET /n')],
        }),
        broken('nfe-query.danfe-link-serves-a-pdf', { expected: 'a DANFE of each', actual: 'the same bytes for both' }),
      ],
    ],
    [
      'where a standard endpoint answers as if it were retired, and the other got that',
      [
        broken('retirement.standard-endpoints-live', { expected: 'any status but 410', actual: '410, no code' }),
        broken('subscription.own-scope-grants', { expected: 'accepted by the gateway', actual: '410, an empty body' }),
      ],
    ],
    [
      'where the text that came for the one is among those that were compared for the other',
      [
        broken('language.language-header', { actual: 'one in another language: "a text of four words"' }),
        broken('retirement.message-language', { actual: 'a text of four words | a text of four words' }),
      ],
    ],
    [
      'where some right requests are refused as those are to be that pass, and both are sent in chunks',
      [
        broken('signature.accepted', {
          actual: '401, code 10009003',
          facts: [{ name: 'fault', value: 'none' }, inChunks],
          shared: { wrong: 3, of: 30 },
        }),
        broken('signature.body-bound', {
          expected: '401, code 10009003',
          actual: '200, no code',
          facts: [inChunks],
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
      'where what is not found is answered 403, and that 403 is no envelope',
      [
        broken('nfe-query.unknown-id', { expected: '400 or 404', actual: '403, codigo "N1009"' }),
        broken('errors.envelope-of-403', {
          expected: 'a platform envelope',
          actual: 'the body is [{"codigo":"N1009","mensagem":"x"}], but is to be an object',
          facts: [{ name: 'status', value: '403' }],
        }),
      ],
    ],
    [
      'where a past timestamp is refused too early, and a future one too late: the clock is ahead',
      [broken('timestamp.past-accepted'), broken('timestamp.future-refused')],
    ],
    [
      'where the same comes that the contract knows nowhere, whatever was due',
      [
        broken('nfe-verification.too-large', { expected: '400', actual: '413, a body that is no JSON' }),
        broken('retirement.gone', { expected: '410, code 10009034', actual: '413, a body that is no JSON' }),
      ],
    ],
    [
      'where bodies are in another encoding, whatever they are to say',
      [
        broken('nfe-verification.without-chave', { expected: 'an object', actual: '400, a body that is no UTF-8' }),
        broken('nfe-query.unknown-id', { expected: 'an array', actual: 'a body that is no UTF-8' }),
        broken('issuance-callback.nfe-id', { expected: '"é"', actual: '"\ufffd"' }),
      ],
    ],
  ])('%s', (_, clauses) => {
    expect(groups(...clauses)).toHaveLength(1);
  });
});

test('where bodies are read before the gateway, that is told first, whatever else they meet', () => {
  const unread: readonly Fact[] = [
    { name: 'content', value: 'no JSON' },
    { name: 'status', value: '400' },
  ];
  const told = groups(
    broken('nfe-issuance.malformed-json', { expected: 'an array', actual: 'the body is {"error":"x"}', facts: unread }),
    broken('retirement.gone', { expected: '410, code 10009034', actual: '400, no code', facts: unread }),
    broken('precedence.gateway-before-endpoint', {
      expected: '401, code 10009003',
      actual: '400, no code',
      facts: unread,
    }),
  );
  expect(told.map(([first]) => first)).toEqual(['precedence.gateway-before-endpoint']);
});
