import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { compareResults } from '../../reports/compare.ts';
import { referenceRules, type Rules } from '../../simulator/rules/rules.ts';
import { newFolder } from '../testing/folders.ts';
import { npmTest, withForeign, type Ended } from '../testing/runs.ts';

const clause = 'retirement.gone';
const [xml, chave] = ['/openapi/nfe/verify/xml', '/openapi/nfe/verify/chave'];
const accepted = { reason: 'TICKET-1', endpoint: xml, by: 'Ana' };

/** Rules by which those of the nine retired paths are no endpoint at all. */
function without(...paths: readonly string[]): Rules {
  const { retirement } = referenceRules;
  return {
    ...referenceRules,
    retirement: {
      ...retirement,
      find: (method, path) => (paths.includes(path) ? undefined : retirement.find(method, path)),
    },
  };
}

/** The run of one clause against a foreign server with a list of known deviations. */
function runWith(list: object, rules: Rules): Promise<Ended> {
  const path = join(newFolder(), 'known.json');
  writeFileSync(path, JSON.stringify(list));
  return withForeign(rules, (settings) =>
    npmTest({ ...settings, NFE_KNOWN_DEVIATIONS: path, NFE_NUM_RUNS: '1' }, '--clause', clause),
  );
}

describe.concurrent('of nine retired paths one is accepted', () => {
  test('and another one is broken, too: the run is red and names it', async () => {
    const { status, stdout, results } = await runWith({ [clause]: accepted }, without(xml, chave));
    expect(status).toBe(1);
    expect(stdout).toMatch(/^failed +retirement\.gone/m);
    expect(stdout).toMatch(/^✗ 4\.3 {2}retirement\.gone: /m);
    const told = { endpoint: `POST ${chave}`, known: [{ endpoint: `POST ${xml}` }] };
    const broken = results?.clauses[0]?.checks.filter(({ state }) => state === 'failed');
    // By the two of its checks that come there, and in passing.
    expect(broken).toMatchObject([told, told, { ...told, inPassing: true }]);
  });

  test('and is the only one that is broken, or is accepted by a reason alone: the run is green, and a comparison tells of others', async () => {
    const [one, many] = await Promise.all([
      runWith({ [clause]: [accepted] }, without(xml)),
      runWith({ [clause]: 'TICKET-1' }, without(xml, chave)),
    ]);
    expect(one.stdout).toContain(`Known deviations: ${clause} (TICKET-1 (POST ${xml}; accepted by Ana))`);
    expect([one.status, many.status]).toEqual([0, 0]);
    if (!one.results || !many.results) throw new Error('a run left no results');
    const { outcome, clauses } = compareResults(one.results, many.results);
    expect(outcome).toBe('different');
    // By the two of its checks that come there, and in passing.
    const onlyB = [expect.stringContaining(chave), expect.stringContaining(chave), expect.stringContaining(chave)];
    expect(clauses).toMatchObject([{ id: clause, ways: { onlyA: [], onlyB } }]);
  });

  test('by a check that does not exist: one line names the nearest one, with status 2', async () => {
    const check = 'each of the nine retired paths gets 410';
    const { status, stderr, results } = await runWith({ [clause]: [{ ...accepted, check }] }, without(xml));
    expect(stderr).toBe(
      `error: NFE_KNOWN_DEVIATIONS: ${clause}, entry 1: no check of it is titled "${check}": did you mean ${check} with 10009034?\n`,
    );
    expect({ status, results }).toEqual({ status: 2, results: undefined });
  });
});
