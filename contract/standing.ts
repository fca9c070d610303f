/** States of an application. Section 5.3. */
export const applicationStates = ['active', 'disabled', 'pending', 'rejected'] as const;

export type ApplicationState = (typeof applicationStates)[number];

/** States of an integrator's account. Section 5.3. */
export const integratorStates = ['active', 'disabled'] as const;

export type IntegratorState = (typeof integratorStates)[number];

/** What an application is like, as far as the gateway asks; what is absent is as with an active one that may call everything. Sections 5.3 and 7.2. */
export interface Standing {
  readonly state?: ApplicationState;
  readonly integratorState?: IntegratorState;
  readonly subscriptions?: 'all' | readonly string[];
  readonly rateLimit?: { readonly limit: number; readonly windowSeconds: number };
}

/** Who sends a request, and by which clock it is judged: what a check knows of its caller that no secret is. */
export interface CallerFacts {
  /** Its App Key, or what it is known by where that is not told. */
  readonly name: string;
  readonly standing: Standing;
  /** Whether the control API made it, so that all of its standing is known. */
  readonly isMade?: true;
  /** Whether it has a clock of its own, which stands still until it is moved. */
  readonly hasOwnClock?: true;
}
