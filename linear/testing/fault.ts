import { check, type Parameters } from 'recheck';
import type { Expression } from './expressions.ts';

/**
 * Limits in steps rather than in time, so that a busy machine decides as an idle one does. Whatever an automaton can decide it
 * decides, counted repetitions too: what is left to fuzzing are lookarounds and back references.
 */
const limits: Parameters = { maxRepeatCount: 1_000, incubationTimeout: null, attackTimeout: null, timeout: 120_000 };

/**
 * What is wrong with an expression; `undefined` where it takes linear time on every text, wherever in it the match is sought. A
 * sticky expression is asked again and again along a text, so that it counts as one that is not.
 */
export async function faultOf({ source, flags }: Pick<Expression, 'source' | 'flags'>): Promise<string | undefined> {
  const found = await check(source, flags.replace('y', ''), limits);
  if (found.status === 'safe') return undefined;
  const why =
    found.status === 'vulnerable' ? `${found.complexity.summary} on ${found.attack.pattern}` : found.error.kind;
  return `/${source}/${flags} is ${found.status}: ${why}`;
}

/** The faults of some expressions, each with where it stands. */
export async function faultsOf(expressions: readonly Expression[]): Promise<string[]> {
  const alike = Map.groupBy(expressions, ({ source, flags }) => `/${source}/${flags}`);
  const left = [...alike.values()];
  const faults: string[] = [];
  const decide = async (): Promise<void> => {
    for (let same = left.pop(); same; same = left.pop()) {
      const fault = same[0] && (await faultOf(same[0]));
      if (fault !== undefined) faults.push(`${same.map(({ where }) => where).join(' ')} ${fault}`);
    }
  };
  // The checker is a process of its own, which takes several questions at once.
  await Promise.all([decide(), decide()]);
  return faults;
}
