import { plainFlaws, type Flaw } from './flaws.ts';
import { plainProbes, type Probe } from './probes.ts';
import { nineRetiredCalls, type RetiredCall } from './retired-calls.ts';
import { wishedInTurn, wishing, type WishedLanguage } from './wished-language.ts';

/*
 * One table for all checks that look at what is refused with 401, wherever it is asked: each endpoint and each retired path with each plain
 * flaw, in changing languages. Checks that take their requests from here can read the same answers.
 */

/** Each flaw in a language of its own: Chinese by either header tells itself from all others. */
function wishOf(flaw: number, place: number): WishedLanguage {
  const wishes: readonly WishedLanguage[] = [['Language', 'zh'], ['Accept-Language', 'zh'], undefined];
  return flaw < wishes.length ? wishes[flaw] : wishedInTurn(place);
}

/** A flawed call of an endpoint, and the language that it asks for. */
export interface FlawedProbe {
  readonly probe: Probe;
  readonly flaw: Flaw;
  readonly wish: WishedLanguage;
}

/** Each endpoint with each plain flaw: first each with one of them, in turn. */
export const flawedProbes: readonly FlawedProbe[] = plainFlaws.flatMap((_, turn) =>
  plainProbes.flatMap(({ name, callAs }, at) => {
    const nth = (at + turn) % plainFlaws.length;
    const flaw = plainFlaws[nth];
    const wish = wishOf(nth, at);
    const probe: Probe = { name, callAs: (contentType) => wishing(callAs(contentType), wish) };
    return flaw ? [{ probe, flaw, wish }] : [];
  }),
);

/** A flawed call of a retired path. */
export interface FlawedRetired {
  readonly chosen: RetiredCall;
  readonly flaw: Flaw;
}

/** Each retired path with each plain flaw: first each with one of them, in turn. */
export const flawedRetired: readonly FlawedRetired[] = plainFlaws.flatMap((_, turn) =>
  nineRetiredCalls.flatMap((retired, at) => {
    const nth = (at + turn) % plainFlaws.length;
    const flaw = plainFlaws[nth];
    return flaw ? [{ chosen: { ...retired, call: wishing(retired.call, wishOf(nth, at)) }, flaw }] : [];
  }),
);

/** Those of the endpoints that have the nth plain flaw. */
export function probesWithFlaw(nth: number): readonly FlawedProbe[] {
  return flawedProbes.filter(({ flaw }) => flaw === plainFlaws[nth]);
}
