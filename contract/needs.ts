/** Something that a check needs of its target beyond an active application that may call everything. */
export interface Need {
  /** What is needed, as it reads in a report after "needs". */
  readonly text: string;
  /** Settings that together supply it to a target without control API; none where only a control API can. */
  readonly settings: readonly string[];
}

/** All needs, by the name under which clauses and checks ask for them. */
export const needs = {
  'known-app-key': { text: 'an application whose appKey is known', settings: ['NFE_APP_KEY'] },
  'known-app-name': { text: 'an application whose appName is known', settings: ['NFE_APP_NAME'] },
  'rotated-secret': { text: 'a secret that a rotation has made invalid', settings: ['NFE_APP_SECRET_ROTATED'] },
  'disabled-application': { text: 'an application that is disabled', settings: ['NFE_APP_SECRET_DISABLED'] },
  'pending-application': { text: 'an application that awaits approval', settings: ['NFE_APP_SECRET_PENDING'] },
  'rejected-application': { text: 'an application that was rejected', settings: ['NFE_APP_SECRET_REJECTED'] },
  'application-of-disabled-integrator': {
    text: 'an application of an integrator whose account is disabled',
    settings: ['NFE_APP_SECRET_INTEGRATOR_DISABLED'],
  },
  'unsubscribed-application': {
    text: 'an application without any subscription',
    settings: ['NFE_APP_SECRET_UNSUBSCRIBED'],
  },
  'rate-limited-application': {
    text: 'an application that may be driven into 429',
    settings: ['NFE_APP_SECRET_RATE_LIMITED'],
  },
  'chosen-application': { text: 'an application made as the check wants it', settings: [] },
  rotation: { text: 'an application whose secret can be rotated', settings: [] },
  'movable-clock': { text: 'a clock that can be moved', settings: [] },
} as const satisfies Record<string, Need>;

export type NeedName = keyof typeof needs;

/** The settings that would supply a need, as a report names them. */
export function settingsFor(need: NeedName): string {
  const { settings }: Need = needs[need];
  return [...(settings.length === 0 ? [] : [settings.join(' with ')]), 'NFE_CONTROL_URL with NFE_CONTROL_TOKEN'].join(
    ', or ',
  );
}
