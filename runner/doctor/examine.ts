import type { TargetAddress } from '../../targets/address.ts';
import { mayIssueForReal } from '../../targets/target.ts';
import type { Settings } from '../settings.ts';
import { coverageOf, judgeCoverage, type Coverage } from './clauses.ts';
import { examineControl } from './control.ts';
import { hasProblem, type Report } from './finding.ts';
import { examineProfile } from './profile.ts';
import { examineService, skipService } from './service.ts';
import type { Session } from './session.ts';
import { examineWay } from './way.ts';
import { examineWebhook } from './webhook.ts';

/** Examines a target, from the way that leads to it to the clauses that a run will exercise, and gives these. */
export async function examineTarget(
  settings: Settings,
  address: TargetAddress,
  session: Session,
  report: Report,
): Promise<Coverage> {
  const way = await examineWay(address);
  report(way);
  // Asked early, since it makes the application that the service is asked with; told in its own place.
  const control = await examineControl(session, address);
  const secret = address.control ? control.secret : address.credentials.active;
  if (hasProblem(way)) report(skipService("the server can't be reached"));
  else await examineService(session, address, secret, report);
  report([control.finding, await examineWebhook(settings, address.network)]);
  report(examineProfile(settings.profile));
  const coverage = coverageOf((need) => session.target.missing(need)?.reason, mayIssueForReal(address));
  report(judgeCoverage(coverage, settings));
  return coverage;
}
