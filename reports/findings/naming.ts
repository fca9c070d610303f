import { buildsOn, foundation, topicOf } from '../../contract/catalogue.ts';
import { endpoints, methodAndPath, retiredEndpoints } from '../../contract/endpoints.ts';
import { codes } from '../../contract/values.ts';
import type { FactName } from '../../schemas/finding.ts';
import { type Break, factOf, isAbsence, isAnswer, isOfPremises, isPageOf, platformCode, timesOf } from './breaks.ts';
import { isForWantOfEnvelope, isGoneFor, isOfUntrueState, isOverwritten, isReadFirst } from './links-by-clause.ts';
import { isOfFieldOf, isSeenAlike, undueRefusal } from './links.ts';
import { answersOf, isLossOfRetries, isReasonOf } from './links-of-deliveries.ts';
import { isPlainly } from './statement.ts';

/**
 * In which order the clauses of a finding name it: first the heaviest; of pages what is said of all answers; what shows why others don't
 * hold; that no event is lost, where retries are after whatever answer; what is right and refused at one of several nodes, where that is
 * seen; those that were put to the test; what came, before what did not, which may only not have been known again, unless what came stands
 * on it; of what our answers are taken for what is so of most kinds of them; the rule of signing that nearly all of what is refused has in
 * common; what the code is about that right requests are refused with; of what hangs on one endpoint those that are about it; what the code
 * is about that was due for all; what several others of it stand on; then what is no order of faults, since a single fault tells more; what
 * no failure of another endpoint kept from being tried; what is broken throughout; what a check of its own found; what shows what most
 * others show; what stands on least, and what is broken most often.
 */
export function byName(group: readonly Break[]): (one: Break, other: Break) => number {
  const [ofCode, topic, due] = [topicThatCame(group), topicOfAll(group), topicThatWasDue(group)];
  const bases = group.filter((one) => broadest.has(one.clause.id) && shareOf(one) > 0);
  const arePagesOfAll =
    new Set(group.map(({ clause }) => topicOf(clause.id))).size > mostOfOneEndpoint &&
    group.every(({ actual }) => isPageOf(actual));
  const came = group.filter(({ actual }) => !isAbsence(actual));
  const areOfAnswers = group.every((one) => answersOf(one).size > 0);
  const areLost = group.length > 1 && !areOfAnswers && group.every(isLoss) && group.some(isLossOfRetries);
  const isOfNode = ({ checks }: Break): boolean => checks.some(({ shared }) => shared?.node);
  const isAtNode = group.some(isOfNode) && group.some(isOfRight);
  const isOfSigning = !isAtNode && !isUnguarded(group);
  const carried = (of: Break): number => group.filter(({ clause }) => buildsOn(clause.id).has(of.clause.id)).length;
  const isOfCode = ({ clause }: Break): boolean => topicOf(clause.id) === ofCode;
  // What only was seen now and then is the cause all the same where it was seen far more often than all else.
  const mostElsewhere = Math.max(1, ...group.filter((one) => !isOfCode(one)).map((one) => timesOf(one).wrong));
  const isSeenMost = (one: Break): boolean => timesOf(one).wrong >= farMore * mostElsewhere;
  const isCodeShown = group.some((one) => isOfCode(one) && (isShownBy(one) || isSeenMost(one)));
  const keysOf = (of: Break): readonly number[] => {
    const { clause } = of;
    const { wrong } = timesOf(of);
    const isWhole = isThroughout(of);
    const isShown = isShownBy(of);
    return [
      ['failed', 'warned', 'known'].indexOf(clause.verdict),
      // What stands before the service has sent it, whatever the request was about.
      Number(arePagesOfAll && topicOf(clause.id) !== 'errors'),
      Number(group.some((other) => other !== of && showsWhy(other, of))),
      Number(areLost && clause.id !== 'webhook-delivery.at-least-once'),
      Number(isAtNode && !isOfRight(of)),
      Number(isAtNode && !isOfNode(of)),
      Number(isStopped(of) || isOfPremises(of)),
      Number(isAbsence(of.actual) && !areOfAnswers && !came.some(({ clause: { id } }) => buildsOn(id).has(clause.id))),
      areOfAnswers ? -answersOf(of).size : 0,
      isOfSigning ? -Math.max(0, ...bases.map((base) => specialtyOf(of, base))) : 0,
      // Of what stands on right signs that they pass is the cause, however seldom it was seen to fail.
      Number(!isOfCode(of) || (!isShown && !isSeenMost(of) && (isCodeShown || clause.id !== foundation))),
      Number(topicOf(clause.id) !== topic),
      Number(!isShown || topicOf(clause.id) !== due),
      carried(of) > 1 ? -carried(of) : 0,
      Number(topicOf(clause.id) === 'precedence'),
      Number(isFailureElsewhere(of)),
      Number(!isWhole),
      Number(!isTried(of)),
      -carried(of),
      -group.filter((other) => isSeenAlike(of, other)).length,
      -wrong,
      buildsOn(clause.id).size,
    ];
  };
  return (one, other) => {
    const [keys, others] = [keysOf(one), keysOf(other)];
    return keys.map((key, at) => key - (others[at] ?? 0)).find((difference) => difference !== 0) ?? 0;
  };
}

/** How many times as often as the others. */
const farMore = 10;

/** Topics that one endpoint's pages may be about: its own, its siblings' and that of its errors. */
const mostOfOneEndpoint = 3;

/** Whether something did not come that is due by a rule of delivery. */
function isLoss(one: Break): boolean {
  return isLossOfRetries(one) || (topicOf(one.clause.id) === 'webhook-delivery' && isAbsence(one.actual));
}

/** Whether the one shows why the other does not hold, or is about the very field that is wrong there. */
function showsWhy(one: Break, other: Break): boolean {
  return whys.some((isWhy) => isWhy(one, other)) || isOfFieldOf(other, one);
}

const whys = [isReasonOf, isGoneFor, isForWantOfEnvelope, isOverwritten, isReadFirst, isOfUntrueState];

/** Whether requests break it that have nothing wrong with them. */
function isOfRight(of: Break): boolean {
  return isPlainly(of.expected) || factOf(of, 'fault') === 'none';
}

/** Whether requests pass whatever is wrong with them: no way to sign explains that. */
export function isUnguarded(group: readonly Break[]): boolean {
  const passed = group.filter(({ actual }) => isAnswer(actual) && !platformCode.test(actual));
  return guards.filter(({ code }) => passed.some(({ expected }) => expected.includes(`code ${code}`))).length > 2;
}

/** What a request is refused with before anybody asks who sent it. */
const guards = [codes.headersMissing, codes.timestampInvalid, codes.tokenInvalid, codes.signMismatch];

/** Whether an endpoint failed that it is not about: what it is about was not reached. */
function isFailureElsewhere(of: Break): boolean {
  const [topic, place] = [topicOf(of.clause.id), factOf(of, 'endpoint')];
  const isElsewhere = place !== undefined && topicsOfEndpoints.get(place) !== topic;
  return isElsewhere && ofEndpoints.has(topic) && /^5\d\d/.test(of.actual);
}

/** Whether a check of its own failed by its own rule. */
function isTried({ checks }: Break): boolean {
  return checks.some(({ inPassing, error }) => !inPassing && !error?.premise);
}

function shareOf(of: Break): number {
  const { wrong, of: all } = timesOf(of);
  return all === 0 ? 0 : wrong / all;
}

/** Whether the gateway let nothing through to an endpoint, whose own rule was not tried by that. */
function isStopped(of: Break): boolean {
  const isRefused = factOf(of, 'fault') === 'none' && of.actual.startsWith('401, code');
  const isOwn = /^40[04]\b/.test(of.actual);
  return ((isPlainly(of.expected) && !isOwn) || isRefused) && ofEndpoints.has(topicOf(of.clause.id));
}

/** The topic of the one code that right requests are refused with; `undefined` where there are several, or none. */
function topicThatCame(group: readonly Break[]): string | undefined {
  return topicOfCode(group.map((one) => (factOf(one, 'fault') === 'none' ? undueRefusal(one) : undefined)));
}

/** Whether nothing right was seen of it. */
function isThroughout(of: Break): boolean {
  const { wrong, of: all } = timesOf(of);
  return all === 0 ? !of.clause.alsoHeld : wrong === all;
}

/** What was only seen now and then, and by no check of its own, may come of something else. */
function isShownBy(of: Break): boolean {
  return isThroughout(of) || isTried(of);
}

/** The topic of the one code that was due for all that a code was due for. */
function topicThatWasDue(group: readonly Break[]): string | undefined {
  return topicOfCode(group.map(({ expected }) => expected));
}

function topicOfCode(texts: readonly (string | undefined)[]): string | undefined {
  const [code, ...others] = new Set(texts.flatMap((text = '') => platformCode.exec(text)?.[1] ?? []));
  return others.length > 0 ? undefined : topicsOfCodes.get(Number(code));
}

const topicsOfCodes: ReadonlyMap<number, string> = new Map([
  [codes.headersMissing.code, 'required-headers'],
  [codes.timestampInvalid.code, 'timestamp'],
  [codes.tokenInvalid.code, 'token'],
  [codes.signMismatch.code, 'signature'],
  [codes.applicationDisabled.code, 'application'],
  [codes.applicationNotEffective.code, 'application'],
  [codes.integratorDisabled.code, 'application'],
  [codes.notSubscribed.code, 'subscription'],
  [codes.retired.code, 'retirement'],
  [codes.rateLimited.code, 'rate-limit'],
]);

/** The rules of signing that all others are cases of: a right sign passes, a wrong one does not. */
export const broadest: ReadonlySet<string> = new Set([foundation, 'signature.mismatch-refused']);

/**
 * How much speaks for a rule of signing being what little of a broader one is broken for, from 0 to 1: most of what it is about breaks it,
 * or far more than of the rest, as its own check found; or, where nothing but that is about it, that failed.
 */
function specialtyOf(of: Break, base: Break): number {
  const [share, ofBase] = [shareOf(of), shareOf(base)];
  const { wrong, of: all } = timesOf(of);
  // A page tells nothing of a way to sign.
  if (!isSpecial(of, base) || topicOf(of.clause.id) !== topicOf(foundation) || isPageOf(of.actual)) return 0;
  if (all === 0) return isTried(of) && ofBase < 0.1 ? 0.4 : 0;
  const least = isTried(of) ? Math.min(0.4, 10 * ofBase) : 0.4;
  return share >= Math.max(least, 2.5 * ofBase) && (isTried(of) || wrong >= 3) ? share : 0;
}

/** Whether it says less than the broader rule, and what it hangs on is so of all that breaks that. */
function isSpecial({ clause, facts }: Break, base: Break): boolean {
  const telling = facts.filter((fact) => fact.telling);
  // That each endpoint keeps to the broader rule says less where it hangs on one.
  if (clause.id === 'signature.every-endpoint' && !telling.some(({ name }) => name === 'endpoint')) return false;
  const isOfAll = base.facts.length === 0 || telling.every(({ name, value }) => factOf(base, name) === value);
  return isOfAll && !broadest.has(clause.id);
}

/** The topic of the endpoint that everything in a group was seen at; `undefined` where there are several. */
function topicOfAll(group: readonly Break[]): string | undefined {
  const isAll = (name: FactName): string | undefined => {
    const [value, ...others] = new Set(group.map((one) => factOf(one, name)));
    return others.length > 0 ? undefined : value;
  };
  const place = isAll('endpoint');
  if (place !== undefined) return topicsOfEndpoints.get(place);
  return isAll('path') === 'retired' ? 'retirement' : undefined;
}

const topicsOfEndpoints: ReadonlyMap<string, string> = new Map([
  ...retiredEndpoints.map((retired) => [methodAndPath(retired), 'retirement'] as const),
  ...endpoints.map(
    (one) => [methodAndPath(one), one.name === 'webhook-registration' ? 'webhook-url' : one.name] as const,
  ),
]);

const ofEndpoints: ReadonlySet<string> = new Set(topicsOfEndpoints.values());
