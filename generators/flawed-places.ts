import type { Call } from '../contract/request.ts';
import { codes } from '../contract/values.ts';
import { plainFlaws, type Flaw } from './flaws.ts';
import { shown } from './named.ts';
import { plainProbes, tellingProbes, type Probe } from './probes.ts';
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

/** Each endpoint with each plain flaw: first each with one of them, in turn. What has a wrong sign has a body that tells how it is signed. */
export const flawedProbes: readonly FlawedProbe[] = plainFlaws.flatMap((_, turn) =>
  plainProbes.flatMap(({ name, ...plain }, at) => {
    const nth = (at + turn) % plainFlaws.length;
    const flaw = plainFlaws[nth];
    const wish = wishOf(nth, at);
    const { callAs } = (flaw?.refusal === codes.signMismatch && tellingProbes[at]) || plain;
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

/** A call of each endpoint and of each retired path: who signs one of them in a way of its own takes a sign of that way there only. */
export const places: readonly Call[] = [
  ...tellingProbes.map(({ callAs }) => callAs('application/xml')),
  ...nineRetiredCalls.map(({ call }) => call),
].map((call) => shown({ ...call, query: 'zz=1&aa=2' }));
