import type { Mask } from '../trace/mask.ts';
import {
  allowanceOf,
  allowingSent,
  maskOfPeople,
  newPeople,
  rememberReceived,
  rememberSent,
  type People,
} from '../trace/people/memory.ts';
import type { Allowance } from '../trace/people/veil.ts';
import type { Arrival } from '../client/receiver-arrival.ts';
import type { Exchange } from '../client/transport.ts';
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

/** Takes note of what was sent and what came. */
export interface Learning {
  readonly exchange: (exchange: Exchange) => void;
  readonly arrival: (arrival: Arrival) => void;
}

const nothing: Learning = { exchange: () => undefined, arrival: () => undefined };

/** Notes of everything once what of it is not shown; notes nothing where everything is. */
export function learningOf(people: People | undefined): Learning {
  if (!people) return nothing;
  const seen = new WeakSet<object>();
  let allowance: Allowance | undefined;
  const isNew = (one: object): boolean => !seen.has(one) && seen.add(one) === seen;
  return {
    exchange(exchange) {
      if (!isNew(exchange)) return;
      const { request, response } = exchange;
      rememberSent(people, request, response);
      if (!response) return;
      allowance ??= allowanceOf(people, []);
      rememberReceived(people, response, hidingToken(request.parts.token), allowingSent(allowance, request));
    },
    arrival(arrival) {
      if (isNew(arrival)) rememberReceived(people, arrival, (text) => text, (allowance ??= allowanceOf(people, [])));
    },
  };
}

/** The token that was sent may come back in the midst of something else. */
function hidingToken(token: string): Mask {
  return token.length < 6 ? (text) => text : (text) => text.replaceAll(token, '$APP_SECRET');
}
