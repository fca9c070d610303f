import { echoCall } from '../../generators/calls.ts';
import type { TargetAddress } from '../../targets/address.ts';
import { examineApplications } from './applications.ts';
import { judgeSkew, skewOf } from './clock.ts';
import { judgeEcho } from './echo.ts';
import { hasProblem, skipped, type Finding, type Report } from './finding.ts';
import type { Session } from './session.ts';
import { examineSubscriptions } from './subscriptions.ts';

/** Takes the place of a secret that nobody has: even the refusal tells whether an echo endpoint is there, and the time. */
const noSecret = 'doctor-without-secret';

/** Examines what answers at the target's address: echo, clock, applications, subscriptions. */
export async function examineService(
  session: Session,
  address: TargetAddress,
  secret: string | undefined,
  report: Report,
): Promise<void> {
  const first = await session.ask(secret ?? noSecret, echoCall('doctor'), 0);
  const echo = judgeEcho(first.answer, address.baseUrl);
  report([echo]);
  if (hasProblem([echo])) return report(skipService('there is no echo endpoint to ask').slice(1));
  const skew = skewOf(first);
  report([judgeSkew(skew)]);
  if (secret === undefined) return report(skipService('the control API gives no application to ask with').slice(2));
  const skewSeconds = skew?.seconds ?? 0;
  const applications = await examineApplications(session, address, secret, skewSeconds);
  report(applications.findings);
  const { obstacle } = applications;
  return report(
    obstacle === undefined
      ? await examineSubscriptions(session, address, secret, skewSeconds)
      : [skipped('subscriptions', obstacle)],
  );
}

/** None of this was examined. */
export function skipService(why: string): Finding[] {
  return ['echo', 'clock', 'application secrets', 'subscriptions'].map((examined) => skipped(examined, why));
}
