import { codes, type PlatformCode } from '../../contract/values.ts';
import type { TargetAddress, Credentials } from '../../targets/address.ts';
import { answerText, type TargetAnswer, type Silence, isRefusal, refusalOf } from './answer.ts';
import { queryCall } from '../../generators/calls.ts';
import { preflightEcho } from './echo.ts';
import { hasProblem, ok, problem, type Remark, notSet, skipped, warning } from './finding.ts';
import { askSurely, type Asked, type Session } from './session.ts';
import { additionOf } from './clauses.ts';
import { jsonText } from '../../schemas/values.ts';

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
  const echo = async (
    secret: string,
    judged: (answer: TargetAnswer) => readonly Remark[],
  ): Promise<TargetAnswer | Silence> => {
    const ask = (): Promise<Asked> => session.ask(secret, preflightEcho, skewSeconds);
    return (await askSurely(ask, (answer) => hasProblem(judged(answer)))).answer;
  };
  const first = await echo(active, (answer) => [judgeActive('NFE_APP_SECRET', answer)]);
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
    if (secret === undefined) continue;
    const answer = await echo(secret, (each) => judgeCredentials([{ row, answer: each }], first));
    const isOther = !('error' in answer) && !isAsPromised(row, answer);
    const elsewhere = isOther ? (await session.ask(secret, preflightQuery, skewSeconds)).answer : undefined;
    const isOwn = secret === active;
    asked.push({ row, answer, ...(elsewhere ? { elsewhere } : {}), ...(isOwn ? { isOwn } : {}) });
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

/** A setting that holds the secret of an application in a certain state. */
export interface CredentialRow {
  readonly setting: string;
  readonly field: keyof Credentials;
  /** Ends the sentence "this application is not …". */
  readonly state: string;
  /** What echo answers in that state. */
  readonly refusal: PlatformCode;
  /** Whether echo may let it pass as well. */
  readonly mayPass?: boolean;
}

/** The settings for secrets other than that of the active application. Sections 5.3 and 7.2. */
export const credentialRows: readonly CredentialRow[] = [
  { setting: 'NFE_APP_SECRET_DISABLED', field: 'disabled', state: 'disabled', refusal: codes.applicationDisabled },
  {
    setting: 'NFE_APP_SECRET_PENDING',
    field: 'pending',
    state: 'pending approval',
    refusal: codes.applicationNotEffective,
  },
  { setting: 'NFE_APP_SECRET_REJECTED', field: 'rejected', state: 'rejected', refusal: codes.applicationNotEffective },
  {
    setting: 'NFE_APP_SECRET_INTEGRATOR_DISABLED',
    field: 'integratorDisabled',
    state: 'one of a disabled integrator account',
    refusal: codes.integratorDisabled,
  },
  {
    setting: 'NFE_APP_SECRET_UNSUBSCRIBED',
    field: 'unsubscribed',
    state: 'without subscription',
    refusal: codes.notSubscribed,
  },
  {
    setting: 'NFE_APP_SECRET_RATE_LIMITED',
    field: 'rateLimited',
    state: 'fit to be called',
    refusal: codes.rateLimited,
    mayPass: true,
  },
  { setting: 'NFE_APP_SECRET_ROTATED', field: 'rotated', state: 'rotated', refusal: codes.tokenInvalid },
];

/** An unset secret, with what it would add. */
export function judgeUnset({ setting }: CredentialRow): Remark {
  return notSet(setting, 'what needs it will not be exercised', additionOf(setting));
}

/** A secret of the settings with what echo answered to it. */
interface AskedCredential {
  readonly row: CredentialRow;
  readonly answer: TargetAnswer | Silence;
  /** What a query answered, where echo did not answer as it is to. */
  readonly elsewhere?: TargetAnswer | Silence;
  /** It is the secret of NFE_APP_SECRET itself. */
  readonly isOwn?: true;
}

/** Asks the gateway by another endpoint than echo, of nothing that is there. */
const preflightQuery = queryCall('preflight', 'preflight');

/** So many settings are hardly wrong at once. */
const manySettings = 3;

/**
 * Judges what echo answers to each such secret; `active` is its answer to the one that is to pass. A secret in another state
 * than its setting says would have the target blamed for it: only where another endpoint bears the setting out, or the App Key that
 * echo tells does, or so many are answered otherwise that they are hardly all wrong, is it for the run to judge.
 */
export function judgeCredentials(asked: readonly AskedCredential[], active: TargetAnswer | Silence): Remark[] {
  const others = asked.filter(({ row, answer }) => 'status' in answer && isInOtherState(row, answer));
  return asked.map(({ row, answer, elsewhere, isOwn }) => {
    const { setting } = row;
    const says = `the target says ${answerText(answer)}`;
    if ('error' in answer) return warning(setting, `${says}: its state can't be told`, 'try again');
    if (isAsPromised(row, answer)) return ok(setting, says);
    const why = otherState(row, answer);
    if (why === undefined) return warning(setting, `${says}: its state can't be told`, tells);
    if (elsewhere && isAsPromised(row, elsewhere))
      return warning(setting, `${says} at echo, and ${answerText(elsewhere)} at a query`, tells);
    if (row.field === 'rotated' && !isOwn && isOfOneApplication(answer, active))
      return warning(setting, `${says}, as to NFE_APP_SECRET: the application has two secrets that are valid`, tells);
    if (others.length >= manySettings && isInOtherState(row, answer))
      return warning(setting, `${says}: ${why}, nor are ${others.length - 1} others what their settings say`, tells);
    const twin = swappedWith(row, answer, asked, active);
    const advice = twin
      ? `exchange ${setting} and ${twin}, which look swapped`
      : `put in the secret of such an application, or unset it; if it is one, the target breaks the contract: it is to answer ${wantedOf(row)}`;
    return problem(setting, `${says}: ${why}`, advice);
  });
}

/** Whether echo told both of the same App Key: whoever has put in a secret of another application got another one. */
function isOfOneApplication({ data }: TargetAnswer, active: TargetAnswer | Silence): boolean {
  const { appKey } = data;
  return typeof appKey === 'string' && 'data' in active && active.data['appKey'] === appKey;
}

const tells = 'npm test tells whether the target deviates there';

/** Whether an application is known, and told to be another one than its setting says. */
function isInOtherState(row: CredentialRow, answer: TargetAnswer): boolean {
  const isUnknown = isRefusal(answer, codes.tokenInvalid);
  return !isAsPromised(row, answer) && !isUnknown && otherState(row, answer) !== undefined;
}

function isAsPromised({ refusal, mayPass = false }: CredentialRow, answer: TargetAnswer | Silence): boolean {
  return 'status' in answer && (isRefusal(answer, refusal) || (mayPass && answer.status === 200));
}

/** What echo is to answer in the state of a setting, as a report tells answers. */
function wantedOf({ refusal }: CredentialRow): string {
  return `${refusal.status}/${refusal.code} (${refusal.meaning})`;
}

/** The setting whose secret passes as the active one is to, where the active one is refused as that one is to be. */
function swappedWithActive(asked: readonly AskedCredential[], active: TargetAnswer | Silence): string | undefined {
  if ('error' in active) return undefined;
  return asked.find(({ row, answer }) => 'status' in answer && answer.status === 200 && isRefusal(active, row.refusal))
    ?.row.setting;
}

/** The other setting whose secret is answered as this one's is to be, where this one is answered as that one's. */
function swappedWith(
  row: CredentialRow,
  answer: TargetAnswer,
  asked: readonly AskedCredential[],
  active: TargetAnswer | Silence,
): string | undefined {
  const isActive = answer.status === 200 && 'status' in active && isRefusal(active, row.refusal);
  if (isActive) return 'NFE_APP_SECRET';
  return asked.find((other) => isAsPromised(row, other.answer) && isRefusal(answer, other.row.refusal))?.row.setting;
}

/** Why an answer shows another state than the setting promises; `undefined` when it shows none. */
function otherState({ setting, state, refusal }: CredentialRow, answer: TargetAnswer): string | undefined {
  if (answer.status === 200 && refusal === codes.tokenInvalid) return 'this secret is still valid';
  if (isRefusal(answer, codes.tokenInvalid)) return `it does not know the secret in ${setting}`;
  const isTelling = answer.status === 200 || (answer.status === 403 && refusalOf(answer) !== undefined);
  return isTelling ? `this application is not ${state}` : undefined;
}

/** Settings that hold the secret of another: checks that need both of their states would disturb each other. */
export function judgeSameSecrets(credentials: Credentials): Remark[] {
  const named = [
    { setting: 'NFE_APP_SECRET', secret: credentials.active },
    ...credentialRows.map(({ setting, field }) => ({ setting, secret: credentials[field] })),
  ].filter(({ secret }) => secret !== undefined);
  return named.flatMap(({ setting, secret }, index) => {
    const first = named.findIndex((other) => other.secret === secret);
    if (first === index) return [];
    const found = `it holds the same secret as ${named[first]?.setting}`;
    const advice =
      'each takes an application of its own: unset one of them, or put in the secret of another application';
    // One that is driven into its limit disturbs the run; of two states, one would be said to be judged and is not.
    return [
      setting === 'NFE_APP_SECRET_RATE_LIMITED' ? warning(setting, found, advice) : problem(setting, found, advice),
    ];
  });
}
