import type { NeedName } from '../../contract/clause.ts';
import { counted } from '../../reports/language.ts';
import type { Lack, TargetAddress, Traffic } from '../../targets/address.ts';
import { NotExercised } from '../../targets/not-exercised.ts';
import { ProfileError, profileFiles, readProfile, type ProfileFile } from '../../targets/profile.ts';
import { settingsTable } from '../settings/settings-table.ts';
import type { Settings } from '../settings/settings.ts';
import { notSet, ok, problem, skipped, warning, type Remark } from './finding.ts';
import { empresaMemoryAt } from '../results/remembered-empresas.ts';
import { proveProfile, type Proof, type ProvenProfile, type Trying } from './profile-proof.ts';
import type { Session } from './session.ts';
import { pauseOf } from './profile-tries.ts';
import type { NfeOutcome } from '../../contract/values.ts';
import type { SendCall } from '../../targets/empresa.ts';
import { sendCallAs } from '../../targets/fair-send.ts';
import type { Caller, ClockedCaller } from '../../targets/applications.ts';
import { openTarget, type Target, type TargetListener } from '../../targets/target.ts';

/** What was found of the profile. */
interface ExaminedProfile extends ProvenProfile {
  readonly findings: readonly Remark[];
}

/**
 * Examines the files of the profile and tries each part that is wanted once, unless it is only to be read: what the target
 * does otherwise than the profile says is no promise of the target's.
 */
export async function examineProfile(
  session: Session,
  address: TargetAddress,
  settings: Settings,
  isWanted: ((need: NeedName) => boolean) | undefined,
): Promise<ExaminedProfile> {
  const nothing = { proofs: [], empresas: {} };
  const { profile: folder } = settings;
  try {
    const profile = readProfile(folder);
    const read = [...judgeProfile(folder, profile.missing()), ...unsetAt(address, folder)];
    if (!isWanted) return { ...nothing, findings: [...read, skipped('profile', 'it was read, and not tried')] };
    const proven = await tried(address, session, { profile, isWanted }, settings);
    return { ...proven, findings: [...read, ...judgeProofs(proven.proofs)] };
  } catch (error) {
    if (error instanceof NotExercised)
      return { ...nothing, findings: [warning('profile', error.message, 'try again')] };
    if (!(error instanceof ProfileError)) throw error;
    const advice = 'NFE_PROFILE names the folder; profiles/default is an example';
    return { ...nothing, findings: [problem('profile', error.message, advice)] };
  }
}

async function tried(
  address: TargetAddress,
  { target: examined, traffic, listener }: Session,
  trying: Pick<Trying, 'profile' | 'isWanted'>,
  settings: Settings,
): Promise<ProvenProfile> {
  const memory = empresaMemoryAt(settings, address);
  const remembered = memory ? { memory } : {};
  const proven = (isWanted: Trying['isWanted']): Promise<ProvenProfile> =>
    asApplication(
      address,
      traffic,
      async ({ target, caller, ...acting }) => {
        try {
          const certificatePausesMs = address.kind === 'sandbox' ? [1000, 1000, 2000, 4000, 7000] : [];
          const { waits } = target.ledger.guard;
          const pause = pauseOf(caller, address, (ms) => waits.noteSettlement(ms));
          const wanted = { ...trying, ...remembered, isWanted };
          return await proveProfile({ ...wanted, address, pause, certificatePausesMs, ...acting });
        } finally {
          for (const [secret, stand] of target.secrets) examined.hide(secret, stand);
        }
      },
      listener,
    );
  const first = await proven(trying.isWanted);
  if (!address.control || !hidesCertificate(first)) return first;
  const { certificateMs } = await proven((need) => need === 'empresa' || need === 'accepted-issuance');
  return { ...first, ...(certificateMs === undefined ? {} : { certificateMs }) };
}

/** A first answer that takes so long, in milliseconds, may have waited out what a certificate takes until it is in force. */
const longFirstMs = 1000;

/** Whether the first issuance took so long that nothing was learned of the certificate of another company. */
function hidesCertificate({ invoices = {}, certificateMs }: ProvenProfile): boolean {
  const isLong = Object.values(invoices).some(({ issuance }) => issuance.durationMs >= longFirstMs);
  return certificateMs === undefined && isLong;
}

/** That a sandbox is asked with the bodies of the simulator, where nobody has named others: they promise nothing there. */
function unsetAt({ kind }: TargetAddress, folder: string): Remark[] {
  if (kind !== 'sandbox' || folder !== settingsTable.profile.default) return [];
  return [
    notSet(
      'NFE_PROFILE',
      "the bodies of the simulator's own profile are tried, and promise nothing of this target",
      'npm run profile -- init FOLDER finds what suits it',
    ),
  ];
}

/** What a profile holds, as far as the suite can judge it without sending any of it. */
function judgeProfile(folder: string, missing: readonly ProfileFile[]): Remark[] {
  const all = Object.keys(profileFiles).length;
  const fit = `${all - missing.length} of ${counted(all, 'file')} in ${folder}, all of them fit to be read`;
  const absent = missing.map((file) =>
    notSet(
      'profile',
      `${file} is missing`,
      `it would be ${profileFiles[file].use}; what needs it will not be exercised`,
    ),
  );
  return [ok('profile', fit), ...absent];
}

/** What the target made of the parts of a profile: those that it bore out in one line, each of the others in one. */
export function judgeProofs(proofs: readonly Proof[]): Remark[] {
  const parts = proofs.map(({ file, part }) => (part === undefined ? file : `${file} ${part}`));
  const held = parts.filter((_, at) => proofs[at]?.state === 'holds');
  const others = proofs.filter(({ state }) => state !== 'holds');
  return [
    ...(held.length === 0
      ? []
      : [
          ok(
            'profile tried',
            `${held.length} of ${counted(parts.length, 'part')} came out as it says: ${held.join(', ')}`,
          ),
        ]),
    ...others.map((proof) => warning('profile tried', proof.found, adviceOn(proof))),
  ];
}

function adviceOn({ file, state, trouble }: Proof): string {
  if (state === 'open') return 'npm test judges that';
  if (trouble === 'network') return 'what needs it will not be exercised; run it again once the network is better';
  // No other profile helps.
  if (trouble === 'target') return 'what needs it will not be exercised';
  return file === 'empresa.json'
    ? 'what needs it will not be exercised; where the target has that company, as of an earlier run, NFE_EMPRESA_ID names it, else npm run profile -- init FOLDER finds what suits the target'
    : 'what needs it will not be exercised; npm run profile -- init FOLDER finds what suits the target';
}

/** A target's address with what its profile was seen to be worth there. */
export function provenAt(
  address: TargetAddress,
  { proofs, empresas, invoices = {}, certificateMs }: ProvenProfile,
): TargetAddress {
  const broken = proofs.filter(({ state }) => state === 'otherwise');
  const unproven: Partial<Record<NeedName, Lack>> = Object.fromEntries(
    broken.flatMap(({ needs, found, trouble }) => needs.map((need) => [need, { reason: found, trouble }])),
  );
  const isShared = !address.control && Object.keys(empresas).length > 0;
  const shared = isShared ? { empresas, invoices } : {};
  const steered = proofs.some(({ isSteered }) => isSteered) ? { isSteered: true } : {};
  const inForce = certificateMs === undefined ? {} : { certificateMs };
  return { ...address, ...shared, ...steered, ...inForce, ...(broken.length === 0 ? {} : { unproven }) };
}

/** An application of a target, for which calls are sent as fairly as those of a check. */
export interface Acting {
  readonly target: Target;
  readonly caller: Caller | ClockedCaller;
  readonly send: SendCall;
  /** Has the tax authority decide so from now on, where a control API can. */
  readonly steer?: (outcome: NfeOutcome) => Promise<void>;
}

/**
 * Acts as an application: the one of the settings, or one that the control API makes, on a clock of its own. The target is
 * opened anew, so that what was learned of its clock goes into each timestamp, and closed afterwards.
 */
export async function asApplication<T>(
  address: TargetAddress,
  traffic: Traffic,
  use: (acting: Acting) => Promise<T>,
  listener?: TargetListener,
): Promise<T> {
  const target = openTarget(address, traffic, listener);
  try {
    const caller = await (address.control ? target.clockedCaller() : target.caller());
    const steering = address.control
      ? { steer: (outcome: NfeOutcome) => target.steer(caller, { issuance: { outcome } }) }
      : {};
    return await use({ target, caller, send: sendCallAs(target, caller), ...steering });
  } finally {
    await target.close();
  }
}
