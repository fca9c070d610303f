import type { NfeState } from '../contract/values.ts';

/** Something that was asked about one invoice, and what came of it. */
export interface Operation {
  readonly asked: 'issue' | 'query' | 'cancel';
  /** A query finds a state, or nothing. Of what nobody knows the outcome it may have been done, then or later. */
  readonly came: NfeState | 'nothing' | 'accepted' | 'refused' | 'unknown';
  /** When it began and when its answer was there; nothing is known of the order of two that overlap. Milliseconds. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** What an invoice may be, and whether its cancellation was accepted: it takes its time. */
interface Invoice {
  readonly state: NfeState | 'nothing';
  readonly isCancelling: boolean;
}

/** A way in which it may have come so far: what the invoice is, and what is under way and not done yet. */
interface Course extends Invoice {
  readonly open: readonly Operation[];
}

/** An answer that no order of what was asked explains, and what it might have been. */
export interface Unexplained {
  readonly operation: Operation;
  /** The states in which a query could have found the invoice. */
  readonly possible: readonly Invoice['state'][];
}

/**
 * The first answer that can't be explained by any order in which the operations were done one after another, each between
 * its beginning and its end: as linearizability is judged. The invoice settles at any time. Sections 3.1, 4.1 and 4.2.
 */
export function unexplainedIn(operations: readonly Operation[]): Unexplained | undefined {
  let courses: readonly Course[] = [{ state: 'nothing', isCancelling: false, open: [] }];
  for (const { operation, isEnd } of momentsOf(operations)) {
    if (!isEnd) {
      courses = courses.map((course) => ({ ...course, open: withOne(course.open, operation) }));
      continue;
    }
    const reached = reachedFrom(courses, operation);
    const done = reached.filter(({ open }) => !open.includes(operation));
    if (done.length === 0) return { operation, possible: [...new Set(reached.map(({ state }) => state))] };
    courses = done;
  }
  return undefined;
}

/** What is under way with one more. What nobody knows the outcome of may be done at any time and often: one of a kind is enough. */
function withOne(open: readonly Operation[], one: Operation): readonly Operation[] {
  const isThere = one.came === 'unknown' && open.some(({ asked, came }) => came === 'unknown' && asked === one.asked);
  return isThere ? open : [...open, one];
}

interface Moment {
  readonly operation: Operation;
  readonly atMs: number;
  readonly isEnd: boolean;
}

/** Beginnings and ends in order; what ends when another one begins overlaps with it. Nobody waits for an unknown end. */
function momentsOf(operations: readonly Operation[]): Moment[] {
  const moments = operations.flatMap((operation): Moment[] => [
    { operation, atMs: operation.fromMs, isEnd: false },
    ...(operation.came === 'unknown' ? [] : [{ operation, atMs: operation.toMs, isEnd: true }]),
  ]);
  return moments.sort((one, other) => one.atMs - other.atMs || Number(one.isEnd) - Number(other.isEnd));
}

/** All that may be once some of the open operations were done, up to the one whose end has come. */
function reachedFrom(courses: readonly Course[], until: Operation): readonly Course[] {
  const reached = new Map(courses.map((course) => [nameOf(course), course]));
  for (const course of reached.values()) {
    if (!course.open.includes(until)) continue;
    const next = [
      ...settled(course).map((invoice) => ({ ...course, ...invoice })),
      ...course.open.flatMap((operation) =>
        done(operation, course).map((invoice) => ({
          ...invoice,
          open: operation.came === 'unknown' ? course.open : course.open.filter((other) => other !== operation),
        })),
      ),
    ];
    for (const one of next) if (!reached.has(nameOf(one))) reached.set(nameOf(one), one);
  }
  return [...reached.values()];
}

function nameOf({ state, isCancelling, open }: Course): string {
  return `${state} ${isCancelling} ${open.map(({ asked, came, fromMs, toMs }) => `${asked} ${came} ${fromMs} ${toMs}`).join()}`;
}

/** What becomes of an invoice that nobody touches. */
function settled({ state, isCancelling }: Invoice): readonly Invoice[] {
  const isOpen = state === 'AguardandoAutorizacao';
  const decided: readonly NfeState[] = isOpen ? ['Autorizada', 'Negada'] : [];
  const cancelled: readonly NfeState[] = isCancelling && (isOpen || state === 'Autorizada') ? ['Cancelada'] : [];
  return [...decided, ...cancelled].map((next) => ({ state: next, isCancelling }));
}

/** What an invoice is after an operation that came to that; none where it can't come to it. */
function done({ asked, came }: Operation, { state, isCancelling }: Invoice): readonly Invoice[] {
  const same = { state, isCancelling };
  if (came === 'refused') return [same];
  if (asked === 'query') return came === state || came === 'unknown' ? [same] : [];
  if (asked === 'cancel') return [{ state, isCancelling: state !== 'nothing' }];
  // Of an id whose invoice was denied the contract says nothing: it may be free again.
  const isFree = state === 'nothing' || state === 'Negada';
  return isFree ? [{ state: 'AguardandoAutorizacao', isCancelling: false }] : [];
}
