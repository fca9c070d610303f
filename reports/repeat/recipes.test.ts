import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Draft } from '../../contract/request.ts';
import { evidenceOf } from '../../trace/evidence.ts';
import { maskFor } from '../../trace/mask.ts';
import { partsOf, signedRequest } from '../../client/sign.ts';
import { recipePairs } from '../../generators/testing/recipe-pairs.ts';
import type { RecipeFacts } from '../../generators/wrong-recipes/recipe.ts';
import { repeatScript } from './script.ts';
import { headerOf, recordingServer, type Recorded } from '../testing/recording-server.ts';
import { runScripts } from '../testing/run-script.ts';

const origin = { appSecret: 'Run-Secret-0123456789', nowSeconds: 1_700_000_000 };
const otherSecret = 'Other-Secret-9876543210';
const mask = maskFor(new Map([[origin.appSecret, '$NFE_APP_SECRET']]));
const wrongUrl = 'https://host.example/prefix';

const cases = recipePairs
  .flatMap(([, recipes, calls]) => recipes.map((recipe) => ({ recipe, calls })))
  .map(({ recipe, calls }, index) => {
    const [sample] = fc.sample(calls, { numRuns: 1, seed: 1729 });
    const call = { method: 'GET', path: '/', ...sample, headers: [['x-case', String(index)]] } as const;
    const right: Draft = { call, token: origin.appSecret, timestamp: String(origin.nowSeconds), origin };
    const facts: RecipeFacts = { parts: partsOf(right), call, baseUrl: wrongUrl };
    const draft: Draft = recipe.hashed
      ? { ...right, hashed: recipe.hashed(facts) }
      : { ...right, sign: () => recipe.sign(facts) };
    return { recipe, facts, evidence: evidenceOf({ request: signedRequest(draft), durationMs: 1 }, { mask }) };
  });

test('the evidence says of every wrong recipe how it computes', () => {
  const unsaid = cases.filter(({ evidence }) => evidence.signing?.digest === undefined);
  expect(unsaid.map(({ recipe }) => recipe.name)).toEqual([]);
  expect(cases.length).toBeGreaterThan(100);
});

test('a script computes every wrong sign anew, for another secret and another time', async () => {
  const server = await recordingServer();
  const facts = { baseUrl: server.baseUrl, clause: 'signature.md5' };
  const scripts = cases.map(({ evidence }) => repeatScript(evidence, facts) ?? '');
  const { status, stdout, stderr } = await runScripts(scripts, { NFE_APP_SECRET: otherSecret });
  server.stop();
  expect([status, stderr, stdout.includes(otherSecret)]).toEqual([2, '', false]);
  const wrong = cases.filter(({ recipe, facts }, index) => {
    const request = server.seen.find((one) => headerOf(one, 'x-case') === String(index));
    return !request || headerOf(request, 'sign') !== recipe.sign(withPartsOf(facts, request));
  });
  expect(wrong.map(({ recipe }) => recipe.name)).toEqual([]);
});

function withPartsOf(facts: RecipeFacts, request: Recorded): RecipeFacts {
  const [token = '', timestamp = ''] = [headerOf(request, 'token'), headerOf(request, 'timestamp')];
  return { ...facts, parts: { ...facts.parts, token, timestamp } };
}
