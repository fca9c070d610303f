import { codes, isOfWay } from '../../contract/values.ts';
import type { Draft } from '../../contract/request.ts';
import { diagnosedKinds, type DiagnosedKind } from '../../targets/traffic/ledger.ts';
import { productionRisk, mayLeaveNew } from '../../targets/traffic/interlock.ts';
import { partsOf, sign, signedRequest } from '../../client/sign.ts';
import type { Exchange } from '../../trace/exchange.ts';
import { distinctRecipes, type AlikeRecipes } from '../../generators/wrong-recipes/distinct.ts';
import { wrongZeros } from '../../generators/wrong-recipes/hash.ts';
import type { RecipeFacts } from '../../generators/wrong-recipes/recipe.ts';
import type { Run } from '../../targets/address.ts';
import type { Target } from '../../targets/target.ts';
import { Deviation, type DeviationFacts } from './deviation.ts';
import { isRefused, summary } from './reply.ts';
import { type TrialRecord, recordBeside } from './trial-record.ts';
import { isRightlySigned, signingFactsOf } from '../../trace/signing.ts';
import { cachedAnswer, firstValues, isCached } from '../../trace/records.ts';
import { comparedWay, type Way } from '../../schemas/finding.ts';
import { LeftOut } from '../../targets/not-exercised.ts';
import type { CheckPlan } from './check-plan.ts';
import { trialOf } from './trial.ts';
import { maskOf } from './mask.ts';

/** So that a diagnosis stays a trifle beside its run: ways to sign that one tries, names that it tells. */
const most = { ways: 60, names: 3 };
/** Share of a run's budget that no diagnosis touches. */
const reserve = 0.2;

/**
 * The deviation, with the way to sign that the target takes as its hint, where the target refused a right sign: the same call
 * is sent again, signed in each of the known wrong ways, until one is not refused as a mismatch. The deviation as it was where
 * that can't be told: nothing hangs on a diagnosis, so whatever stops one, such as the network, is passed over. What a cache
 * had kept is told as that, and no endpoint is said to have done what the gateway did. Section 5.2.
 */
export async function diagnosed(error: Deviation, run: Run, target: Target, record: TrialRecord): Promise<Deviation> {
  const exchanges = record.failing?.exchanges ?? record.exchanges;
  if (isOfCache(exchanges.at(-1))) return new Deviation({ ...factsOfDeviation(error), hint: cachedAnswer });
  const told = isOfGateway(exchanges.at(-1), error) ? withoutHint(error) : error;
  if (run.repetitions === 0) return told;
  const refused = wronglyRefused(exchanges, error);
  const draft = refused && record.drafts.get(refused);
  if (!draft) return told;
  try {
    const hint = await diagnosis(signOf(refused).startsWith('0') ? () => withZero(draft()) : draft, run, target);
    return hint === undefined ? told : withHint(told, hint);
  } catch {
    return told;
  }
}

/** Whether the gateway refused what was meant for an endpoint: what the check thinks of the endpoint is then no cause. */
function isOfGateway(last: Exchange | undefined, { expected, actual }: Deviation): boolean {
  if (!last || /^accepted|\bcode \d/.test(expected) || !actual.includes(summary(last))) return false;
  return Object.values(codes).some((code) => isRefused(last, code));
}

/** What the deviation hinted at is kept, unless that was only that a correct request was refused, which this explains. */
function withHint(error: Deviation, found: string): Deviation {
  const whole = error.hint === undefined || error.isPremise ? found : `${error.hint}; ${found}`;
  return new Deviation({ ...factsOfDeviation(error), hint: whole });
}

function withoutHint(error: Deviation): Deviation {
  const bare = new Deviation(factsOfDeviation(error));
  return error.isPremise ? bare.asPremise() : bare;
}

function factsOfDeviation({ expected, actual, isPremise, restsOnTime }: Deviation): DeviationFacts {
  return { expected, actual, isPremise, restsOnTime };
}

function isOfCache(last: Exchange | undefined): boolean {
  return last?.response !== undefined && isCached(firstValues(last.response.headers));
}

async function diagnosis(draft: () => Draft, run: Run, target: Target): Promise<string | undefined> {
  const { baseUrl } = target.address;
  const first = draft();
  const recipes = distinctRecipes(factsOf(first, baseUrl), wrongZeros).slice(0, most.ways);
  const isHarmless = productionRisk(signedRequest(first)).kind === 'none' && !mayLeaveNew(target.address, first.call);
  if (!isHarmless || isNearlySpent(run, target)) return undefined;
  if (!target.ledger.takeDiagnosis(kindOf(first.call))) return undefined;
  const sendSigned = (way: (facts: RecipeFacts) => string): Promise<Exchange> => {
    const anew = draft();
    return target.send({ ...anew, sign: () => way(factsOf(anew, baseUrl)) });
  };
  for (const alike of recipes) {
    const [{ sign: way }] = alike;
    const exchange = await sendSigned(way);
    if (isDisturbed(exchange)) return undefined;
    if (isRefused(exchange, codes.signMismatch)) continue;
    // An answer that comes now and then, such as a 500, says nothing of the sign.
    if (isRefused(await sendSigned(way), codes.signMismatch)) continue;
    const control = await sendSigned((facts) => neighbourOf(way(facts)));
    return isRefused(control, codes.signMismatch) ? `the target takes a sign computed ${wayText(alike)}` : undefined;
  }
  return `the sign is right, and none of ${recipes.length} other known ways to sign is taken either`;
}

/**
 * The draft of the same request some seconds earlier, at a time at which its sign begins with a zero; of a minute one in 50 has none.
 * Rather one at which another byte does, too: that tells whether each of them loses its zero.
 */
function withZero(draft: Draft): Draft {
  const now = Number(draft.timestamp);
  const minute = Array.from({ length: 60 }, (_, seconds) => ({ ...draft, timestamp: String(now - seconds) }));
  const found = (shape: RegExp): Draft | undefined => minute.find((earlier) => shape.test(sign(partsOf(earlier))));
  return found(/^0.(?:..)*0/) ?? found(/^0/) ?? draft;
}

function signOf({ request }: Exchange): string {
  return request.headers.find(([name]) => name.toLowerCase() === 'sign')?.[1] ?? '';
}

/** What of a call is signed, in a word: each such kind is diagnosed once, so that no finding takes what another one needs. */
function kindOf({ contentType }: Draft['call']): DiagnosedKind {
  if (contentType === undefined) return 'bare';
  return diagnosedKinds.find((kind) => contentType.includes(kind)) ?? 'other';
}

/** The names of the recipes that the call does not tell apart, the first few of them. */
function wayText(alike: AlikeRecipes): string {
  const names = alike.slice(0, most.names).map(({ name }) => name);
  if (alike.length > names.length) names.push(`in ${alike.length - names.length} other ways`);
  return names.join(', or ') + (alike.length === 1 ? '' : ' (the same on this call)');
}

/** Another sign that looks alike: unless that is refused as a mismatch, the answer to the first says nothing of the way to sign. */
function neighbourOf(sign: string): string {
  return sign.replaceAll(/[0-9a-f]/g, (digit) => (Number.parseInt(digit, 16) ^ 1).toString(16));
}

function factsOf(draft: Draft, baseUrl: string): RecipeFacts {
  return { parts: partsOf(draft), call: draft.call, baseUrl };
}

/** Whether the answers no longer tell of the sign: the network's trouble, or a rate limit. */
function isDisturbed({ response }: Exchange): boolean {
  return response === undefined || response.status === 429 || isOfWay(response.status);
}

/** Whether a run has hardly more requests left than what is kept for the checks that are still to come. */
function isNearlySpent({ traffic: { budget } }: Run, { ledger }: Target): boolean {
  return budget > 0 && ledger.sent() + most.ways + 1 > budget * (1 - reserve);
}

/**
 * The exchange in which the target refused a right sign as a mismatch, where that is what the deviation tells of: the last such
 * one of the failing case.
 */
export function wronglyRefused(exchanges: readonly Exchange[], error: Deviation): Exchange | undefined {
  // Where the token is to be refused, the sign is not in question: which secret it was made with is anybody's guess.
  if (error.expected.includes(String(codes.tokenInvalid.code))) return undefined;
  return exchanges.findLast(
    (exchange) =>
      isRefused(exchange, codes.signMismatch) &&
      error.actual.includes(summary(exchange)) &&
      isRightlySigned(signingFactsOf(exchange.request, exchange.sentAtMs)),
  );
}

/** So that it stays a trifle beside its run: the longest that it takes, and that a failure may have taken before it. */
const longestMs = { survey: 20_000, failure: 5_000 };

/** The failure of a check that is settled, and how long it took to fail again. */
interface SettledFailure {
  readonly way: Way;
  readonly tookMs: number;
}

/**
 * Every way in which the examples of a failed check fail, so that two runs can be compared by them; generated cases differ from
 * run to run. The way of its failure alone where it has no examples, or none of them fails; `undefined` where not all of them
 * could be tried.
 */
export async function survey(
  plan: CheckPlan,
  run: Run,
  target: Target,
  record: TrialRecord,
  { way, tookMs }: SettledFailure,
): Promise<readonly Way[] | undefined> {
  const hasSeveral = record.hasItems === true || (plan.examples?.(run) ?? 0) > 1;
  if (!hasSeveral || run.repetitions === 0 || run.path !== undefined) return [comparedWay(way)];
  if (tookMs > longestMs.failure || isNearlySpent(run, target)) return undefined;
  const own = recordBeside(record);
  const met = new Map<string, Way>();
  const endMs = performance.now() + longestMs.survey;
  own.noting = { goesOnAfter: () => performance.now() < endMs, mask: () => maskOf(run, target, own), met };
  const examplesOnly = { ...run, numRuns: 0, mostShrinks: 0 };
  const { failure } = await plan.attempt(trialOf(target, own), examplesOnly, own);
  if (failure && !(failure.error instanceof LeftOut)) return undefined;
  for (const endpoint of own.kept) record.kept.add(endpoint);
  return (met.size > 0 ? [...met.values()] : [way]).map(comparedWay);
}
