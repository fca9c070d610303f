import { codes, type PlatformCode } from '../contract/values.ts';
import type { Draft } from '../contract/request.ts';
import { named } from './named.ts';
import { timestampOffBy, signChanged, type Flaw, tokenChanged, withoutHeaders } from './flaws.ts';

/** What an application is to be like for a fault of the caller. */
interface FaultyApplication {
  readonly state?: 'disabled' | 'pending' | 'rejected';
  readonly integratorState?: 'disabled';
  readonly subscriptions?: readonly string[];
  readonly rateLimit?: { readonly limit: number; readonly windowSeconds: number };
}

/** A reason to refuse a request: in the request itself, in its path, or in who sends it. */
export interface Fault {
  readonly name: string;
  readonly refusal: PlatformCode;
  /** What it takes hold of: two faults that share something hide each other. */
  readonly takes: readonly string[];
  readonly apply?: (draft: Draft) => Draft;
  readonly application?: FaultyApplication;
  /** The request goes to a retired path. */
  readonly isRetired?: boolean;
}

function fault(name: string, refusal: PlatformCode, takes: readonly string[], rest: Partial<Fault>): Fault {
  return named(name, { name, refusal, takes, ...rest });
}

function ofFlaw({ name, refusal, apply }: Flaw, takes: readonly string[]): Fault {
  return fault(name, refusal, takes, { apply });
}

/** The faults of authentication, in the order of their codes. Section 7.2. */
export const authenticationFaults: readonly Fault[] = [
  ofFlaw(withoutHeaders(['sign']), ['missing', 'sign']),
  ofFlaw(withoutHeaders(['timestamp']), ['missing', 'timestamp']),
  ofFlaw(timestampOffBy(-3600), ['timestamp']),
  ofFlaw(
    tokenChanged('of nobody', () => 'token-that-was-never-given-to-anybody'),
    ['token'],
  ),
  ofFlaw(
    signChanged('all zeros', () => '0'.repeat(32)),
    ['sign'],
  ),
];

/** A path that is retired. Section 4.3. */
export const retirementFault: Fault = fault('retired path', codes.retired, ['path'], { isRetired: true });

/** The faults of an application that may not call. Sections 5.3 and 7.2. */
export const authorisationFaults: readonly Fault[] = [
  fault('disabled application', codes.applicationDisabled, ['state'], { application: { state: 'disabled' } }),
  fault('pending application', codes.applicationNotEffective, ['state'], { application: { state: 'pending' } }),
  fault('rejected application', codes.applicationNotEffective, ['state'], { application: { state: 'rejected' } }),
  fault('disabled integrator', codes.integratorDisabled, ['integrator'], {
    application: { integratorState: 'disabled' },
  }),
  fault('no subscription', codes.notSubscribed, ['subscription'], { application: { subscriptions: [] } }),
];

/** An application whose limit is spent from the start. Section 7.2. */
export const limitFault: Fault = fault('limit spent', codes.rateLimited, ['limit'], {
  application: { rateLimit: { limit: 0, windowSeconds: 60 } },
});

/** Whether a request can have all of these faults at once, none hiding another. */
export function areCompatible(faults: readonly Fault[]): boolean {
  const taken = faults.flatMap(({ takes }) => takes);
  return new Set(taken).size === taken.length;
}
