import { codes } from '../../contract/values.ts';
import { additionOf } from './addition.ts';
import { answerText, isRefusal, type TargetAnswer, type Silence } from './answer.ts';
import { notSet, ok, problem, skipped, warning, type Remark } from './finding.ts';
import { jsonText } from '../../schemas/values.ts';

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
