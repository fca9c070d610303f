import type { Mask } from '../trace/masking.ts';
import { maskOfPeople, newPeople, type People } from '../trace/people/memory.ts';
import type { TargetAddress } from './address.ts';

/** Whether values of a target are shown by allowance only: on somebody's server, unless the settings lift that. */
export function hidesPeople({ kind, shows }: Pick<TargetAddress, 'kind' | 'shows'>): boolean {
  return kind === 'sandbox' && shows !== 'all';
}

/** What is known of people at that address; `undefined` where everything is shown. */
export function peopleAt(address: TargetAddress): People | undefined {
  return hidesPeople(address) ? (address.people ?? firstPeople(address, new Map())) : undefined;
}

/** What is known before the first request: the people of the profile, and what the settings themselves say to the target. */
export function firstPeople(
  { credentials, control, empresas, webhook }: TargetAddress,
  known: ReadonlyMap<string, string>,
): People {
  const { active, appKey, appName } = credentials;
  const own = [appKey, appName, empresas?.own?.empresaId, webhook.publicUrl, webhook.verificationUrl];
  return newPeople(
    known,
    active ?? control?.token ?? '',
    own.filter((value) => value !== undefined),
  );
}

/** A mask of free texts that hides people as well. */
export function withoutPeople(mask: Mask, people: People | undefined): Mask {
  if (!people) return mask;
  const hide = maskOfPeople(people);
  return (text) => hide(mask(text));
}
