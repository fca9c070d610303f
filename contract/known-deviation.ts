/** A deviation that is accepted for now: where it names no check, endpoint and case, every way of breaking its clause. */
export interface KnownDeviation {
  readonly reason: string;
  /** Title of the check that fails. */
  readonly check?: string;
  /** Method and path template of the endpoint that the failure shows. */
  readonly endpoint?: string;
  /** A text in the failing case, or in what came. */
  readonly case?: string;
  /** Who accepted it. */
  readonly by?: string;
  /** The last day on which it is accepted: ISO-8601, in UTC. */
  readonly until?: string;
}

/** The deviations that are accepted for now, by clause id; a reason alone covers its whole clause. */
export type KnownDeviations = Readonly<Record<string, string | readonly KnownDeviation[]>>;

/** The entries of a clause, none where it is not listed. */
export function entriesFor(known: KnownDeviations, clause: string): readonly KnownDeviation[] {
  const listed = Object.hasOwn(known, clause) ? known[clause] : undefined;
  if (listed === undefined) return [];
  return typeof listed === 'string' ? [{ reason: listed }] : listed;
}

/** Whether an entry has run out at an ISO time. */
export function isExpired({ until }: KnownDeviation, at: string): boolean {
  return until !== undefined && at.slice(0, until.length) > until;
}

/** The entries that have not run out at an ISO time; a clause without any is not listed. */
export function liveAt(known: KnownDeviations, at: string): KnownDeviations {
  const live = Object.keys(known).map(
    (clause) => [clause, entriesFor(known, clause).filter((entry) => !isExpired(entry, at))] as const,
  );
  return Object.fromEntries(live.filter(([, entries]) => entries.length > 0));
}
