import type { Flaw } from '../../generators/flaws.ts';
import type { Place } from '../../generators/probes.ts';
import type { Trial } from './trial.ts';

/** Fails unless a request with that flaw is refused for it at that place; the hint is told where it is not. Sections 5.1 and 7.2. */
export async function isRefusedAt(t: Trial, place: Place, { refusal, apply }: Flaw, hint: string): Promise<void> {
  const [caller, call] = [await t.caller(), place.callAs(t.target.address.xmlContentType)];
  if (place.isRetired) await t.refusesAlone(caller, call, refusal, hint, apply);
  else await t.refuses(caller, call, refusal, apply, hint);
}
