import { codes, type PlatformCode } from '../../contract/values.ts';
import type { Credentials } from '../../targets/address.ts';
import { additionOf } from './addition.ts';
import { answerText, isRefusal, refusalOf, type TargetAnswer, type Silence } from './answer.ts';
import { notSet, ok, problem, warning, type Remark } from './finding.ts';

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
export interface AskedCredential {
  readonly row: CredentialRow;
  readonly answer: TargetAnswer | Silence;
}

/**
 * Judges what echo answers to each such secret; `active` is its answer to the one that is to pass. A secret in another state
 * than its setting says would have the target blamed for it.
 */
export function judgeCredentials(asked: readonly AskedCredential[], active: TargetAnswer | Silence): Remark[] {
  return asked.map(({ row, answer }) => {
    const { setting } = row;
    const says = `the target says ${answerText(answer)}`;
    if ('error' in answer) return warning(setting, `${says}: its state can't be told`, 'try again');
    if (isAsPromised(row, answer)) return ok(setting, says);
    const why = otherState(row, answer);
    if (why === undefined)
      return warning(setting, `${says}: its state can't be told`, 'npm test tells whether the target deviates there');
    const twin = swappedWith(row, answer, asked, active);
    const advice = twin
      ? `exchange ${setting} and ${twin}, which look swapped`
      : 'put in the secret of such an application, or unset it';
    return problem(setting, `${says}: ${why}`, advice);
  });
}

function isAsPromised({ refusal, mayPass = false }: CredentialRow, answer: TargetAnswer | Silence): boolean {
  return 'status' in answer && (isRefusal(answer, refusal) || (mayPass && answer.status === 200));
}

/** The setting whose secret passes as the active one is to, where the active one is refused as that one is to be. */
export function swappedWithActive(
  asked: readonly AskedCredential[],
  active: TargetAnswer | Silence,
): string | undefined {
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
