import type { TargetAddress } from '../../targets/address.ts';
import { examineApplications } from './applications.ts';
import { examineClock } from './clock.ts';
import { examineEcho, preflightEcho } from './echo.ts';
import { hasProblem, skipped, type Remark } from './finding.ts';
import type { Session } from './session.ts';
import { examineSubscriptions } from './subscriptions.ts';

/** Takes the place of a secret that nobody has: even the refusal tells whether an echo endpoint is there, and the time. */
const noSecret = 'preflight-without-secret';

/** What was found of the service. */
export interface ExaminedService {
  readonly findings: readonly Remark[];
  /** Target clock minus own clock, in seconds; absent where it is not known. */
  readonly skewSeconds?: number;
}

/** Examines what answers at the target's address: echo, clock, applications, endpoints. */
export async function examineService(
  session: Session,
  address: TargetAddress,
  secret: string | undefined,
): Promise<ExaminedService> {
  const first = await session.ask(secret ?? noSecret, preflightEcho, 0);
  const echo = await examineEcho(session, first, address);
  if (hasProblem([echo])) return { findings: [echo, ...skipService('there is no echo endpoint to ask').slice(1)] };
  const clock = await examineClock(session, secret ?? noSecret, first);
  const found = [echo, ...clock.findings];
  const skewSeconds = clock.skew?.seconds;
  const known = skewSeconds === undefined ? {} : { skewSeconds };
  if (hasProblem(found)) return { findings: [...found, ...skipService("the clocks don't agree").slice(2)], ...known };
  if (secret === undefined)
    return {
      findings: [...found, ...skipService('the control API gives no application to ask with').slice(2)],
      ...known,
    };
  const { findings, obstacle } = await examineApplications(session, address, secret, skewSeconds ?? 0);
  const subscriptions =
    obstacle === undefined
      ? await examineSubscriptions(session, address, secret, skewSeconds ?? 0)
      : [skipped('subscriptions', obstacle)];
  return { findings: [...found, ...findings, ...subscriptions], ...known };
}

/** None of this was examined. */
export function skipService(why: string): Remark[] {
  return ['echo', 'clock', 'application secrets', 'subscriptions'].map((examined) => skipped(examined, why));
}
