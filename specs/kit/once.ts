import type { NfeOutcome } from '../../contract/states.ts';
import type { Issuer } from './life-cycle.ts';
import type { Trial } from './trial.ts';

/*
 * What leaves something behind, and that several checks only read: where they share an application, they share this too, since
 * what a run leaves there stays. With a control API each check has an application of its own, and asks for none of it.
 */

/** Makes something once for all checks of a run that share a company; `name` is what the costs of the checks call it. */
export function oncePerRun<T>(
  name: string,
  make: (t: Trial, issuer: Issuer) => Promise<T>,
): (t: Trial, issuer: Issuer) => Promise<T> {
  const made = new Map<string, Promise<T>>();
  return async (t, issuer) => {
    const place = `${t.target.address.baseUrl} ${issuer.empresaId}`;
    try {
      return await t.sharing(name, () => {
        const known = made.get(place) ?? make(t, issuer);
        made.set(place, known);
        return known;
      });
    } catch (error) {
      // What something got in the way of may come for the next check.
      made.delete(place);
      throw error;
    }
  };
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
