import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { mutants } from '../../mutants/all.ts';
import { letLoose, type Loosed } from '../../mutants/let-loose.ts';
import { measure } from '../../mutants/trace/measure.ts';
import { scriptFiles } from '../../reports/repeat/script.ts';
import { runScript } from '../../reports/testing/run-script.ts';
import type { EndedChild } from '../testing/processes.ts';
import type { StagedRules } from '../../simulator/gateway/gateway.ts';
import { referenceRules } from '../../simulator/rules/rules.ts';
import { startSimulator } from '../../simulator/start.ts';
import { whenFree } from '../../targets/testing/server.ts';
import { readTrace } from '../judging/trace-file.ts';
import { freePort, newFolder } from '../testing/folders.ts';
import { npmTest, ofClauses, ofTopics, withSteered } from '../testing/runs.ts';
import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { isResults } from '../../schemas/stored.ts';
import type { Step } from '../../schemas/evidence.ts';
import type { Results } from '../../schemas/results.ts';

const profile = `${import.meta.dirname}/../../profiles/default`;
const environment = { NFE_PROFILE: profile, REPEAT_WAIT_SECONDS: '3' };

/** One mutant for each kind of story. */
const kinds = [
  ['a single request', 'retirement.one-path-404'],
  ['a field of an answer', 'echo.app-key-a-number'],
  ['an issuance and a query', 'nfe-query.status-misspelt'],
  ['a cancellation', 'nfe-cancellation.as-204'],
  ['a field of a callback', 'issuance-callback.null-for-empty'],
  ['retries of a callback', 'webhook-delivery.no-retries'],
  ['a verdict event', 'verdict-event.version-2'],
  ['a registration of an address', 'webhook-url.relative-taken'],
  ['a rotation of the secret', 'token.old-secret-kept'],
  ['an application in a condition', 'application.disabled-served'],
  ['a rate limit', 'rate-limit.never'],
  ['a move of the clock', 'nfe-query.xml-link-for-a-minute'],
  ['a language', 'language.403-in-english'],
  ['two companies', 'nfe-query.documents-as-a-page'],
  ['two documents', 'nfe-query.danfe-of-the-last-queried'],
  ['a callback beside its document', 'issuance-callback.numero-one-more'],
  ['a token of another length', 'issuance-callback.token-cut'],
  ['what a token holds', 'issuance-callback.token-spaces-squeezed'],
  ['tokens of two applications', 'issuance-callback.token-of-another-application'],
  ['what an answer to a delivery holds', 'webhook-delivery.acknowledged-by-body-too'],
  ['a record of the authority', 'verdict-event.another-protocolo-when-rejected'],
  ['one of many documents', 'nfe-verification.blind-when-the-reference-is-absent'],
  ['a request that another one equals but for its body', 'precedence.json-parsed-first'],
  ['one of many requests, of which not all can be sent again', 'precedence.chave-read-first'],
  ['two rotations of the secret', 'token.old-one-kept-by-a-second-rotation'],
  ['a limit that several cases share', 'rate-limit.as-503'],
] as const;

function mutantOf(id: string): (typeof mutants)[number] {
  const found = mutants.find((mutant) => mutant.id === id);
  if (!found) throw new Error(`no mutant is called ${id}`);
  return found;
}

describe('the script of a finding', () => {
  let loosed: Loosed;

  beforeAll(async () => {
    const how = { seed: 1729, numRuns: 3, mostShrinks: 0, repetitions: 0, isTraced: true };
    const wrong = kinds.map(([, id]) => mutantOf(id));
    loosed = await letLoose(wrong.map(({ id, rules, breaks }) => ({ id, rules, clauses: breaks, ...how })));
  });

  test('nothing of the suite itself breaks', () => {
    expect(loosed.faults).toEqual([]);
  });

  /** How the first script of a run against a mutant ends at a server, with its secret. */
  async function ranAt(script: string, rules: StagedRules): Promise<EndedChild & { readonly secret: string }> {
    return withSteered(rules, async (settings) => {
      const ran = await runScript(script, { ...environment, ...settings });
      return { ...ran, secret: settings.NFE_CONTROL_TOKEN };
    });
  }

  test.each(kinds)('about %s ends with 1 at who is wrong, with 0 at who is right, with 2 by itself', async (_, id) => {
    const results = loosed.results.get(id);
    const [script = ''] = results ? scriptFiles(results).values() : [];
    const { rules } = mutantOf(id);
    const [onMutant, onReference, withNothing] = await Promise.all([
      ranAt(script, rules),
      ranAt(script, referenceRules),
      runScript(script, {}),
    ]);
    expect(onMutant.stdout).toContain('\nREPRODUCED');
    expect(onReference.stdout).toContain('\nNOT REPRODUCED');
    expect(withNothing.stderr).toMatch(/^NOT TRIED: [^\n]+\n$/);
    expect([onMutant, onReference, withNothing].map(({ status }) => status)).toEqual([1, 0, 2]);
    expect(script + onMutant.stdout + onMutant.stderr).not.toContain(onMutant.secret);
  });

  test('about an application that was there before, whose company its steps do not register, makes both anew', async () => {
    const { id, rules } = mutantOf('nfe-query.status-misspelt');
    const results = loosed.results.get(id);
    const isBefore = (step: Step): boolean =>
      step.kind === 'steering' ||
      (step.kind === 'call' && /\/empresas$|\/certificadoDigital$/.test(step.evidence.request.target));
    const shared = results?.clauses.map((clause) => ({
      ...clause,
      checks: clause.checks.map((one) =>
        one.story ? { ...one, story: one.story.filter((step) => !isBefore(step)) } : one,
      ),
    }));
    const [script = ''] = results ? scriptFiles({ ...results, clauses: shared ?? [] }).values() : [];
    const [onMutant, onReference] = [await ranAt(script, rules), await ranAt(script, referenceRules)];
    expect([onMutant, onReference].map(({ status, stdout, stderr }) => [status, stdout + stderr])).toEqual([
      [1, expect.stringContaining('\nREPRODUCED')],
      [0, expect.stringContaining('\nNOT REPRODUCED')],
    ]);
  });
});

describe.concurrent('the script of a finding on a sandbox, whose company and application were there before', () => {
  test.each([
    ['an issuance and a query', 'nfe-query.status-misspelt'],
    ['a callback', 'issuance-callback.without-token'],
    ['the token of a callback', 'issuance-callback.token-cut'],
    ['the address of a callback', 'webhook-url.slash-unescaped'],
  ])('about %s ends with 1 as often as it runs, and with 0 once that is mended', async (_, id) => {
    const dataFile = join(newFolder(), 'nfe.db');
    const listen = `127.0.0.1:${await freePort()}`;
    const receiver = { NFE_WEBHOOK_LISTEN: listen, NFE_WEBHOOK_PUBLIC_URL: `http://${listen}` };
    const { rules, breaks } = mutantOf(id);
    const port = await freePort();
    const wrong = await startSimulator({ rules, dataFile, port });
    const settings = { ...receiver, NFE_BASE_URL: wrong.baseUrl, NFE_APP_SECRET: wrong.readyApplication().appSecret };
    const { results } = await npmTest({ ...settings, NFE_MAX_RPS: '0', NFE_NUM_RUNS: '2' }, ...ofClauses(...breaks));
    const [script = ''] = results ? scriptFiles(results).values() : [];
    const ran = () => runScript(script, { ...environment, ...settings });
    const onWrong = [await ran(), await ran()];
    await wrong.stop();
    const mended = await whenFree(() => startSimulator({ dataFile, port }));
    const onMended = await ran();
    await mended.stop();
    expect([...onWrong, onMended].map(({ status, stdout, stderr }) => [status, stdout + stderr])).toEqual([
      [1, expect.stringContaining('\nREPRODUCED')],
      [1, expect.stringContaining('\nREPRODUCED')],
      [0, expect.stringContaining('\nNOT REPRODUCED')],
    ]);
  });
});

test('the script of a finding about a document whose people the report hides needs the profile that has it', async () => {
  const { rules, breaks } = mutantOf('verdict-event.version-2');
  await withSteered(rules, async (settings) => {
    const { results } = await npmTest({ ...settings, NFE_MAX_RPS: '0', NFE_NUM_RUNS: '1' }, ...ofClauses(...breaks));
    const [script = ''] = results ? scriptFiles(results).values() : [];
    const [bare, equipped] = await Promise.all([
      runScript(script, settings),
      runScript(script, { ...environment, ...settings }),
    ]);
    expect([bare.status, bare.stderr]).toEqual([
      2,
      expect.stringMatching(/^NOT TRIED: .*NFE_PROFILE does not have it\n$/),
    ]);
    expect([equipped.status, equipped.stdout]).toEqual([1, expect.stringContaining('\nREPRODUCED')]);
    expect(script).toMatch(/NFE_PROFILE: the folder with [^\n]*the documents that the run sent/);
  });
});

const folder = newFolder();
const path = join(folder, 'trace.ndjson.gz');

function resultsIn(directory: string): Results {
  const value: unknown = JSON.parse(readFileSync(join(directory, 'results.json'), 'utf8'));
  if (!isResults(value)) throw new Error('no results');
  return value;
}

function verdictsIn({ clauses }: Results): readonly (readonly [string, string])[] {
  return clauses.map(({ id, verdict }) => [id, verdict] as const);
}

/** A trace that is judged: its exit status, and its results. */
async function judged(file: string) {
  const out = newFolder();
  const { status } = await npmTest({ NFE_REPORT_DIR: out }, '--judge', file);
  return { status, results: () => resultsIn(join(out, 'judged')) };
}

describe('a run that is judged again by its trace', () => {
  beforeAll(async () => {
    const words = [...ofTopics('echo', 'issuance-callback', 'rate-limit'), '--seed', '1'];
    await npmTest({ NFE_REPORT_DIR: folder, NFE_NUM_RUNS: '1' }, ...words);
  });

  test('comes to the same verdict of every clause', async () => {
    const { status, results } = await judged(path);
    expect(status).toBe(0);
    expect(verdictsIn(results())).toEqual(verdictsIn(resultsIn(folder)));
  });

  test('breaks a clause where one of its answers was another', async () => {
    const lines = gunzipSync(readFileSync(path)).toString('utf8').split('\n');
    const at = lines.findLastIndex((line) => line.includes('"kind":"delivery"') && line.includes('nfeNumeroProtocolo'));
    const changed = lines.map((line, index) =>
      index === at ? line.replaceAll('nfeNumeroProtocolo', 'protocolo') : line,
    );
    const file = join(newFolder(), 'changed.gz');
    writeFileSync(file, gzipSync(changed.join('\n')));
    const { status, results } = await judged(file);
    expect(status).toBe(1);
    const failed = results().clauses.filter(({ verdict }) => verdict === 'failed');
    expect(failed.map(({ id }) => id)).toEqual([expect.stringMatching(/^issuance-callback\.all-fields/)]);
    expect(failed[0]?.checks.find(({ state }) => state === 'failed')?.error?.actual).toMatch(
      /in 1 of \d+ that were seen: intermittent/,
    );
  });

  test('breaks no clause where a message is otherwise in what a target is free to do', () => {
    const { accused, breaks } = measure(readTrace(path).lines, 1_000);
    expect(accused).toEqual([]);
    expect([...breaks.values()].filter((times) => times > 0).length).toBeGreaterThan(40);
  });
});
