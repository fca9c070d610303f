import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { isCovering, wayOf, wayText, type Way } from './finding.ts';
import { instanceOf, projectSchemas } from '../generators/from-schema.ts';
import type { JsonSchema } from '../generators/json.ts';
import { nearMissOf } from '../generators/near-miss.ts';
import { authorisedInvoice, authorisedResult, deniedResult } from './invoice.ts';
import { fieldsOf, presenceOf, codeMessage, echoData, errorArray, errorEnvelope } from './messages.ts';
import { fits, firstFault, validator } from './validate.ts';
import {
  explainedVerdict,
  validatedVerdict,
  verdictEvent,
  allFields,
  fieldsOfVerdict,
  lostFields,
  descriptionFields,
} from './verdict.ts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { errorResults } from '../reports/judge.ts';
import { hostileResults, sampleFacts, sampleResults } from '../reports/testing/sample-run.ts';
import { publishedSchema } from './stored.ts';
import { member, jsonText, onFirstUse, type JsonValue } from './values.ts';

const found: Way = {
  endpoint: 'POST /openapi/nfe/verify/xml',
  expected: '410, code 10009034',
  actual: '404, no code',
  counterexample: '{"call":"POST /openapi/nfe/verify/xml"}',
};

describe('an entry covers', () => {
  test.each([
    ['nothing but a reason', {}, true],
    ['the check', { check: 'the rule' }, true],
    ['another check', { check: 'another rule' }, false],
    ['the endpoint', { endpoint: 'POST /openapi/nfe/verify/xml' }, true],
    ['another endpoint', { endpoint: 'POST /openapi/nfe/verify/chave' }, false],
    ['a text of what came', { case: '404' }, true],
    ['a text of the case', { case: '"call"' }, true],
    ['a text that is in neither', { case: '410' }, false],
    ['the endpoint, and a text that is in neither', { endpoint: 'POST /openapi/nfe/verify/xml', case: '500' }, false],
  ])('what it names: %s', (_, rest, isCovered) => {
    expect(isCovering({ reason: 'TICKET-1', ...rest }, 'the rule', found)).toBe(isCovered);
  });

  test('no endpoint where the failure shows none', () => {
    const { endpoint: _, ...nowhere } = found;
    expect(isCovering({ reason: 'T', endpoint: 'POST /openapi/demo/echo' }, 'the rule', nowhere)).toBe(false);
  });
});

describe('the text of a way', () => {
  const textOf = (actual: string): string => wayText({ expected: 'e', actual });

  test('has the endpoint, statuses and platform codes', () => {
    expect(wayText(found)).toBe('POST /openapi/nfe/verify/xml: expected 410, code 10009034, actual 404, no code');
  });

  test.each([
    ['a number of another run', '7 retries after 61, 301 s', '12 retries after 60, 301 s'],
    ['an id', 'nfe-8f3a2b1c is unknown', 'nfe-00aa11bb is unknown'],
    ['a time', 'at 2026-11-21T02:00:00.000Z', 'at 2026-12-01T13:45:10.123Z'],
    ['line breaks', 'a\n  b', 'a b'],
  ])('leaves out %s', (_, one, other) => {
    expect(textOf(one)).toBe(textOf(other));
  });

  test.each([
    ['a status', '403, no code', '500, no code'],
    ['a code', '401, code 10009001', '401, code 10009002'],
    ['a word', 'no body', 'no code'],
  ])('tells %s apart', (_, one, other) => {
    expect(textOf(one)).not.toBe(textOf(other));
  });
});

test('a way holds only the start of long texts', () => {
  const long = 'x'.repeat(9_000);
  const { expected, actual, counterexample } = wayOf({ expected: long, actual: long, counterexample: long });
  expect([expected, actual, counterexample].map((text) => text?.length)).toEqual([2_000, 2_000, 4_000]);
});

const seeded = { numRuns: 600, seed: 1729 };

interface Splittable extends JsonSchema {
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, JsonSchema | boolean>>;
}

/** The parts that a value breaks: `presence`, or the name of the field. */
function brokenParts(schema: Splittable): (value: JsonValue) => string[] {
  const names = Object.keys(schema.properties);
  const parts = [
    ['presence', validator(presenceOf(schema))] as const,
    ...names.map((name) => [name, validator(fieldsOf(schema, name))] as const),
  ];
  return (value) => parts.filter(([, faultsOf]) => faultsOf(value).length > 0).map(([name]) => name);
}

describe.each<[string, Splittable]>([
  ['an authorisation', authorisedResult],
  ['a denial', deniedResult],
  ['an authorised invoice', authorisedInvoice],
  ['a validated verdict', validatedVerdict],
  ['an explained verdict', explainedVerdict],
  ['a verdict event', verdictEvent],
])('the parts of the schema of %s', (_what, schema) => {
  const broken = brokenParts(schema);

  test('accept what the whole accepts', () => {
    fc.assert(
      fc.property(instanceOf(schema), (value) => {
        expect(broken(value)).toEqual([]);
      }),
      seeded,
    );
  });

  test('accuse one of them for one fault: presence for a missing field, its own for a wrong one', () => {
    const misses = nearMissOf(schema).filter(({ pointer }) => pointer !== '');
    fc.assert(
      fc.property(misses, ({ value, keyword, pointer }) => {
        const [, field = '', ...within] = pointer.split('/');
        expect(broken(value)).toEqual([keyword === 'required' && within.length === 0 ? 'presence' : field]);
      }),
      seeded,
    );
  });
});

test('several fields can be judged together', () => {
  const faultsOf = validator(fieldsOf(deniedResult, 'nfeLinkXml', 'nfeNumeroProtocolo'));
  expect(faultsOf({ tipo: 1, nfeLinkXml: '', nfeNumeroProtocolo: '' })).toEqual([]);
  expect(faultsOf({ nfeLinkXml: 'x', nfeNumeroProtocolo: '1' })).toEqual([
    '/nfeLinkXml is "x", but is to be ""',
    '/nfeNumeroProtocolo is "1", but is to be ""',
  ]);
});

const published = publishedSchema();

describe('the published schema of results.json', () => {
  const validate = new Ajv2020({ strict: true }).compile(published);

  test('says by which draft it is read, and has an absolute address that names the format', () => {
    expect(published).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: 'urn:nfe-conformance:results@1',
    });
  });

  test.each([
    ['of every verdict', sampleResults()],
    ['with hostile texts', hostileResults()],
    ['in error', errorResults(sampleFacts, 'ECONNREFUSED', 'network')],
  ])('accepts the results of a run %s', (_, results) => {
    expect(validate(results)).toBe(true);
  });

  test('refuses results of another format, and those with a field that is not named', () => {
    expect(validate({ ...sampleResults(), format: 'nfe-conformance/results@2' })).toBe(false);
    expect(validate({ ...sampleResults(), more: 1 })).toBe(false);
  });
});

describe('member', () => {
  describe('a member of a JSON object', () => {
    test('is found under its name, and within another under both', () => {
      const json: unknown = { data: { id: 'x' } };
      expect([member(json, 'data'), member(json, 'data', 'id')]).toEqual([{ id: 'x' }, 'x']);
    });

    test('is missing where there is none, or nothing that could hold one', () => {
      const found = [{}, null, 'text', 7, undefined].map((value) => member(value, 'data', 'id'));
      expect(found).toEqual(Array(5).fill(undefined));
    });

    test.for(['toString', 'constructor', '__proto__'])('is not what every object inherits: %s', (name) => {
      expect(member({}, name)).toBe(undefined);
      expect(member(JSON.parse(`{ "${name}": 1 }`), name)).toBe(1);
    });
  });
});

describe('json text', () => {
  test.each([
    [{ a: [1, 'x'] }, '{"a":[1,"x"]}'],
    [undefined, 'absent'],
    [JSON.parse('['.repeat(50_000) + ']'.repeat(50_000)), 'an array of 1 items'],
    [JSON.parse('{"a":'.repeat(50_000) + '0' + '}'.repeat(50_000)), 'an object of too many levels'],
  ])('a value is told as its JSON, one that is nested too deep as what it is', (value, text) => {
    expect(jsonText(value)).toBe(text);
  });
});

describe('on first use', () => {
  test('a value is made when it is first asked for, and once, even an undefined one', () => {
    const make = vi.fn<() => undefined>();
    const value = onFirstUse(make);
    expect(make).not.toHaveBeenCalled();
    expect([value(), value()]).toEqual([undefined, undefined]);
    expect(make).toHaveBeenCalledTimes(1);
  });
});

const valid = { validationStatus: 'VALIDATED', cStat: null };
const rejected = { validationStatus: 'REJECTED', reason: 'x' };
const before = allFields([valid, rejected].map(fieldsOfVerdict));

test('a field that is there no more is lost, and one that is null is not', () => {
  expect(lostFields(before, fieldsOfVerdict(valid))).toEqual([]);
  expect(lostFields(before, fieldsOfVerdict({ validationStatus: 'VALIDATED' }))).toEqual(['cStat (VALIDATED)']);
});

test('an added field and another kind of verdict lose nothing', () => {
  for (const now of [{ ...valid, extra: 1 }, rejected, { validationStatus: 'NEW' }])
    expect(lostFields(before, fieldsOfVerdict(now))).toEqual([]);
});

test('what is no object has no fields', () => {
  for (const none of [undefined, null, 'text', []]) expect(fieldsOfVerdict(none)).toEqual({});
});

describe('fields of a description', () => {
  test.each<[string, unknown, string[]]>([
    ['at the top', { statusDescription: 'x', status: 'y' }, ['/statusDescription']],
    ['in the data of an event', { data: { validationStatusDescription: null } }, ['/data/validationStatusDescription']],
    ['in items', { eventos: [{}, { tipoDescription: 1 }] }, ['/eventos/1/tipoDescription']],
    ['within one another', { aDescription: { bDescription: '' } }, ['/aDescription', '/aDescription/bDescription']],
    ['of no more than that name', { Description: 'x' }, ['/Description']],
    ['with names that a pointer escapes', { 'a/b~Description': 'x' }, ['/a~1b~0Description']],
  ])('are found %s', (_where, payload, pointers) => {
    expect(descriptionFields(payload)).toEqual(pointers);
  });

  test.each<[string, unknown]>([
    ['a name in other letters', { description: 'x', statusdescription: 'x' }],
    ['a name that only holds the word', { statusDescriptionCode: 1 }],
    ['a value', { xMotivo: 'statusDescription' }],
    ['no object', 'statusDescription'],
    ['null', null],
  ])('are not found in %s', (_what, payload) => {
    expect(descriptionFields(payload)).toEqual([]);
  });
});

const refusal = { success: false, errorType: 1, code: 10009003, message: 'no' };

describe('a fault is a sentence that names the JSON pointer', () => {
  test.each<[string, object, string]>([
    ['a missing field', { success: false, errorType: 1, code: 1 }, '/message is missing'],
    ['a wrong type', { ...refusal, code: '10009003' }, '/code is "10009003", but is to be an integer'],
    ['another value', { ...refusal, success: true }, '/success is true, but is to be false'],
    [
      'a text of the wrong form',
      { ...refusal, message: ' ' },
      '/message is " ", but is to be a text that is not blank',
    ],
  ])('%s', (_, value, sentence) => {
    expect(validator(errorEnvelope)(value)).toEqual([sentence]);
  });

  test('a platform envelope where none may be', () => {
    const envelope = { code: 1, message: 'no', success: false };
    expect(validator(codeMessage)(envelope)).toEqual([
      'the body is {"code":1,"message":"no","success":false}, but is to be bare, in no platform envelope',
    ]);
  });

  test('faults of which none says what is wrong', () => {
    const fault = (mensagem: string): object => ({ codigo: 1, mensagem });
    expect(validator(errorArray)([fault('no'), fault('')])).toEqual([]);
    expect(validator(errorArray)([])).toEqual([
      'the body is [], but is to be an array in which a mensagem is not blank',
    ]);
    expect(validator(errorArray)([fault(' ')])).toHaveLength(1);
  });

  test('a body that is no object', () => {
    expect(validator(errorEnvelope)(undefined)).toEqual(['the body is absent, but is to be an object']);
  });

  test.each([
    ['a text', 'x'.repeat(119), 'a text of 119 characters'],
    ['an array', Array<number>(61).fill(1), 'an array of 61 items'],
    ['an object', { a: 'x'.repeat(120), b: 1 }, 'an object of 2 members'],
  ])('%s of more than 120 characters is told by its size, and nothing of it is shown', (_, success, told) => {
    const fault = `/success is ${told}, but is to be false`;
    expect(validator(errorEnvelope)({ ...refusal, success })).toEqual([fault]);
  });

  test('a value of 120 characters is shown whole', () => {
    const success = 'x'.repeat(118);
    const fault = `/success is "${success}", but is to be false`;
    expect(validator(errorEnvelope)({ ...refusal, success })).toEqual([fault]);
  });
});

test('unknown fields are allowed', () => {
  expect(validator(errorEnvelope)({ ...refusal, traceId: 'a', data: null })).toEqual([]);
});

test.each<[string, object, boolean]>([
  ['alone', {}, true],
  ['with success and errorType', { success: false, errorType: 1, timestamp: 0 }, false],
  ['with success and data', { success: false, data: null, timestamp: 0 }, false],
  ['with nothing but success', { success: false }, false],
  ['with success beside fields of its own', { success: false, timestamp: 0, errors: [] }, true],
  ['with a success that is a text', { success: 'no', errorType: 1, timestamp: 0 }, true],
  ['with errorType', { errorType: 2 }, true],
])('a code and a message %s', (_, fields, isOne) => {
  expect(fits(codeMessage)({ code: 1, message: 'no', ...fields })).toBe(isOne);
});

test('the time of an echo has exactly three fraction digits and is UTC', () => {
  const data = { echo: '', appKey: 'k', appName: 'n' };
  const faults = (serverTime: unknown): number => validator(echoData)({ ...data, serverTime }).length;
  expect(['2026-09-04T12:00:00.000Z', '2026-09-04T12:00:00.123+00:00'].map(faults)).toEqual([0, 0]);
  const wrong = [
    '2026-09-04T12:00:00Z',
    '2026-09-04T12:00:00.1Z',
    '2026-09-04T12:00:00.000-03:00',
    '2026-09-04',
    12,
    null,
  ];
  expect(wrong.map(faults)).toEqual(wrong.map(() => 1));
});

/** What the suite itself writes: large, and nobody sends a near miss of it. */
const own = new Set(['results', 'trace-line', 'history-line']);
const judged = (await projectSchemas()).filter(([name]) => !own.has(name));

test.each(judged)('every near miss of the schema "%s" is found, and the sentence names its place', (_, schema) => {
  const faultsOf = validator(schema);
  fc.assert(
    fc.property(nearMissOf(schema), ({ value, keyword, pointer }) => {
      const faults = faultsOf(value);
      expect(faults).not.toEqual([]);
      const place = keyword === 'additionalProperties' ? `${pointer}/` : pointer || 'the body';
      for (const fault of faults) expect(fault).toContain(place);
    }),
    { numRuns: 40 },
  );
});

describe('the first fault', () => {
  test.each<[string, unknown, string | undefined]>([
    ['is none in a value that fits', refusal, undefined],
    ['is a field that is missing', { success: false, errorType: 1, code: 1 }, '/message is missing'],
    ['is a value of another form, which is not repeated', { ...refusal, code: 's3cr3t' }, '/code is of another form'],
    ['is the whole where that is no object', 's3cr3t', 'the whole is of another form'],
  ])('%s', (_, value, fault) => {
    expect(firstFault(errorEnvelope, value)).toBe(fault);
  });

  test('is a member of another name, which is not repeated', () => {
    const named = { type: 'object', additionalProperties: false, properties: { code: {} } };
    expect(firstFault(named, { code: 1, s3cr3t: 1 })).toBe('the whole has a member of another name');
  });
});

test('of a value with hundreds of thousands of faults the first ones are told', () => {
  const faultsOf = validator({ type: 'array', items: { type: 'integer' } });
  const faults = faultsOf(Array.from({ length: 300_000 }, () => 'no integer'));
  expect(faults).toHaveLength(100);
  expect(faults[0]).toMatch(/^\/0 is "no integer"/);
});
