import { results } from './results.ts';

/** The JSON Schema of `results.json` for other programs: draft 2020-12, with an address of its own, needing no other schema. */
export function publishedSchema() {
  const { $id: _, ...schema } = results;
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:nfe-conformance:${results.properties.format.const.replace('nfe-conformance/', '')}`,
    title: 'Results of a run of the NF-e conformance suite',
    ...schema,
  };
}
