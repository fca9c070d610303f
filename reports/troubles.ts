import type { ClauseResult, ClauseVerdict, Results } from '../schemas/results.ts';
import { type Trouble, troubles } from '../contract/values.ts';
import { isBroken, isStale } from './verdicts.ts';

/** What one party has to see to, counted. */
export interface TroubleCount {
  readonly whose: Trouble;
  /** Clauses that do not hold: the target's; an entry of the known deviations that is stale: the settings'. */
  readonly failed: number;
  /** Clauses that do not hold and only warn: the target's. */
  readonly warned: number;
  /** Clauses that do not hold and are listed as known deviations: the target's. */
  readonly known: number;
  /** Must clauses that could not be exercised for its sake, and other clauses. */
  readonly open: number;
  readonly openOthers: number;
  /** Checks whose repetitions differed, or that were disturbed on the way. */
  readonly flaky: number;
  /** What stopped the whole run. */
  readonly error?: string;
}

/** What of a run tells whose trouble it met. */
interface Met extends Pick<Results, 'verdict' | 'error' | 'trouble'> {
  readonly clauses: readonly ClauseResult[];
}

/** Whose trouble a run met, party by party; none at all is an empty list. */
export function troublesOf(results: Met): TroubleCount[] {
  return troubles.map((whose) => countOf(whose, results)).filter(hasAny);
}

function countOf(whose: Trouble, results: Met): TroubleCount {
  const { clauses, verdict, error = '', trouble = 'suite' } = results;
  const isFailing = whose === 'target' ? isBroken : whose === 'settings' ? isStale : () => false;
  const flaky = clauses.flatMap(({ checks }) => checks).filter((check) => check.flaky !== undefined);
  const count = (own: ClauseVerdict): number => clauses.filter((clause) => clause.verdict === own).length;
  const open = clauses.filter(
    (clause) => (clause.verdict === 'not-exercised' || clause.verdict === 'blocked') && openFor(clause) === whose,
  );
  const openMust = open.filter(({ level }) => level === 'must').length;
  return {
    whose,
    failed: clauses.filter(isFailing).length,
    warned: whose === 'target' ? count('warned') : 0,
    known: whose === 'target' ? count('known') : 0,
    open: openMust,
    openOthers: open.length - openMust,
    flaky: whose === 'network' ? flaky.length : 0,
    ...(verdict === 'error' && whose === trouble ? { error } : {}),
  };
}

/**
 * Whose trouble keeps a clause from being exercised: of several the one that a setting can end, unless the target was asked, and what came
 * told nothing; blocked or without checks, its own.
 */
function openFor({ checks, blockedBy, trouble: ownTrouble = 'settings' }: ClauseResult): Trouble {
  if (blockedBy) return ownTrouble;
  const asked = checks.filter(({ exchangesMade = 0, trouble }) => trouble === 'target' && exchangesMade > 0);
  const own = new Set((asked.length > 0 ? asked : checks).map(({ trouble = 'settings' }) => trouble));
  return (['settings', 'network', 'target', 'suite'] as const).find((one) => own.has(one)) ?? ownTrouble;
}

function hasAny({ failed, warned, known, open, openOthers, flaky, error }: TroubleCount): boolean {
  return failed + warned + known + open + openOthers + flaky > 0 || error !== undefined;
}
