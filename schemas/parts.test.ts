import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { instanceOf } from '../generators/from-schema.ts';
import type { JsonSchema, JsonValue } from '../generators/json.ts';
import { nearMissOf } from '../generators/near-miss.ts';
import { authorisedInvoice, authorisedResult, deniedResult } from './invoice.ts';
import { fieldsOf, presenceOf } from './messages.ts';
import { validator } from './validate.ts';
import { explainedVerdict, validatedVerdict, verdictEvent } from './verdict.ts';

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
