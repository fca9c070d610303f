import { buildsOn, findClause, type ClauseId } from '../contract/catalogue.ts';
import type { NeedName } from '../contract/clause.ts';
import type { CheckResult, ClauseResult } from '../schemas/results.ts';

/**
 * The clauses of a run, those that failed only since what they stand on is broken being blocked by that. A failure
 * blocks where it may be the cause: anything broken, of a check that did not come to its own rule; of one that did, only what was
 * never seen to hold. What single answers and deliveries show is blocked by nothing, nor is what a list of known deviations covers.
 */
export function withBlocked(clauses: readonly ClauseResult[]): ClauseResult[] {
  const byId = new Map(clauses.map((clause) => [clause.id, clause]));
  const decided = new Map<string, readonly string[]>();
  /** The clauses that block one, of which none is blocked itself. */
  const blockersOf = (clause: ClauseResult): readonly string[] => {
    const known = decided.get(clause.id);
    if (known) return known;
    const those = (ids: Iterable<string>): ClauseResult[] => [...ids].flatMap((id) => byId.get(id) ?? []);
    // What a part of a divided run has decided stands, but that another part may tell of a deeper cause.
    const causes = clause.blockedBy
      ? those(clause.blockedBy)
      : causesOf(clause, those(belowOf(clause)).filter(isBroken));
    const blockers = [...new Set(causes.flatMap((cause) => orItself(blockersOf(cause), cause.id)))].sort();
    decided.set(clause.id, blockers);
    return blockers;
  };
  return clauses.map((clause) => {
    const blockers = blockersOf(clause);
    return blockers.length === 0 ? clause : blockedClause(clause, blockers);
  });
}

/** Clauses that give what others need: where they are broken throughout, that is not for the settings to mend. */
const giverOf: ReadonlyMap<NeedName, ClauseId> = new Map([
  ['empresa', 'empresa-registration.empresa-id'],
  ['verified-document', 'nfe-verification.validation-status'],
  ['valid-document', 'nfe-verification.validation-status'],
  ['rejected-document', 'nfe-verification.validation-status'],
]);

function giversOf({ id }: ClauseResult): readonly ClauseId[] {
  return (findClause(id)?.needs ?? []).flatMap((need) => giverOf.get(need) ?? []);
}

function belowOf(clause: ClauseResult): Iterable<string> {
  return clause.verdict === 'not-exercised'
    ? new Set([...buildsOn(clause.id), ...giversOf(clause)])
    : buildsOn(clause.id);
}

function orItself(blockers: readonly string[], id: string): readonly string[] {
  return blockers.length > 0 ? blockers : [id];
}

/** What a clause that failed may have failed for; nothing where one of its failures has no other cause. */
function causesOf(clause: ClauseResult, below: readonly ClauseResult[]): readonly ClauseResult[] {
  if (clause.verdict === 'not-exercised') {
    const never = below.filter(isNeverHeld);
    const givers = giversOf(clause);
    return clause.checks.every(isLacking) ? never.filter(({ id }) => givers.some((giver) => giver === id)) : never;
  }
  const isListed = clause.reason !== undefined;
  if ((clause.verdict !== 'failed' && clause.verdict !== 'warned') || isListed) return [];
  const causes = clause.checks
    .filter(({ state }) => state === 'failed')
    .map((check) => below.filter((cause) => isCause(cause, check, clause)));
  return causes.every((found) => found.length > 0) ? causes.flat() : [];
}

/** Whether a check was not tried for want of something that is not the target's; of a clause without checks nothing is known. */
function isLacking({ trouble = 'settings', exchangesMade = 0 }: CheckResult): boolean {
  return trouble !== 'target' && exchangesMade === 0;
}

/** What could not be put to the test since all that it needs is refused: what broke at times only may have nothing to do with it. */
function isNeverHeld({ verdict, blockedBy, alsoHeld }: ClauseResult): boolean {
  return blockedBy !== undefined || (verdict === 'failed' && !alsoHeld);
}

/** What does not fail the run itself is no excuse for what would, unless that was not put to the test at all. */
function isCause(cause: ClauseResult, { inPassing, error }: CheckResult, { verdict }: ClauseResult): boolean {
  if (inPassing) return false;
  if (error?.premise) return true;
  const isLighter = cause.verdict === 'known' || (cause.verdict === 'warned' && verdict !== 'warned');
  return !cause.alsoHeld && !isLighter;
}

function isBroken({ verdict, blockedBy }: ClauseResult): boolean {
  return blockedBy !== undefined || verdict === 'failed' || verdict === 'warned' || verdict === 'known';
}

/** A clause that is blocked by others. */
export function blockedClause(clause: ClauseResult, blockers: readonly string[]): ClauseResult {
  return {
    ...clause,
    verdict: 'blocked',
    reason: `blocked by ${blockers.join(', ')}`,
    trouble: 'target',
    blockedBy: [...blockers],
  };
}
