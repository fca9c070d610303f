import type { CallerFacts, Standing } from '../contract/request.ts';
import { secretStand, type People } from '../trace/people/memory.ts';
import type { TargetAddress } from './address.ts';
import type { ApplicationWish, Control, ControlledApplication } from './control.ts';
import { conditions, required, type Condition } from './needs-met.ts';
import { NotExercised } from './not-exercised.ts';

/** An application as its integrator sees it: what a check calls the target with. */
export interface Caller {
  readonly appSecret: string;
  /** Known where a control API or the settings tell it. */
  readonly appKey?: string;
  readonly appName?: string;
  /** What it is like; absent where it is active and may call everything. */
  readonly standing?: Standing;
  readonly hasOwnClock?: true;
  /** Whether the control API made it. */
  readonly isMade?: true;
  /** Several checks call as this application. */
  readonly isCommon?: true;
  /** Unix seconds of the clock by which the target judges this caller. */
  now(): number;
}

/** A caller whose clock stands still until it is moved. */
export interface ClockedCaller extends Caller {
  /** Moves the clock; with `none` without waiting for the attempts that this starts. */
  advance(seconds: number, wait?: 'attempts' | 'none'): Promise<void>;
  /** Takes note that its clock was moved by way of another target. */
  passed?(seconds: number): void;
}

/** Who a caller is, as a record tells it; one that no setting names goes by its place. */
export function callerFacts({ appKey, standing = {}, hasOwnClock, isMade }: Caller): CallerFacts {
  const { state, integratorState, subscriptions, rateLimit } = standing;
  return {
    name: appKey ?? (Object.keys(standing).length === 0 ? 'NFE_APP_SECRET' : JSON.stringify(standing)),
    standing: {
      ...(state === undefined ? {} : { state }),
      ...(integratorState === undefined ? {} : { integratorState }),
      ...(subscriptions === undefined ? {} : { subscriptions }),
      ...(rateLimit === undefined ? {} : { rateLimit }),
    },
    ...(isMade ? { isMade } : {}),
    ...(hasOwnClock ? { hasOwnClock } : {}),
  };
}

/** The applications that a target has for a check, or has made for it. */
export interface ApplicationsOfCheck {
  /** The App Secrets that an application has had, the last one now, by its name in records. */
  secretsOf(caller: string | undefined): readonly string[];
  /** What an application was made like since it was made, by its name in records; `undefined` where nobody changed it. */
  changedStanding(caller: string): Standing | undefined;
  /** An active application that may call everything: its own for each call where there is a control API. */
  caller(): Promise<Caller>;
  /** An application in that condition. Needs the need of the same name. */
  callerIn(condition: Condition): Promise<Caller>;
  /** An application made to measure. Needs `chosen-application`. */
  chosenCaller(wish: ApplicationWish): Promise<Caller>;
  /** An application on a clock of its own. Needs `movable-clock`. */
  clockedCaller(wish?: ApplicationWish): Promise<ClockedCaller>;
  /** The same application as `clockedCaller` of another target has made, once that may be closed. */
  joined(caller: ClockedCaller): ClockedCaller;
  /** An application for which minutes can pass: by a clock of its own, or by waiting. Needs `passing-time`. */
  patientCaller(wish?: ApplicationWish): Promise<ClockedCaller>;
  /** A secret that a rotation has made invalid. Needs `rotated-secret`. */
  rotatedSecret(): Promise<string>;
  /** Makes a caller's application like that from now on; the caller as it is then. Needs `chosen-application`. */
  change(caller: Caller, standing: Standing): Promise<Caller>;
  /** Rotates the secret of a caller that `caller()` gave; the caller with its new one. Needs `rotation`. */
  rotate(caller: Caller): Promise<Caller>;
}

/**
 * Where clocks are set: far from any system clock, so that a target that mixes up clocks shows it, at no whole minute, so that one that
 * cuts times off does, and on days and hours at which calendars go wrong, all of them after the retirement of section 4.3.
 * From half of them the ladder of retries goes over midnight UTC: into a new month, a new year, and out of a leap day.
 */
export const clockStarts = [
  '2031-05-17T09:34:47.000Z',
  '2028-02-29T16:52:31.000Z',
  '2029-01-01T00:07:53.000Z',
  '2030-10-31T22:41:09.000Z',
  '2030-12-31T23:51:37.000Z',
  '2027-11-07T02:33:13.000Z',
] as const;

/** Of every application that a check makes. */
const appName = 'Conformance suite';

/** What applications of a check are made with, and where their secrets are noted. */
interface Making {
  readonly address: TargetAddress;
  readonly control: Control | undefined;
  readonly secrets: Map<string, string>;
  readonly people: People | undefined;
  readonly now: () => number;
  /** Waits in real time, as long as the run goes on. */
  readonly sleep: (seconds: number) => Promise<void>;
}

/** The applications at an address: made by its control API, or known by the settings. */
export function applicationsAt(making: Making): ApplicationsOfCheck {
  const { address, control, secrets, now, sleep } = making;
  const secretsOf = secretsOfSettings(address);
  const changed = new Map<string, Standing>();
  const create = async (owner: Control, wish: ApplicationWish): Promise<Made> => {
    const application = await owner.createApplication({ appName, ...wish });
    secrets.set(application.appSecret, secretStand(0));
    making.people?.sent.add(application.appKey);
    secretsOf.set(application.appKey, [application.appSecret]);
    return { ...application, isMade: true };
  };
  const clockedCaller: ApplicationsOfCheck['clockedCaller'] = async (wish) => {
    const owner = required(control, 'movable-clock');
    const clock = wish?.clock ?? address.clockStart ?? clockStarts[0];
    const application = await create(owner, { ...wish, clock });
    return clocked(owner, { ...application, ...(wish ? { standing: wish } : {}) }, clock);
  };
  return {
    secretsOf: (caller) => (caller === undefined ? [] : (secretsOf.get(caller) ?? [])),
    changedStanding: (caller) => changed.get(caller),
    clockedCaller,
    joined: (caller) => ({
      ...caller,
      async advance(by, wait) {
        await required(control, 'movable-clock').advanceClock(appKeyOf(caller), by, wait);
        caller.passed?.(by);
      },
    }),
    patientCaller(wish) {
      if (control) return clockedCaller(wish);
      if (!address.isSlow) required(undefined, 'passing-time');
      return Promise.resolve({ ...configured(address, now), advance: sleep });
    },
    caller: async () => (control ? { ...(await create(control, {})), now } : configured(address, now)),
    async callerIn(condition) {
      const { wish, credential } = conditions[condition];
      if (control) return { ...(await create(control, wish)), standing: wish, now };
      return { appSecret: required(address.credentials[credential], condition), standing: wish, now };
    },
    async chosenCaller(wish) {
      return { ...(await create(required(control, 'chosen-application'), wish)), standing: wish, now };
    },
    async rotatedSecret() {
      if (!control) return required(address.credentials.rotated, 'rotated-secret');
      const { appKey, appSecret } = await create(control, {});
      secrets.set(await control.rotateSecret(appKey), secretStand(1));
      return appSecret;
    },
    async change(caller, standing) {
      await required(control, 'chosen-application').changeApplication(appKeyOf(caller), standing);
      changed.set(appKeyOf(caller), standing);
      return { ...caller, standing };
    },
    async rotate(caller) {
      const appKey = required(caller.appKey, 'rotation');
      const appSecret = await required(control, 'rotation').rotateSecret(appKey);
      secrets.set(appSecret, secretStand(secretsOf.get(appKey)?.length ?? 1));
      secretsOf.set(appKey, [...(secretsOf.get(appKey) ?? []), appSecret]);
      return { ...caller, appSecret };
    },
  };
}

/** The secret of the settings, by the name that records have for its application. */
function secretsOfSettings({ credentials: { active, appKey } }: TargetAddress): Map<string, readonly string[]> {
  return new Map(active === undefined ? [] : [[appKey ?? 'NFE_APP_SECRET', [active]]]);
}

type Made = ControlledApplication & { readonly isMade: true };

/** The App Key of a caller that a control API has made. */
export function appKeyOf({ appKey }: Caller): string {
  return required(appKey, 'chosen-application');
}

function configured(address: TargetAddress, now: () => number): Caller {
  const { active, appKey, appName } = address.credentials;
  if (active === undefined) throw new NotExercised('needs an active application: set NFE_APP_SECRET', 'settings');
  return { appSecret: active, ...(appKey ? { appKey } : {}), ...(appName ? { appName } : {}), now };
}

function clocked(
  control: Control,
  application: ControlledApplication & { standing?: Standing },
  start: string,
): ClockedCaller {
  let seconds = Date.parse(start) / 1000;
  return {
    ...application,
    hasOwnClock: true,
    now: () => seconds,
    async advance(by, wait) {
      await control.advanceClock(application.appKey, by, wait);
      seconds += by;
    },
    passed: (by) => void (seconds += by),
  };
}
