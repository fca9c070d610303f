import { expect, test } from 'vitest';
import { sampleExchange, sampleFailure, sampleOutcome } from '../sample-run.ts';
import { storyOf } from './story.ts';

const own = { ...sampleExchange(), at: 2_000 };
const before = { ...sampleExchange(), at: 1_000 };
const delivery = { ...sampleExchange(), at: 3_000, received: true, answered: 500 } as const;
const steered = [
  { at: 1_500, method: 'POST', path: '/applications/a/clock', json: { advanceSeconds: 60 }, status: 200 },
];

test('the steps of a failing case are told in the order of time, with the request that is repeated marked', () => {
  const { result } = sampleOutcome('echo.a', { ...sampleFailure, steered, exchanges: [before, own, delivery] });
  expect(storyOf(result, own)).toEqual([
    'What happened in the failing case, of which this script repeats the request that is marked:',
    '  00:00:01.000  POST /openapi/nfe/verify/xml -> 403',
    '  00:00:01.500  control API: POST /applications/a/clock {"advanceSeconds":60} -> 200',
    '  00:00:02.000  THIS: POST /openapi/nfe/verify/xml -> 403',
    '  00:00:03.000  delivery: POST /openapi/nfe/verify/xml, answered 500',
  ]);
});

test('a request that was all there was has no story', () => {
  expect(storyOf(sampleOutcome('echo.a', { ...sampleFailure, exchanges: [own] }).result, own)).toEqual([]);
});

test('of many steps the last ones are told, and how many came before', () => {
  const many = Array.from({ length: 30 }, (_, at) => ({ ...sampleExchange(), at }));
  const { result } = sampleOutcome('echo.a', { ...sampleFailure, exchanges: many });
  const lines = storyOf(result, many[29] ?? own);
  expect(lines[1]).toBe('  18 steps before');
  expect(lines.at(-1)).toContain('THIS: ');
});
