import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { instanceOf } from '../generators/from-schema.ts';
import type { JsonSchema, JsonValue } from '../generators/json.ts';
import { nearMissOf } from '../generators/near-miss.ts';
import { faultsOfInvoice, faultsOfNfeResult, faultsOfVerdict, faultsOfVerdictEvent } from './faults-of.ts';
import { invoiceByState } from './invoice.ts';
import { nfeResultByOutcome } from './nfe-result.ts';
import { verdictByState, verdictEvent } from './verdict.ts';

const seeded = { numRuns: 300, seed: 1729 };

type FaultsOf = (value: unknown) => readonly string[];

/** With the field whose word says which schema holds: another word there is not a fault by itself. */
describe.each<[string, FaultsOf, string, Readonly<Record<string, JsonSchema>>]>([
  ['an invoice', faultsOfInvoice, 'status', invoiceByState],
  ['a result', faultsOfNfeResult, 'nfeStatus', nfeResultByOutcome],
  ['a verdict', faultsOfVerdict, 'validationStatus', verdictByState],
])('of %s', (_what, faultsOf, wordField, schemas) => {
  test.each(Object.entries(schemas))('in state %s, every instance is faultless', (_state, schema) => {
    fc.assert(
      fc.property(instanceOf(schema), (value) => {
        expect(faultsOf(value)).toEqual([]);
      }),
      seeded,
    );
  });

  test.each(Object.entries(schemas))('in state %s, every near miss has one fault', (_state, schema) => {
    const misses = nearMissOf(schema).filter(({ pointer }) => pointer !== `/${wordField}`);
    fc.assert(
      fc.property(misses, ({ value }) => {
        expect(faultsOf(value)).toHaveLength(1);
      }),
      seeded,
    );
  });
});

test('the faults of a verdict in an event are those of the verdict, in its data', () => {
  const wrongVerdicts: fc.Arbitrary<JsonValue> = nearMissOf(verdictByState.REJECTED)
    .filter(({ pointer }) => pointer !== '')
    .map(({ value }) => value);
  fc.assert(
    fc.property(instanceOf(verdictEvent), wrongVerdicts, (event, data) => {
      const whole = Object.assign({}, event, { data });
      expect(faultsOfVerdictEvent(whole)).toEqual(faultsOfVerdict(data).map((fault) => `/data${fault}`));
    }),
    seeded,
  );
});
