import { buildsOn, topicOf } from '../../contract/catalogue.ts';
import { type FactName, linkToDocument, wayText } from '../../schemas/finding.ts';
import { codes, limits, retryInstantsSeconds } from '../../contract/values.ts';
import { cachedAnswer } from '../../trace/records.ts';
import {
  type Break,
  eachTime,
  factOf,
  isAbsence,
  isAnswer,
  isOfLaterFault,
  isPageOf,
  platformCode,
  timesOf,
} from './breaks.ts';
import { isAlike, isRare, isSame, type Link, sharing } from './link.ts';
import { linksByClause } from './links-by-clause.ts';
import { linksOfContent, sameQuoted } from './links-of-content.ts';
import { linksOfDeliveries } from './links-of-deliveries.ts';
import { areApart, isAlways } from './parts.ts';
import { takenSign } from './statement.ts';

/** Whether two clauses seem to be broken by one thing. */
function isOneCause(one: Break, other: Break): boolean {
  return links.some((link) => link(one, other));
}

/** Most records that break the one break the other as well; of one way alone that tells where the other explains it. */
const sameRecords: Link = (one, other) => {
  if (isRefusalAndForm(one, other) || isTextAndForm(one, other) || isTextAndForm(other, one)) return false;
  const [isWithOther, isWithOne] = [one.beside.has(other.clause.id), other.beside.has(one.clause.id)];
  const isNoReason = areApart(one, other);
  if (isWithOther && isWithOne) return !isNoReason || !isAlways(one) || !isAlways(other);
  if (isNoReason) return false;
  return (isWithOther && isExplainedBy(one, other)) || (isWithOne && isExplainedBy(other, one));
};

/** Whether the one is a refusal that is only not due, and the other something in an answer: neither explains the other. */
function isRefusalAndForm(...both: [Break, Break]): boolean {
  const isUndue = (one: Break): boolean => undueRefusal(one) !== undefined || isOfLaterFault(one);
  const isOfForm = ({ expected, actual }: Break): boolean =>
    !isAnswer(actual) || expected.startsWith('a code other than ');
  return both.some(isUndue) && both.some(isOfForm);
}

/** Whether the one is in what a message says, and the other in another member of its envelope. */
function isTextAndForm(one: Break, other: Break): boolean {
  const [, member = 'message'] = /^\/?(\w+) is\b/.exec(other.actual) ?? [];
  return /^(?:"|one in )/.test(one.actual) && member !== 'message';
}

/**
 * Whether the other may be why the one is broken. What is wrong with all answers is so with those that are wrong besides: it explains
 * what is as well about their form in one topic, what shows the same text, and the due status without its code.
 */
function isExplainedBy(one: Break, other: Break): boolean {
  if (isUndueSuccess(one) && !isAnswer(other.actual) && !isAbsence(other.actual)) return false;
  const isOfOneForm = topicOf(one.clause.id) === topicOf(other.clause.id) && !isAnswer(one.actual);
  return !isByChance(one, other) || isOfOneForm || sameQuoted(one, other) || isOnlyWithoutCode(one);
}

/** Whether what was to be refused succeeds, one by one or too many: that is for nothing that is wrong in the answer. */
function isUndueSuccess({ expected, actual }: Break): boolean {
  return (/^4(?:xx|\d\d)\b/.test(expected) && /^2\d\d\b/.test(actual)) || /^\d+ served\b/.test(actual);
}

/** Whether the other is broken so often that it may be by chance that it is so in all records that break the one. */
function isByChance(one: Break, other: Break): boolean {
  const { wrong, of } = timesOf(other);
  const share = of === 0 ? 0 : wrong / of;
  return isAlways(other) || (share >= 2 / 3 && share ** timesOf(one).wrong >= 0.1);
}

/** Whether the status that was due came, and its code did not, be it as an integer. */
function isOnlyWithoutCode({ expected, actual }: Break): boolean {
  const number = /10009\d{3}/.exec(actual)?.[0] ?? '';
  const isDue = isAnswer(expected) && actual.startsWith(expected.slice(0, 3)) && expected.includes(number);
  return isDue && !platformCode.test(actual);
}

/** Both hang on the same, and on nothing else that is right. */
const sameTelling = sharing(({ facts }) => {
  const telling = facts.filter((fact) => fact.telling);
  return telling.length === 0 ? undefined : JSON.stringify(telling);
});

/** The one hangs on what came before on the connection, and the other came behind that as well, with the same status. */
const sameBefore: Link = (one, other) => {
  const isTelling = [...one.facts, ...other.facts].some(({ name, telling }) => name === 'before' && telling);
  return isTelling && isSame(one, other, 'before') && isSame(one, other, 'status');
};

/**
 * The same came where the same was due. A clause that is broken by several answers may be so by several causes: of these the first one is
 * to be the same, or most.
 */
const sameWay: Link = (one, other) => {
  const both = one.ways.intersection(other.ways);
  const [[own], [others]] = [one.ways, other.ways];
  const most = Math.max(one.ways.size, other.ways.size);
  return own === others || both.size * 2 > most || [...both].some((way) => !/, actual (?:\d{3}\b|passed$)/.test(way));
};

/** Whether all that broke it was looked through: what a check failed with is an example, and may stand for others. */
function isOfAll({ checks }: Break): boolean {
  return checks.some(({ inPassing }) => inPassing);
}

/** Whether nothing that is known of where both were seen, and of what came, differs. */
export function isSeenAlike(one: Break, other: Break): boolean {
  return shownBy.every((name) => isAlike(factOf(one, name), factOf(other, name)));
}

const shownBy: readonly FactName[] = ['endpoint', 'channel', 'status', 'code'];

/** Whether the one is seen in answers and the other in deliveries: what came is not wrong for a request that was refused. */
function isAcross(one: Break, other: Break): boolean {
  const isOf = (name: FactName, of: Break): boolean => factOf(of, name) !== undefined;
  return (isOf('channel', one) && isOf('status', other)) || (isOf('status', one) && isOf('channel', other));
}

/** The one stands on the other, and nothing speaks against its being broken for that. */
const standing: Link = (one, other) => {
  const isOnOther = buildsOn(one.clause.id).has(other.clause.id);
  if (!isOnOther && !buildsOn(other.clause.id).has(one.clause.id)) return false;
  const [upper, lower] = isOnOther ? [one, other] : [other, one];
  if (isOfLaterFault(upper) && isOtherCode(lower) && !isOtherCode(upper)) return false;
  if (isLateOnLadder(upper) && isAbsence(lower.actual)) return false;
  // What an order of faults was seen broken at is where it is to be explained.
  const isAtOne = isAlike(factOf(upper, 'endpoint'), factOf(lower, 'endpoint'));
  if (topicOf(upper.clause.id) === 'precedence' && !isAtOne) return false;
  if (isRare(lower) && (isOfFieldOf(upper, lower) || isAnswerOf(upper, lower))) return true;
  if (isRare(lower)) return isSeenAlike(one, other) && isSeenTogether(one, other) && !isOftener(upper, lower);
  if (!isOfAll(one) || !isOfAll(other)) return !isBesideRefusal(upper, lower);
  return isSeenAlike(one, other) && !isAcross(one, other) && !isOftener(upper, lower);
};

/** Whether a retry came as it was due, and a later one at an instant of its own: that is not for want of retries. */
function isLateOnLadder({ actual }: Break): boolean {
  const [, seconds = ''] = /^retries after ([\d, ]{1,80}) s\b/.exec(actual) ?? [];
  const [first, ...later] = seconds.split(', ').map(Number);
  const isAt = (second = 0, instant = 0): boolean => Math.abs(second - instant) <= Math.max(5, instant / 50);
  const isDue = (second: number): boolean => instantsOfRetries.some((instant) => isAt(second, instant));
  return isAt(first, limits.webhookRetryDelaysSeconds[0]) && !later.every(isDue);
}

const instantsOfRetries = Object.values(retryInstantsSeconds).flat();

/** Whether something in an answer of another status, or in a delivery, is wrong where the other is a refusal. */
function isBesideRefusal(one: Break, refusal: Break): boolean {
  const status = /^[45]\d\d\b/.exec(refusal.actual)?.[0];
  if (status === undefined || isAnswer(one.actual) || isAbsence(one.actual)) return false;
  return factOf(one, 'status') !== status;
}

/** Whether the status that was due came, with another code of the platform: that lets no fault pass. */
function isOtherCode({ expected, actual }: Break): boolean {
  const [due, came] = [expected, actual].map((text) => (platformCode.test(text) ? text.slice(0, 3) : undefined));
  return due !== undefined && due === came;
}

/** Whether it was seen broken more often, so that the other is not what breaks it each time. */
function isOftener(one: Break, other: Break): boolean {
  return timesOf(one).wrong > timesOf(other).wrong;
}

/** Whether what is wrong is what the clause of the other is about: `nfeDataEmissao` of data-emissao, the timestamp of timestamp-header. */
export function isOfFieldOf({ actual }: Break, { clause }: Break): boolean {
  const words = clause.id.slice(clause.id.indexOf('.') + 1).replace(/-header$/, '');
  const field = /^(?:the )?(?:nfe)?(\w+) is /i.exec(actual)?.[1];
  return field?.toLowerCase() === words.replaceAll('-', '');
}

/** Whether what came is the refusal that is wrong for the other, as of a link that leads nowhere: a success comes for many reasons. */
function isAnswerOf({ actual }: Break, other: Break): boolean {
  const [, code] = platformCode.exec(actual) ?? [];
  const isStatus = isAnswer(actual) && !actual.startsWith('2') && actual.slice(0, 3) === factOf(other, 'status');
  return isStatus && isAlike(code, factOf(other, 'code'));
}

/** Whether anything that they were seen at is known to be the same. */
function isSeenTogether(one: Break, other: Break): boolean {
  return shownBy.some((name) => isSame(one, other, name));
}

/** The same wrong answer came: for the one it is what is wrong. */
const sameAnswer: Link = (one, other) =>
  [one, other].some((each) => isAnswer(each.actual)) &&
  ![one, other].some(isOfLaterFault) &&
  !isRefusalAndForm(one, other) &&
  isSame(one, other, 'code') &&
  factOf(one, 'status') === factOf(other, 'status');

/** The same refusal of the gateway came, whatever else a check had seen by then. */
const sameRefusalByGateway = sharing(undueRefusal);

/** The same came that the contract knows nowhere, such as a page of what stands in front, in place of whatever. */
const sameForeign = sharing(({ actual }) => {
  const status = /^\d{3}/.exec(actual)?.[0];
  return status === undefined || ofContract.has(status) ? undefined : eachTime(actual);
});

/** The same answer came in the service's own words, though the one check asked for this and the other for that. */
const sameWords = sharing((one) => (isLetPass(one) ? undefined : wordsIn(one)));

/** Whether what was to be refused by the gateway came as far as an endpoint: what that says of it is its usual answer. */
function isLetPass({ expected, actual }: Break): boolean {
  return platformCode.test(expected) && isAnswer(actual) && !platformCode.test(actual);
}

/** The answer that came, where it is shown with its body: by its code, where it has one of the service's own. */
function wordsIn({ actual }: Break): string | undefined {
  const [, status, code] = /^([3-5]\d\d)(?:, cod(?:e|igo) |: \{.*?"code":)("[^"]*"|\d+)/.exec(actual) ?? [];
  if (code !== undefined) return platformCode.test(`code ${code}`) ? undefined : `${status} ${code}`;
  return /^\d{3}: /.test(actual) ? wayText({ expected: '', actual: eachTime(actual) }) : undefined;
}

/** Statuses that the contract speaks of, and what a service that fails answers with for any reason. */
const ofContract: ReadonlySet<string> = new Set(['200', '400', '401', '403', '404', '410', '429', '500']);

/** One endpoint fails in one way, or says of what it takes that it is something else than OK. */
const sameFailure = sharing((one) => {
  const [status] = /^(?:5\d\d|2(?!00)\d\d)/.exec(one.actual) ?? [];
  const endpoint = factOf(one, 'endpoint');
  return status === undefined || endpoint === undefined ? undefined : `${endpoint} ${status}`;
});

/** One endpoint turns right requests down in one way that says nothing of why. */
const sameRefusal = sharing((one) => {
  const came = eachTime(one.actual);
  const isUntold = /^[45]\d\d, (?:no code|an empty body|a body that is no (?:JSON|UTF-8)|an HTML page)$/.test(came);
  return isUntold && factOf(one, 'signed') === 'right' ? `${factOf(one, 'endpoint')} ${came}` : undefined;
});

/** One wrong way to sign is taken for both. */
const sameTakenSign: Link = (one, other) => !signsTakenIn(one).isDisjointFrom(signsTakenIn(other));

/** The ways to sign that the target takes, as far as the checks could tell. */
function signsTakenIn({ checks }: Break): ReadonlySet<string> {
  const taken = checks.flatMap(({ error }) => takenSign.exec(error?.hint ?? '')?.[1] ?? []);
  return new Set(
    taken
      .flatMap((text) => text.replace(/ \(the same on this call\)$/, '').split(/, or |^a sign computed /))
      .filter((name) => name !== ''),
  );
}

/** What is signed rightly is refused where another way to sign is taken, and any that is known of the one differs in the same part. */
const signedOtherwise: Link = (one, other) => isSignedOtherwise(one, other) || isSignedOtherwise(other, one);

function isSignedOtherwise(refused: Break, taken: Break): boolean {
  const partsOf = (one: Break): ReadonlySet<string> =>
    new Set([...signsTakenIn(one)].map((name) => /^over the \w+/.exec(name)?.[0] ?? name));
  const [own, others] = [partsOf(refused), partsOf(taken)];
  const isMismatch = undueRefusal(refused)?.endsWith(String(codes.signMismatch.code)) === true;
  const isTaken = topicOf(taken.clause.id) === 'signature' && others.size > 0 && !others.has('any sign');
  return isMismatch && isTaken && (own.size === 0 || !own.isDisjointFrom(others));
}

/** A refusal with the code that was due comes by another status, the same for both. */
const otherStatus = sharing(({ expected, actual }) => {
  const [due, came] = [expected, actual].map((text) => /^(\d{3}), code (10009\d{3})/.exec(text));
  return due && came && due[2] === came[2] && due[1] !== came[1] ? `${due[1]} ${came[1]}` : undefined;
});

/** The codes of both are off by the same: kept in too few bits, or counted from elsewhere. */
const codesOffAlike = sharing(({ expected, actual }) => {
  const [due, came] = [expected, actual].map((text) => Number(/^\d{3}, code (-?\d{1,10})\b/.exec(text)?.[1]));
  const off = (due ?? NaN) - (came ?? NaN);
  return Math.abs(off) >= farOff ? String(off) : undefined;
});

/** No two codes of the platform are so far from one another. */
const farOff = 1_000;

/** The one is broken by an answer with a code of the service's own, and the other by the body that has it, of that status. */
const formOfAnswer: Link = (one, other) => isFormOf(one, other) || isFormOf(other, one);

function isFormOf({ actual }: Break, form: Break): boolean {
  const [, status, code] = /^([3-5]\d\d), cod(?:e|igo) ("[^"]+"|\d+)/.exec(actual) ?? [];
  if (code === undefined || platformCode.test(`code ${code}`) || factOf(form, 'status') !== status) return false;
  return form.actual.startsWith('the body is ') && form.actual.includes(code);
}

/** What was to be refused succeeds, and that answer has another form than those to what is right. */
const formOfUndueSuccess: Link = (one, other) => isFormOfUndue(one, other) || isFormOfUndue(other, one);

function isFormOfUndue(undue: Break, form: Break): boolean {
  const isOfForm = !isAnswer(form.actual) && !isAbsence(form.actual) && !isAnswer(form.expected);
  const { wrong, of } = timesOf(form);
  return isUndueSuccess(undue) && isOfForm && wrong < of && topicOf(undue.clause.id) === topicOf(form.clause.id);
}

/** Among several answers, as a check lists those that it rests on, is the refusal that the other got in place of what was due. */
const sameAmong: Link = (one, other) => isAmongAnswers(one, other) || isAmongAnswers(other, one);

function isAmongAnswers({ actual, expected }: Break, other: Break): boolean {
  const answers = actual.split('; ');
  const refusal = undueRefusal(other);
  const isList = answers.length > 1 && answers.every(isAnswer);
  return isList && refusal !== undefined && answers.includes(refusal) && !expected.startsWith(refusal);
}

/** The refusal of the gateway that came where another answer was due. */
export function undueRefusal(one: Break): string | undefined {
  const refusal = /^\d{3}, code 10009\d{3}(?=$|,)/.exec(one.actual)?.[0];
  return refusal !== undefined && !one.expected.startsWith(refusal) && !isOfLaterFault(one) ? refusal : undefined;
}

/**
 * What is right is refused as what passes is to be refused, always, on the connection of that, or where bodies are sent in the unusual way of
 * that: a rule is turned around.
 */
const turnedAround: Link = (one, other) => isTurned(one, other) || isTurned(other, one);

function isTurned(refused: Break, passed: Break): boolean {
  const refusal = undueRefusal(refused);
  const { wrong, of } = timesOf(refused);
  const isWhere = (of > 0 && wrong === of) || isSame(refused, passed, 'connection') || isSentAlike(refused, passed);
  const isRight = factOf(refused, 'fault') === 'none';
  const hasPassed = isAnswer(passed.actual) && !platformCode.test(passed.actual);
  return isWhere && isRight && refusal !== undefined && passed.expected.startsWith(refusal) && hasPassed;
}

function isSentAlike(one: Break, other: Break): boolean {
  return isSame(one, other, 'transfer') && factOf(one, 'transfer') !== 'at once';
}

/** Links lead to other documents than they are to. */
const sameLinks: Link = (...both) =>
  both.every((one) => factOf(one, 'endpoint') === linkToDocument) && isSame(...both, 'status');

/** A secret that a rotation was to end is still in use. */
const formerSecret = sharing(({ actual, checks }) => {
  const told = [actual, ...checks.map(({ error }) => error?.hint ?? '')];
  return told.some((text) => /\b(?:old secret|secret of before)\b/.test(text)) ? 'former' : undefined;
});

/** A cache answered for both. */
const sameCache: Link = (one, other) =>
  [one, other].every(({ checks }) => checks.some(({ error }) => error?.hint === cachedAnswer));

/** One endpoint answers one thing, whatever it is sent. */
const sameConstant = sharing((one) => (factOf(one, 'always') === undefined ? undefined : factOf(one, 'endpoint')));

/** What is no service's way to answer came for both: a page. */
const samePages: Link = (one, other) => isPageOf(one.actual) && isPageOf(other.actual);

/** Bodies are written in another encoding, whatever they say, and what is read of them has other letters. */
const sameEncoding: Link = (...both) =>
  both.some(({ actual }) => isOtherEncoding(actual)) &&
  both.every(({ actual }) => isOtherEncoding(actual) || actual.includes('\ufffd'));

function isOtherEncoding(actual: string): boolean {
  return /(?:^|, )a body that is no UTF-8$/.test(actual);
}

const links: readonly Link[] = [
  sameCache,
  samePages,
  sameEncoding,
  sameConstant,
  sameRecords,
  sameTelling,
  sameBefore,
  sameWay,
  standing,
  sameAnswer,
  sameRefusalByGateway,
  sameForeign,
  sameWords,
  sameRefusal,
  sameFailure,
  formOfAnswer,
  formOfUndueSuccess,
  sameAmong,
  turnedAround,
  sameLinks,
  formerSecret,
  sameTakenSign,
  signedOtherwise,
  otherStatus,
  codesOffAlike,
  ...linksOfContent,
  ...linksByClause,
  ...linksOfDeliveries,
];

/** Breaks that hang together, directly or through others. */
export function groupsOf(breaks: readonly Break[]): readonly (readonly Break[])[] {
  return breaks.reduce<readonly (readonly Break[])[]>((groups, one) => {
    const isOwn = (group: readonly Break[]): boolean => group.some((other) => isOneCause(one, other));
    return [...groups.filter((group) => !isOwn(group)), [...groups.filter(isOwn).flat(), one]];
  }, []);
}
