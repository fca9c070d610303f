import type { ApplicationState, IntegratorState } from '../../contract/request.ts';
import type { NfeOutcome } from '../../contract/values.ts';

/** The time an application lives in: the system's, or a test clock that stands still at these Unix milliseconds. */
export type Clock = 'system' | number;

/** Unix milliseconds that a clock shows. The system clock is read here and nowhere else. */
export function nowMs(clock: Clock): number {
  return clock === 'system' ? Date.now() : clock;
}

/** At most `limit` counted requests in each window, over all endpoints. */
interface RateLimit {
  readonly limit: number;
  readonly windowSeconds: number;
}

/** How the tax authority answers an application from now on, whatever its invoices earn. */
interface AuthoritySteering {
  /** Null: each invoice decides. */
  readonly issuance: { readonly outcome: NfeOutcome; readonly motivo?: string } | null;
  readonly isReachable: boolean;
}

/** What of an application may be chosen and changed. */
export interface ApplicationSettings {
  readonly appName: string;
  readonly state: ApplicationState;
  readonly integratorState: IntegratorState;
  /** Scopes: lower-cased paths in which `{xx}` stands for one segment. Section 4. */
  readonly subscriptions: 'all' | readonly string[];
  readonly rateLimit: RateLimit | null;
  readonly clock: Clock;
  /** How long after its request an issuance or a verification settles. */
  readonly settleSeconds: number;
  readonly authority: AuthoritySteering;
}

/** The caller of the service. Section 2.1. */
export interface Application extends ApplicationSettings {
  readonly appKey: string;
  /** Whose account it belongs to; each application has an account of its own. */
  readonly integratorId: string;
}

/** An application that may call everything, on the system clock. */
export const defaultSettings: Omit<ApplicationSettings, 'appName'> = {
  state: 'active',
  integratorState: 'active',
  subscriptions: 'all',
  rateLimit: null,
  clock: 'system',
  settleSeconds: 0,
  authority: { issuance: null, isReachable: true },
};

/** The headers that a request is authenticated by, as they were sent; empty where one is missing. Section 5.1. */
export interface SentHeaders {
  readonly token: string;
  readonly timestamp: string;
  readonly sign: string;
}
