import type { ClauseId } from '../contract/catalogue.ts';
import type { Reply } from '../simulator/http/reply.ts';
import type { RequestFacts } from '../simulator/http/request-facts.ts';
import type { Context, Stage } from '../simulator/gateway/stage.ts';
import { referenceRules, type Rules } from '../simulator/rules.ts';

/** A simulator that is wrong on purpose, to prove that the suite notices. */
export interface Mutant {
  /** `<topic>.<what is wrong>`. */
  readonly id: string;
  /** The clauses that it breaks: a check of each must fail. */
  readonly breaks: readonly ClauseId[];
  readonly rules: Rules;
}

type Topics = Exclude<keyof Rules, 'stages'>;

/** The reference with some rules of one topic replaced. */
export function mutant<Topic extends Topics>(
  id: string,
  breaks: readonly ClauseId[],
  topic: Topic,
  change: Partial<Rules[Topic]>,
): Mutant {
  return { id, breaks, rules: withRules(topic, change) };
}

/** The reference with one stage of the gateway replaced; the new one may ask the old one. */
export function stageMutant(
  id: string,
  breaks: readonly ClauseId[],
  stageName: string,
  answer: (request: RequestFacts, context: Context, original: Stage) => ReturnType<Stage['answer']>,
): Mutant {
  const stages = referenceRules.stages.map((original): Stage =>
    original.name === stageName
      ? { name: stageName, answer: (request, context) => answer(request, context, original) }
      : original,
  );
  return { id, breaks, rules: { ...referenceRules, stages } };
}

/** Takes a right `sign`, and also one that is made by rules with some replaced: what a lenient server does. */
export function lenientMutant(id: string, breaks: readonly ClauseId[], change: Partial<Rules['signature']>): Mutant {
  const also = withRules('signature', change);
  return stageMutant(id, breaks, 'signature', async (request, context, original): Promise<Reply | undefined> => {
    const refusal = await original.answer(request, context);
    return refusal && original.answer(request, { ...context, rules: also });
  });
}

function withRules<Topic extends Topics>(topic: Topic, change: Partial<Rules[Topic]>): Rules {
  return { ...referenceRules, [topic]: { ...referenceRules[topic], ...change } };
}
