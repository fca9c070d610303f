import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { errorResults } from '../reports/judge.ts';
import { hostileResults, sampleFacts, sampleResults } from '../reports/testing/sample-run.ts';
import { publishedSchema } from './stored.ts';

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
