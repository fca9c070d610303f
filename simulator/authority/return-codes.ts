import { belowThreeHundred } from './return-texts/below-300.ts';
import { fromFiveHundred } from './return-texts/from-500.ts';
import { fromSixHundred } from './return-texts/from-600.ts';
import { fromThousand } from './return-texts/from-1000.ts';
import { fromThreeHundred } from './return-texts/from-300.ts';

const texts: ReadonlyMap<string, string> = new Map(
  [belowThreeHundred, fromThreeHundred, fromFiveHundred, fromSixHundred, fromThousand].flatMap((part) =>
    Object.entries(part),
  ),
);

/**
 * The tax authority's text for a return code with which an issuance or a cancellation ends, in Portuguese, without the
 * details that the authority adds in brackets. `undefined` for any other code.
 */
export function returnText(cStat: string): string | undefined {
  return texts.get(cStat);
}

/** Whether an issuance can be denied with a code: it is known, and says neither success nor that the service pauses. */
export function isDenial(cStat: string): boolean {
  return texts.has(cStat) && (cStat === '110' || Number(cStat) >= 200);
}
