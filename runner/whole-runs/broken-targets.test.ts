import { beforeAll, describe, expect, test } from 'vitest';
import { catalogue, isJudged } from '../../contract/catalogue.ts';
import { letLoose, type Loosed } from '../../mutants/let-loose.ts';
import { withStages } from '../../mutants/mutant.ts';
import { stageBehind } from '../../mutants/wire/wire.ts';
import type { StagedRules } from '../../simulator/gateway/gateway.ts';
import { contentOf } from '../../simulator/http/reply.ts';
import { referenceRules } from '../../simulator/rules/rules.ts';
import { npmTest, withSteered, ofTopics } from '../testing/runs.ts';

/** An answer whose body is read byte by byte. */
interface SpoiltAnswer {
  readonly status: number;
  readonly text: string;
}

type Spoil = (answer: SpoiltAnswer) => SpoiltAnswer;

/**
 * Answers as the simulator does, but spoilt; the first answer, by which a run finds out whether it can begin, is left alone, and so
 * is the control API.
 */
function spoiling(spoil: Spoil): StagedRules {
  let answered = 0;
  const stage = stageBehind(({ reply }) => {
    const { type, bytes } = contentOf(reply);
    const answer = { status: reply.status, text: bytes.toString('latin1') };
    const { status, text } = answered++ === 0 ? answer : spoil(answer);
    return Promise.resolve({ status, content: { type, bytes: Buffer.from(text, 'latin1') } });
  });
  return withStages(referenceRules, [stage]);
}

/** Puts something else in the place of each text of a JSON body. */
function eachText(change: (text: string) => unknown): Spoil {
  return ({ status, text }) => {
    if (!/^\s*[[{"]/.test(text)) return { status, text };
    const parsed: unknown = JSON.parse(text, (_, value: unknown) =>
      typeof value === 'string' ? change(value) : value,
    );
    return { status, text: JSON.stringify(parsed) ?? '' };
  };
}

const emptyObjects: Spoil = ({ status }) => ({ status, text: '{}' });

const kinds: Readonly<Record<string, Spoil>> = {
  'every body is an empty object': emptyObjects,
  'everything is accepted with an empty array': () => ({ status: 200, text: '[]' }),
  'everything is refused with 500 and a text': () => ({ status: 500, text: 'Internal Server Error' }),
  'every text of a body is a number': eachText(() => 7),
  'every text of a body is misspelt': eachText((value) => `${value}x`),
};

describe('a target that is broken through and through breaks no check of the suite, each made with one example and one case', () => {
  let loosed: Loosed;
  beforeAll(async () => {
    const all = catalogue.filter(isJudged).map(({ id }) => id);
    // What is read first in an answer is its shape: each check meets two kinds of a wrong shape, and both of wrong values.
    const clausesOf = (at: number): string[] => all.filter((_, index) => at > 2 || index % 3 !== at);
    const once = { seed: 1729, numRuns: 1, mostExamples: 1, mostShrinks: 0, repetitions: 0, isTraced: true };
    loosed = await letLoose(
      Object.entries(kinds).map(([id, spoil], at) => ({ id, rules: spoiling(spoil), clauses: clausesOf(at), ...once })),
    );
  });

  test.each(Object.keys(kinds))('%s', (kind) => {
    expect(loosed.faults).toEqual([]);
    expect(loosed.results.get(kind)?.verdict).toBe('nonconformant');
  });
});

/** Checks by examples, by generated cases and by sequences of steps; of requests of each kind, and of deliveries. */
const someTopics = ['echo', 'nfe-verification', 'nfe-query', 'webhook-signature'];

test('a run against one is judged: failures are repeated, made smaller, surveyed and reported, and break nothing either', async () => {
  await withSteered(spoiling(emptyObjects), async (settings) => {
    const words = ofTopics(...someTopics);
    const { stderr, status, results } = await npmTest({ ...settings, NFE_NUM_RUNS: '1' }, ...words);
    expect(stderr).toBe('');
    expect(status).toBe(1);
    expect(results?.verdict).toBe('nonconformant');
  });
});
