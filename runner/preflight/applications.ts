import { codes } from '../../contract/values.ts';
import type { TargetAddress } from '../../targets/address.ts';
import { judgeActive, judgeIdentity } from './active-application.ts';
import { answerText, type TargetAnswer, type Silence } from './answer.ts';
import {
  credentialRows,
  judgeCredentials,
  judgeSameSecrets,
  judgeUnset,
  swappedWithActive,
  type AskedCredential,
} from './credentials.ts';
import { preflightEcho } from './echo.ts';
import { ok, problem, type Remark } from './finding.ts';
import type { Session } from './session.ts';

/** What was found of the applications. */
export interface Applications {
  readonly findings: readonly Remark[];
  /** Why the active application can't be used to look further; `undefined` when it can. */
  readonly obstacle: string | undefined;
}

/** Asks the echo endpoint once with each secret of the settings. `active` is that of the application that a run calls with. */
export async function examineApplications(
  session: Session,
  address: TargetAddress,
  active: string,
  skewSeconds: number,
): Promise<Applications> {
  const echo = async (secret: string): Promise<TargetAnswer | Silence> =>
    (await session.ask(secret, preflightEcho, skewSeconds)).answer;
  const first = await echo(active);
  const obstacle = obstacleOf(first);
  if (address.control) {
    const findings = [
      judgeActive('application of the control API', first),
      ...judgeFaults('application of the control API', first),
      ok('application secrets', 'none are needed: the control API makes an application for each check'),
    ];
    return { findings, obstacle };
  }
  const { credentials } = address;
  const identity = 'error' in first || first.status !== 200 ? {} : first.data;
  const asked: AskedCredential[] = [];
  for (const row of credentialRows) {
    const secret = credentials[row.field];
    if (secret !== undefined) asked.push({ row, answer: await echo(secret) });
  }
  const findings = [
    judgeActive('NFE_APP_SECRET', first, { secret: active, swappedWith: swappedWithActive(asked, first) }),
    ...judgeFaults('NFE_APP_SECRET', first),
    ...asked.flatMap(({ row, answer }) => judgeFaults(row.setting, answer)),
    judgeIdentity('NFE_APP_KEY', credentials.appKey, identity['appKey']),
    judgeIdentity('NFE_APP_NAME', credentials.appName, identity['appName']),
    ...judgeCredentials(asked, first),
    ...credentialRows.filter(({ field }) => credentials[field] === undefined).map(judgeUnset),
    ...judgeSameSecrets(credentials),
  ];
  return { findings, obstacle };
}

/** A run would judge what somebody wished a simulator to do wrong. */
function judgeFaults(name: string, answer: TargetAnswer | Silence): Remark[] {
  if ('error' in answer || !answer.hasFaults) return [];
  const found = 'faults on demand are armed at this application of the simulator';
  return [problem(name, found, 'disarm them by its control API, or start it again')];
}

/** A missing subscription to echo alone leaves the other endpoints to be asked. */
function obstacleOf(answer: TargetAnswer | Silence): string | undefined {
  const isUsable = !('error' in answer) && (answer.status === 200 || answer.code === codes.notSubscribed.code);
  return isUsable ? undefined : `echo says ${answerText(answer)} to the application`;
}
