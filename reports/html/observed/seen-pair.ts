import type { ClauseId } from '../../../contract/catalogue.ts';
import type { PlatformCode } from '../../../contract/values.ts';
import { refusalsInOrder, refusalWith, statedOrder } from '../../../contract/precedence.ts';
import type { ObservedOrder } from '../../../schemas/observed.ts';

/** How an observed order stands to the contract: as it states or implies it, against that, or left open there. */
export const agreements = ['stated', 'implied', 'against-stated', 'against-implied', 'open'] as const;

export type Agreement = (typeof agreements)[number];

/** Two flaws of one request: the one that was answered, and the one that stood beside it. */
export interface SeenPair {
  readonly first: string;
  readonly second: string;
  readonly agreement: Agreement;
  /** The clause that has the order. */
  readonly clause?: ClauseId;
}

/** A flaw with the refusal that it gets when it is alone; a code that the contract does not know is none. */
export interface SeenFlaw {
  readonly name: string;
  readonly refusal?: PlatformCode;
}

/** An observed order beside what the contract says of it. */
export function seenPair({ first, second, firstCode, secondCode }: ObservedOrder): SeenPair {
  const [answered, other] = [refusalOf(firstCode), refusalOf(secondCode)];
  const order = answered && other && statedOrder(answered, other);
  if (!order) return { first, second, agreement: 'open' };
  const strength = order.level === 'must' ? 'stated' : 'implied';
  const agrees = order.first.code === answered.code;
  return { first, second, agreement: agrees ? strength : `against-${strength}`, clause: order.clause };
}

/** The flaws of these pairs: in the order in which the contract has their refusals answered, the unknown ones last. */
export function seenFlaws(order: readonly ObservedOrder[]): SeenFlaw[] {
  const named = order.flatMap(({ first, second, firstCode, secondCode }) => [
    { name: first, refusal: refusalOf(firstCode) },
    { name: second, refusal: refusalOf(secondCode) },
  ]);
  const flaws = [...Map.groupBy(named, ({ name }) => name)].map(([name, same]): SeenFlaw => {
    // A part of the run may come from an earlier suite, which recorded no codes.
    const refusal = same.find((one) => one.refusal !== undefined)?.refusal;
    return refusal ? { name, refusal } : { name };
  });
  return flaws.sort((a, b) => placeOf(a) - placeOf(b) || (a.name < b.name ? -1 : 1));
}

function refusalOf(code: number | undefined): PlatformCode | undefined {
  return code === undefined ? undefined : refusalWith(code);
}

function placeOf({ refusal }: SeenFlaw): number {
  const place = refusalsInOrder.findIndex(({ code }) => code === refusal?.code);
  return place === -1 ? refusalsInOrder.length : place;
}
