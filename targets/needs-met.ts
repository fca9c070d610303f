import { needs, remedyFor, type Need, type NeedName } from '../contract/clause.ts';
import type { Credentials, Lack, TargetAddress } from './address.ts';
import type { ApplicationWish } from './control.ts';
import { NotExercised } from './not-exercised.ts';

/** How an application in a condition is had: made so by the control API, or known by its secret. */
export const conditions = {
  'disabled-application': { wish: { state: 'disabled' }, credential: 'disabled' },
  'pending-application': { wish: { state: 'pending' }, credential: 'pending' },
  'rejected-application': { wish: { state: 'rejected' }, credential: 'rejected' },
  'application-of-disabled-integrator': { wish: { integratorState: 'disabled' }, credential: 'integratorDisabled' },
  'unsubscribed-application': { wish: { subscriptions: [] }, credential: 'unsubscribed' },
  'rate-limited-application': { wish: { rateLimit: { limit: 5, windowSeconds: 60 } }, credential: 'rateLimited' },
} as const satisfies Partial<Record<NeedName, { wish: ApplicationWish; credential: keyof Credentials }>>;

/** A condition in which an application can be asked for. */
export type Condition = keyof typeof conditions;

/** Which credential supplies a need to a target without control API; the others only a control API supplies. */
const credentialFor: Partial<Record<NeedName, keyof Credentials>> = {
  'known-app-key': 'appKey',
  'known-app-name': 'appName',
  'rotated-secret': 'rotated',
  ...Object.fromEntries(Object.entries(conditions).map(([need, { credential }]) => [need, credential])),
};

/** Whether a target can supply a need: by a control API, by the profile or by a setting. */
function supplied(address: TargetAddress, need: NeedName): boolean {
  const { profileFiles }: Need = needs[need];
  if (need === 'real-issuance') return mayIssueForReal(address);
  if (need === 'passing-time' && address.isSlow) return true;
  if (need === 'stored-deliveries') return (address.webhook.stored?.length ?? 0) > 0;
  if (need === 'callbacks') return address.webhook.isReachable;
  if (need === 'verification-webhook') return hasVerificationWebhook(address);
  if (need === 'empresa' && isEmpresaGiven(address)) return true;
  if (need === 'empresa-registration' && isEmpresaGiven(address)) return false;
  if (profileFiles) return profileFiles.every((file) => address.profile.files.includes(file));
  const credential = credentialFor[need];
  return address.control !== undefined || (credential !== undefined && address.credentials[credential] !== undefined);
}

/** A control API saves the address; without one somebody has saved it in the provider's console. */
function hasVerificationWebhook({ control, webhook }: TargetAddress): boolean {
  return webhook.isReachable && (control !== undefined || webhook.verificationUrl !== undefined);
}

/** Whether a setting names the company, so that none is registered. An application made by the control API has none yet. */
function isEmpresaGiven({ control, empresas }: TargetAddress): boolean {
  return !control && empresas?.own?.empresaId !== undefined && empresas.own.registration === undefined;
}

/** Whether what might issue for real may be sent there: to a target of ours, or to a sandbox that gives leave. */
export function mayIssueForReal({ kind, control, allowProducao }: TargetAddress): boolean {
  return kind !== 'sandbox' || control !== undefined || allowProducao;
}

/** Why a target at that address can't meet a need; `undefined` when it can. */
export function lackAt(address: TargetAddress, need: NeedName): Lack | undefined {
  if (supplied(address, need)) return address.unproven?.[need];
  const isGiven = need === 'empresa-registration' && isEmpresaGiven(address);
  const remedy = isGiven ? 'unset NFE_EMPRESA_ID, which names one' : remedyFor(need);
  return { reason: `needs ${needs[need].text}: ${remedy}`, trouble: 'settings' };
}

/** What supplies a need. Throws a NotExercised that says what would, where nothing does. */
export function required<T>(value: T | undefined, need: NeedName): T {
  if (value === undefined) throw new NotExercised(`needs ${needs[need].text}: ${remedyFor(need)}`, 'settings');
  return value;
}
