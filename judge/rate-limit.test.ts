import { describe, expect, test } from 'vitest';
import type { TraceRecord } from '../trace/records.ts';
import { brokenByHistory, keptByHistory } from './testing/story.ts';
import { brokenBy } from './testing/broken.ts';
import { recordOf, refused, steeringOf, type RecordWish } from './testing/records.ts';

const clause = 'rate-limit.within-limit-served';
const echo: RecordWish = { body: { success: true, code: 0, message: 'OK', data: {} } };
const query: RecordWish = { method: 'GET', target: '/openapi/v2/empresas/e-1/nf-e/n-1', body: { status: 'Negada' } };
const limited = refused(10009006);

const onOwnClock = { hasOwnClock: true, standing: { rateLimit: { limit: 2, windowSeconds: 60 } } } as const;

/** A call of the control API, in place of a request. */
type Step = RecordWish | 'move' | 'change';

/** What an application sent and got, one after the other. */
function historyOf(steps: readonly Step[], caller: RecordWish['caller'] = onOwnClock): readonly TraceRecord[] {
  return steps.map((step, at) => {
    const sentAtMs = at * 10;
    if (step === 'move') return steeringOf(sentAtMs, 'POST /applications/app/clock', { advanceSeconds: 1 }, 'app');
    if (step === 'change') return steeringOf(sentAtMs, 'PATCH /applications/app', { rateLimit: null }, 'app');
    return recordOf({ ...step, sentAtMs, caller });
  });
}

describe('a limit', () => {
  test.each<[string, readonly Step[]]>([
    ['that lets one too many through', [echo, echo, echo]],
    ['that does so after a move of the clock', [echo, 'move', echo, echo, echo]],
    ['that does so after a refusal', [echo, limited, echo, echo]],
  ])('%s is not kept', (_, steps) => {
    expect(brokenByHistory(historyOf(steps), [clause])).toEqual([clause]);
  });

  test('that refuses what is too many is kept', () => {
    expect(keptByHistory(historyOf([echo, echo, limited]), [clause])).toEqual([clause]);
    expect(brokenByHistory(historyOf([echo, echo, limited]), [clause])).toEqual([]);
  });

  test.each<[string, readonly Step[], RecordWish['caller']?]>([
    ['its window may have ended', [echo, echo, 'move', echo]],
    ['it may be another for each group of endpoints', [echo, echo, query]],
    ['it was changed', [echo, echo, 'change', echo]],
    ['the clock goes', [echo, echo, echo], { standing: onOwnClock.standing }],
    ['there is none', [echo, echo, echo], { hasOwnClock: true }],
    ['others are refused before it', [echo, echo, refused(10009003), refused(10009003)]],
  ])('says nothing wrong of a server where %s', (_, steps, caller) => {
    expect(brokenByHistory(historyOf(steps, caller), [clause])).toEqual([]);
  });
});

test('a 429 without a limit is wrong, but for one of several requests that went out at once', () => {
  const unlimited: RecordWish = { ...limited, caller: { isMade: true } };
  expect(brokenBy(recordOf(unlimited))).toContain(clause);
  expect(brokenBy(recordOf({ ...unlimited, isOfBurst: true }))).toEqual([]);
});
