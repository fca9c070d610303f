import { expect, test } from 'vitest';
import type { Step } from '../../schemas/evidence.ts';
import { runScript } from '../testing/run-script.ts';
import { sampleExchange } from '../sample-run.ts';
import { lackIn, storyScript } from './story-script.ts';

const call: Step = { kind: 'call', evidence: sampleExchange() };
const steering: Step = {
  kind: 'steering',
  call: { at: 1, method: 'POST', path: '/applications', json: {}, status: 201 },
};
const facts = { baseUrl: 'http://127.0.0.1:1', clause: 'echo.a', expected: '200', actual: '500' };

test('a story needs steps that are known: nothing to do, a secret way to sign and a cut body lack something', () => {
  const { evidence } = call.kind === 'call' ? call : { evidence: sampleExchange() };
  const cutBody = { text: '<nfe>', encoding: 'utf-8', bytes: 100_000, cut: true } as const;
  expect(lackIn([call, steering])).toBeUndefined();
  expect(lackIn([])).toBe('steps');
  expect(lackIn([{ kind: 'call', evidence, isFlawed: true }])).toBe('request');
  expect(lackIn([{ kind: 'call', evidence: { ...evidence, request: { ...evidence.request, body: cutBody } } }])).toBe(
    'body',
  );
});

test.each([
  ['without a control API', [steering], {}, /NFE_CONTROL_URL and NFE_CONTROL_TOKEN are not set/],
  ['without the secret', [call], {}, /NFE_APP_SECRET_UNSUBSCRIBED is not set/],
  ['where nobody answers', [call], { NFE_APP_SECRET_UNSUBSCRIBED: 'a-secret-of-somebody' }, /no answer: /],
])('a script ends with 2 and one line %s', async (_, steps, environment, line) => {
  const { status, stderr } = await runScript(storyScript(steps, facts), environment);
  expect(stderr).toMatch(line);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(status).toBe(2);
});
