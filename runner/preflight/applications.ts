import { codes } from '../../contract/codes.ts';
import type { TargetAddress } from '../../targets/address.ts';
import { answerText, type TargetAnswer, type Silence, isRefusal } from './answer.ts';
import {
  credentialRows,
  judgeCredentials,
  judgeSameSecrets,
  judgeUnset,
  swappedWithActive,
  type AskedCredential,
} from './credentials.ts';
import { preflightEcho } from './echo.ts';
import { ok, problem, type Remark, notSet, skipped, warning } from './finding.ts';
import type { Session } from './session.ts';
import { additionOf } from './needs-table.ts';
import { jsonText } from '../../schemas/json-text.ts';

/** What was found of the applications. */
interface Applications {
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

/** Advice for answers that tell of no wrong setting: a run finds out whether the target breaks the contract. */
const contractMatters = [
  [
    codes.signMismatch,
    'the secret is known: a path in NFE_BASE_URL may be one too many, a proxy may change path or body, or the target signs otherwise',
  ],
  [
    codes.timestampInvalid,
    'the clocks agree: a proxy may change the timestamp header, or the target reads it otherwise',
  ],
] as const;

/** What is known of the application that a run calls with, beside what echo answers to it. */
interface ActiveFacts {
  readonly secret?: string;
  /** The setting whose secret is answered as this one is to be, and the reverse. */
  readonly swappedWith?: string | undefined;
}

/** Judges what echo answers to the application that a run calls with. `name` is the setting or the source of its secret. */
export function judgeActive(name: string, answer: TargetAnswer | Silence, facts: ActiveFacts = {}): Remark {
  const { secret = '', swappedWith } = facts;
  const says = `the target says ${answerText(answer)}`;
  if ('error' in answer) return problem(name, says, 'see what became of the network and try again', 'network');
  const { status } = answer;
  if (status === 200) return ok(name, 'active and subscribed to echo');
  if (isRefusal(answer, codes.tokenInvalid)) {
    const advice = 'copy the secret anew, since a rotation makes the former one invalid';
    const isCased = secret !== secret.toLowerCase();
    const otherwise = isCased
      ? '; if it is right, see whether a gateway in between lower-cases the token header: this secret has capital letters'
      : '';
    return problem(name, `${says}: it does not know this secret`, advice + otherwise);
  }
  if (isRefusal(answer, codes.headersMissing)) {
    return problem(
      name,
      `${says} to a request that has all three headers`,
      'a gateway in between takes token, sign or timestamp away: have it let them through',
      'network',
    );
  }
  if (swappedWith !== undefined) return problem(name, says, `exchange ${name} and ${swappedWith}, which look swapped`);
  if (isRefusal(answer, codes.notSubscribed)) {
    return problem(name, says, 'subscribe the application to /openapi/demo/echo and to everything else');
  }
  if (status === 403)
    return problem(name, says, 'it takes the secret of an active application subscribed to everything');
  if (status === 429) return problem(name, says, 'set NFE_MAX_RPS to a rate that the target allows, or wait');
  const matter = contractMatters.find(([refusal]) => isRefusal(answer, refusal));
  return warning(name, says, `${matter?.[1] ?? 'no setting explains that'}: npm test tells`);
}

/** Judges a setting that says what echo must tell of the application; `echoed` is what it did tell, where it answered 200. */
export function judgeIdentity(setting: string, wanted: string | undefined, echoed: unknown): Remark {
  if (wanted === undefined) return notSet(setting, 'the identity that echo gives is not compared', additionOf(setting));
  if (echoed === undefined) return skipped(setting, 'echo told no identity to compare it with');
  if (echoed === wanted) return ok(setting, 'echo says the same');
  return problem(
    setting,
    `echo says ${jsonText(echoed)}`,
    `set ${setting} to that, or NFE_APP_SECRET to the secret of the other application`,
  );
}
