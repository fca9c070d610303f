import type { NfeOutcome } from '../../contract/values.ts';
import type { TargetAddress, Traffic } from '../../targets/address.ts';
import type { SendCall } from '../../targets/empresa.ts';
import { sendCallAs } from '../../targets/fair-send.ts';
import type { Caller, ClockedCaller } from '../../targets/applications.ts';
import { openTarget, type Target, type TargetListener } from '../../targets/target.ts';

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
