import { type Mask, remembering } from '../../trace/people/words-mask.ts';
import type { TrialRecord } from './trial-record.ts';
import type { Run } from '../../targets/address.ts';
import { allowanceOf } from '../../trace/people/memory.ts';
import type { Veil } from '../../trace/people/veil.ts';
import { maskAt, withoutPeople } from '../../targets/mask.ts';
import type { Target } from '../../targets/target.ts';

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
