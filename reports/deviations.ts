import { entriesFor, isExpired, type KnownDeviation, type KnownDeviations } from '../contract/catalogue.ts';
import type { CheckOutcome, CheckResult } from '../schemas/results.ts';
import { isCovering, wayOf, type Way } from '../schemas/finding.ts';

/** What the list of known deviations makes of a clause in a run. */
export interface Listing {
  /** Whether the failure of a check is one that an entry covers. */
  readonly covers: (check: CheckResult) => boolean;
  /** What it accepts of the clause, for a reader, entry by entry; those that nothing was met of are told apart. Empty for nothing. */
  readonly accepted: string;
  /** Why it is stale, in one sentence; `undefined` where it is not. */
  readonly stale?: string;
  /** Why an entry has run out, in one sentence, whatever the clause came to. */
  readonly expired?: string;
}

/** What the list says of a clause, by what its checks came to. */
export function listingOf(
  { knownDeviations, startedAt }: { readonly knownDeviations: KnownDeviations; readonly startedAt: string },
  clause: string,
  outcomes: readonly CheckOutcome[],
): Listing {
  const entries = entriesFor(knownDeviations, clause);
  const [expired, live] = [true, false].map((isOver) => entries.filter((one) => isExpired(one, startedAt) === isOver));
  const { met = [], unmet = [] } = Object.groupBy(live ?? [], (entry) => (isMet(entry, outcomes) ? 'met' : 'unmet'));
  const gone = unmet.filter((entry) => isKept(entry, outcomes));
  const open = unmet.filter((entry) => !gone.includes(entry));
  const past = (expired ?? []).map((entry) => `${quoted(entry)} has run out: accept it anew or take it off the list`);
  const stale = [...past, ...gone.map((entry) => `${quoted(entry)} names what holds now: take it off the list`)];
  return {
    covers: (check) =>
      isAcceptedInPassing(check) ?? (live ?? []).some((entry) => isCovering(entry, check.name, wayOfCheck(check))),
    accepted: acceptedText(met.length > 0 ? met : open, met.length > 0 ? open : []),
    ...(stale.length === 0 ? {} : { stale: staleText(stale) }),
    ...(past.length === 0 ? {} : { expired: staleText(past) }),
  };
}

/** Whether a check failed in a way that the entry covers. */
function isMet(entry: KnownDeviation, outcomes: readonly CheckOutcome[]): boolean {
  return outcomes.some(({ result }) => waysOf(result).some((way) => isCovering(entry, result.name, way)));
}

/**
 * Whether what the entry names was seen to hold: its checks ran and none failed, or where it names an endpoint, one of them saw
 * its rule kept there.
 */
function isKept({ check, endpoint, case: text }: KnownDeviation, outcomes: readonly CheckOutcome[]): boolean {
  const own = outcomes.filter(({ result }) => check === undefined || result.name === check);
  const isSound = own.every(({ result }) => result.state !== 'failed');
  if (isSound) return own.some(({ result }) => result.state === 'passed');
  return endpoint !== undefined && text === undefined && own.some(({ kept = [] }) => kept.includes(endpoint));
}

/** Whether every way that was seen in passing is accepted, which was decided as it was seen; `undefined` of a check. */
function isAcceptedInPassing({ inPassing, known = [], ways = [] }: CheckResult): boolean | undefined {
  return inPassing && ways.length > 0 && known.length === ways.length;
}

/** Every way in which a check is known to fail; none of a check that did not. */
export function waysOf(check: CheckResult): readonly Way[] {
  if (check.state !== 'failed') return [];
  return [wayOfCheck(check), ...(check.known ?? []), ...(check.ways ?? [])];
}

/** The failure that a check tells of. */
function wayOfCheck({ endpoint, error, counterexample }: CheckResult): Way {
  return wayOf({ endpoint, expected: error?.expected ?? '', actual: error?.actual ?? '', counterexample });
}

function acceptedText(entries: readonly KnownDeviation[], others: readonly KnownDeviation[]): string {
  const unmet = others.length === 0 ? '' : `; not met in this run: ${others.map(entryText).join('; ')}`;
  return `${entries.map(entryText).join('; ')}${unmet}`;
}

/** An entry for a reader: the reason, what it names, who accepted it and until when. */
function entryText({ reason, check, endpoint, case: text, by, until }: KnownDeviation): string {
  const rest = [
    ...(check === undefined ? [] : [`check "${check}"`]),
    ...(endpoint === undefined ? [] : [endpoint]),
    ...(text === undefined ? [] : [`case "${text}"`]),
    ...(by === undefined ? [] : [`accepted by ${by}`]),
    ...(until === undefined ? [] : [`until ${until}`]),
  ];
  return rest.length === 0 ? reason : `${reason} (${rest.join('; ')})`;
}

function quoted(entry: KnownDeviation): string {
  return `"${entryText(entry)}"`;
}

function staleText(parts: readonly string[]): string {
  return `the list of known deviations is stale: ${parts.join('; ')}`;
}
