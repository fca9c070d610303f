import { catalogue, isJudged } from '../contract/catalogue.ts';
import type { CheckOutcome, ExchangeEvidence, Results } from '../schemas/results.ts';
import { judge } from './judge.ts';
import { sampleClause, sampleExchange, sampleFacts, sampleFailure, sampleOutcome } from './sample-run.ts';

/** How large a run is. */
export interface RunSize {
  readonly topics: number;
  readonly clausesOfTopic: number;
  readonly checksOfClause: number;
  /** Exchanges that each check kept. */
  readonly exchangesOfCheck: number;
  /** One clause in so many fails. */
  readonly oneFailsOf: number;
}

/** A run far larger than the suite makes: 2,000 checks that kept 50,000 exchanges. */
export const largeRunSize: RunSize = {
  topics: 20,
  clausesOfTopic: 20,
  checksOfClause: 5,
  exchangesOfCheck: 25,
  oneFailsOf: 4,
};

/** A run of a size, to test and to measure reports with; equal sizes give equal runs. */
export function largeRun(size: RunSize = largeRunSize): Results {
  const ids = Array.from({ length: size.topics * size.clausesOfTopic }, (_, index) => clauseId(index, size));
  const clauses = ids.map((id, index) => sampleClause(id, index % 3 === 0 ? { level: 'should' } : {}));
  const outcomes = ids.flatMap((id, index) => outcomesOf(id, index % size.oneFailsOf === 0, size));
  return judge(sampleFacts, clauses, outcomes);
}

/** A run over clauses of the catalogue, one in so many of them, each of which has failed. */
export function failedRun(oneOf: number): Results {
  const clauses = catalogue.filter(isJudged).filter((_, index) => index % oneOf === 0);
  const failure = { ...sampleFailure, exchanges: [sampleExchange(), sampleExchange()] };
  return judge(
    sampleFacts,
    clauses,
    clauses.map(({ id }) => sampleOutcome(id, failure)),
  );
}

function clauseId(index: number, { clausesOfTopic }: RunSize): string {
  return `topic-${Math.floor(index / clausesOfTopic)}.clause-${index % clausesOfTopic}`;
}

function outcomesOf(id: string, isFailed: boolean, { checksOfClause, exchangesOfCheck }: RunSize): CheckOutcome[] {
  return Array.from({ length: checksOfClause }, (_, index) =>
    sampleOutcome(id, {
      ...(isFailed ? sampleFailure : {}),
      name: `rule ${index} of ${id} holds`,
      exchanges: Array.from({ length: exchangesOfCheck }, (_, position) => exchange(`${id}/${index}/${position}`)),
    }),
  );
}

function exchange(place: string): ExchangeEvidence {
  const { request, ...rest } = sampleExchange();
  return { ...rest, request: { ...request, target: `/openapi/${place}` } };
}
