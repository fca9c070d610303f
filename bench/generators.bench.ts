import fc from 'fast-check';
import { test } from 'vitest';
import { chave } from '../generators/domain.ts';
import { instanceOf } from '../generators/from-schema.ts';
import { accentedCall } from '../generators/telling-calls.ts';
import { echoMessage } from '../generators/text.ts';
import { errorEnvelope } from '../schemas/envelope.ts';

const hundred =
  <T>(arbitrary: fc.Arbitrary<T>) =>
  () =>
    void fc.sample(arbitrary, { numRuns: 100, seed: 1 });

test('a hundred generated values, compared with a hundred plain strings', async ({ bench }) => {
  await bench.compare(
    bench('plain strings', hundred(fc.string())),
    bench('echo messages', hundred(echoMessage())),
    bench('chaves', hundred(chave())),
    bench('calls with accents', hundred(accentedCall())),
    bench('instances of the error envelope', hundred(instanceOf(errorEnvelope))),
  );
});
