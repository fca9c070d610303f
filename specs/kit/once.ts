import type { NfeOutcome } from '../../contract/values.ts';
import { NotExercised } from '../../targets/not-exercised.ts';
import { hurriedText } from './awaiting.ts';
import type { Issuer } from './life-cycle.ts';
import type { Trial } from './trial.ts';

/*
 * What leaves something behind, and that several checks only read: where they share an application, they share this too, since
 * what a run leaves there stays. With a control API each check has an application of its own, and asks for none of it.
 */

/** How often something is tried in all that comes to nothing: the checks after that are told why the last time. */
const mostTries = 3;

/** What was tried to make. */
interface Made<T> {
  readonly result: Promise<T>;
  readonly tries: number;
  /** Set where it failed. */
  failure?: { readonly maker: Trial; readonly wasHurried: boolean };
}

/** Makes something once for all checks of a run that share a company; `name` is what the costs of the checks call it. */
export function oncePerRun<T>(
  name: string,
  make: (t: Trial, issuer: Issuer) => Promise<T>,
): (t: Trial, issuer: Issuer) => Promise<T> {
  const all = new Map<string, Made<T>>();
  const madeAt = (place: string, t: Trial, issuer: Issuer): Made<T> => {
    const known = all.get(place);
    if (known && (!known.failure || known.tries === mostTries)) return known;
    const made: Made<T> = { result: make(t, issuer), tries: (known?.tries ?? 0) + 1 };
    all.set(place, made);
    return made;
  };
  return (t, issuer) =>
    t.sharing(name, async () => {
      const made = madeAt(`${t.target.address.baseUrl} ${issuer.empresaId}`, t, issuer);
      try {
        return await made.result;
      } catch (error) {
        made.failure ??= { maker: t, wasHurried: t.isHurried() };
        // Whoever only reads it has waited for nothing, and can't wait longer when repeated.
        if (made.failure.wasHurried && made.failure.maker !== t) throw new NotExercised(hurriedText);
        throw error;
      }
    });
}

/** The same for each outcome of an invoice. */
export function oncePerOutcome<T>(
  name: string,
  make: (t: Trial, issuer: Issuer, outcome: NfeOutcome) => Promise<T>,
): Readonly<Record<NfeOutcome, (t: Trial, issuer: Issuer) => Promise<T>>> {
  const of = (outcome: NfeOutcome): ((t: Trial, issuer: Issuer) => Promise<T>) =>
    oncePerRun(`${name}: ${outcome}`, (t, issuer) => make(t, issuer, outcome));
  return { Autorizada: of('Autorizada'), Negada: of('Negada') };
}
