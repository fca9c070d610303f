import { openControl } from '../../targets/control.ts';
import type { TargetAddress } from '../../targets/address.ts';
import { NotExercised } from '../../targets/not-exercised.ts';
import { additionOf } from './clauses.ts';
import { notSet, ok, problem, type Remark } from './finding.ts';
import type { Session } from './session.ts';

/** What was found of the control API. */
export interface Controlled {
  readonly findings: readonly Remark[];
  /** Secret of an application that it made. */
  readonly secret?: string;
  readonly implementation?: string;
}

const examined = 'control API';

/** Asks the control API what it is, and for an application. */
export async function examineControl(
  session: Session,
  { control: place, network }: TargetAddress,
): Promise<Controlled> {
  if (!place)
    return {
      findings: [notSet(examined, 'no application can be made, no clock moved', additionOf('NFE_CONTROL_URL'))],
    };
  const control = openControl(place, network);
  try {
    const { implementation } = await control.description();
    const { appSecret } = await session.target.caller();
    return {
      findings: [ok(examined, `version 1, ${implementation}; it takes the token and makes applications`)],
      secret: appSecret,
      implementation,
    };
  } catch (error) {
    if (!(error instanceof NotExercised)) throw error;
    return { findings: [judgeControlFailure(error.message)] };
  } finally {
    await control.close();
  }
}

export function judgeControlFailure(message: string): Remark {
  const isToken = /with 40[13]\b/.test(message);
  return problem(
    examined,
    message,
    isToken
      ? 'check NFE_CONTROL_TOKEN'
      : 'check NFE_CONTROL_URL, which ends where /control/v1 begins, or unset it with NFE_CONTROL_TOKEN',
  );
}
