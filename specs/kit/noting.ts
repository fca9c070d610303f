import { calledEndpoint, methodAndPath } from '../../contract/endpoints.ts';
import type { Exchange } from '../../trace/exchange.ts';
import { type Mask, remembering } from '../../trace/people/words-mask.ts';
import { wayOf, wayText, type Way, isCovering } from '../../schemas/finding.ts';
import { basisOf } from './awaiting.ts';
import { Deviation } from './deviation.ts';
import type { TrialRecord, Noting } from './trial-record.ts';
import { type ClauseId, entriesFor } from '../../contract/catalogue.ts';
import type { Run } from '../../targets/address.ts';
import { NotExercised } from '../../targets/not-exercised.ts';
import { allowanceOf } from '../../trace/people/memory.ts';
import type { Veil } from '../../trace/people/veil.ts';
import { maskAt, withoutPeople } from '../../targets/mask.ts';
import type { Target } from '../../targets/target.ts';

/** So many ways are kept: the first ones. */
const mostWays = 50;

/** Whether an error is a failure after which the check goes on: then it is noted. */
export function isNoted(record: TrialRecord, error: unknown, counterexample?: () => string): boolean {
  const { noting } = record;
  if (!noting || !(error instanceof Deviation)) return false;
  const way = wayFound(error, record.exchanges, noting.mask(), counterexample?.());
  if (!noting.goesOnAfter(way)) return false;
  if (basisOf(error, record) === 'answers') noting.sure ??= { error, exchanges: [...record.exchanges] };
  const key = wayText(way);
  if (noting.met.size < mostWays && !noting.met.has(key)) noting.met.set(key, way);
  return true;
}

/** A failure as it is told: where it was met, what was expected and what came, all masked. */
export function wayFound(error: Deviation, exchanges: readonly Exchange[], mask: Mask, counterexample?: string): Way {
  return wayOf({
    endpoint: lastEndpoint(exchanges),
    expected: mask(error.expected),
    actual: mask(error.actual),
    counterexample: counterexample === undefined ? undefined : mask(counterexample),
  });
}

/** Notes that the rule of the check was kept where its last request went. */
export function sawKept(record: TrialRecord): void {
  const endpoint = lastEndpoint(record.exchanges);
  if (endpoint !== undefined) record.kept.add(endpoint);
}

function lastEndpoint(exchanges: readonly Exchange[]): string | undefined {
  const request = exchanges.at(-1)?.request;
  const called = request && calledEndpoint(request.method, request.target);
  return called && methodAndPath(called);
}

/**
 * The ways of failing that the known deviations accept of a check; `undefined` where they name none of its clause, and where an
 * entry accepts every one, so that there is no other to look for.
 */
export function acceptedWays(
  { clause, title }: { readonly clause: ClauseId; readonly title: string },
  run: Run,
): Noting['goesOnAfter'] | undefined {
  const entries = entriesFor(run.knownDeviations ?? {}, clause).filter(
    ({ check }) => check === undefined || check === title,
  );
  const isWhole = entries.some((entry) => entry.endpoint === undefined && entry.case === undefined);
  if (entries.length === 0 || isWhole) return undefined;
  return (way) => entries.some((entry) => isCovering(entry, title, way));
}

/** Whether an attempt ended well, or for a want: neither is a failure that is not accepted, nor a fault of the suite. */
export function isPassedOver(error: unknown): boolean {
  return error === undefined || error instanceof NotExercised;
}

/** Hides in a free text what no report of a target may show, every token that a check sent, and whom answers tell of. */
export function maskOf(run: Run, target: Target, record: TrialRecord): Mask {
  for (const exchange of [...record.exchanges, ...(record.failing?.exchanges ?? [])])
    target.learning.exchange(exchange);
  for (const arrival of record.received) target.learning.arrival(arrival);
  return withoutPeople(secretsMask(run, target, record), target.people);
}

/** What evidence of a check may show: of what was sent and received, each by its own rule. */
export function veilOf(run: Run, target: Target, record: TrialRecord): Veil {
  const mask = secretsMask(run, target, record);
  const { people } = target;
  const stands = [...run.secrets.values(), ...target.secrets.values()];
  return people ? { mask, allowance: allowanceOf(people, stands) } : { mask };
}

/** The mask of a check, and how much it was made of: secrets and tokens only become more. */
interface MaskMade {
  readonly of: string;
  readonly mask: Mask;
}

const made = new WeakMap<TrialRecord, MaskMade>();

/** One mask for all that is written of a check, so that what comes up in its trace and in its evidence is looked at once. */
function secretsMask({ address, secrets }: Run, target: Target, record: TrialRecord): Mask {
  const of = [secrets.size, target.secrets.size, record.tokens.size].join(' ');
  const known = made.get(record);
  if (known?.of === of) return known.mask;
  const hidden = new Map([...secrets, ...target.secrets]);
  const mask = remembering(maskAt(address, hidden, { tokens: record.tokens }), mostRemembered);
  made.set(record, { of, mask });
  return mask;
}

/** Texts of a check that are looked at once: of the longest that are shown, some megabytes. */
const mostRemembered = 1_000;
