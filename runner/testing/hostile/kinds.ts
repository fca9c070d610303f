import { frontOf, isEchoOfCheck, type Ways } from './front.ts';
import { breachAlone, broken, unreachable, type HostileTarget } from './hostile-target.ts';

/** What is run where nothing else is said: quick clauses, of which the planted breach breaks the first. */
export const quickClauses: readonly string[] = ['echo.message-returned', 'echo.status'];

/** Arguments that ask for clauses. */
export function clauseWords(ids: readonly string[]): readonly string[] {
  return ids.flatMap((id) => ['--clause', id]);
}

type Kind = (name: string, ways: Ways, change?: Partial<HostileTarget>) => HostileTarget;

/** A hostile way that changes nothing for a right server, with the breach: that is to be seen, and nothing else. */
export const breached: Kind = kind({ hasBreach: true }, breachAlone);

/** Hostile to the echoes of checks alone: the target's own doing. */
export const accused: Kind = kind({ meets: isEchoOfCheck }, broken);

/** Hostile to everything, so that nothing can be judged. */
export const hopeless: Kind = kind({}, unreachable);

function kind(ofKind: Ways, ends: HostileTarget['ends']): Kind {
  return (name, ways, change = {}) => ({
    name,
    start: (upstream) => frontOf(upstream, { ...ofKind, ...ways }),
    words: clauseWords(quickClauses),
    ends,
    ...change,
  });
}
