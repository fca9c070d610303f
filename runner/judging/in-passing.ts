import { findClause, type ClauseId, entriesFor, type KnownDeviations } from '../../contract/catalogue.ts';
import { inPassing, judgedInPassing } from '../../judge/judge.ts';
import { againstNetwork, isMoreThan, rateText, boundOf } from '../../judge/rate.ts';
import { commonFacts, factsOf, signOfBefore, withSignOfBefore } from '../../judge/facts.ts';
import { brokenBeside, judgeLines, placesOf, type BrokenAt, type BrokenWay, type Tally } from '../../judge/tally.ts';
import { waysOf } from '../../reports/deviations.ts';
import { type Node, isCovering, wayOf, wayText, type Way } from '../../schemas/finding.ts';
import type { CheckOutcome, ExchangeEvidence, CheckResult, Observations } from '../../schemas/results.ts';
import type { CheckName, Run } from '../../targets/address.ts';
import { lackAt } from '../../targets/needs-met.ts';
import { withConstantEndpoints } from './constant-endpoints.ts';
import { caseStory, pointedStory, requestText, shortStory } from './case-story.ts';
import { lackIn } from '../../reports/repeat/script.ts';
import { callerEvidence } from '../../trace/evidence.ts';
import { isOfMessage, recordOfLine, type CallLine, type DeliveryLine, type RecordLine } from '../../trace/lines.ts';

/** Ways to break a clause of which the exchanges are shown. */
const mostShown = 5;
/** Records of a failed check that are told by their place: the last ones. */
const mostRecords = 20;

/** The clauses of a run that are judged by all that passes by. */
export interface ClausesInPassing {
  /**
   * Those that are asked for and whose checks can be made, so that what a run exercises does not depend on what other checks happen
   * to ask.
   */
  readonly inPassing: readonly ClauseId[];
  /** Those that are asked for and whose checks lack what they need: what keeps them is too little, and what breaks them is told. */
  readonly lacking?: readonly ClauseId[];
}

/** What a run has judged by all that passes by. */
export function clausesInPassing({ address, clauses, checks }: Run): ClausesInPassing {
  const asked = [...judgedInPassing].filter(
    (clause) =>
      clauses.includes(clause) &&
      (checks === undefined || checks.some((asked) => asked.clause === clause && asked.check === inPassing)),
  );
  const isMade = (clause: ClauseId): boolean =>
    (findClause(clause)?.needs ?? []).every((need) => lackAt(address, need) === undefined);
  return { inPassing: asked.filter(isMade), lacking: asked.filter((clause) => !isMade(clause)) };
}

/** What an outcome in passing needs to know of its run: the deviations are those that are accepted on its day. */
type Judged = Pick<Run, 'seed' | 'knownDeviations'>;

/**
 * The outcomes of a run with what the lines of its trace say of these clauses: an outcome more for each that was seen broken, and
 * with the first which were seen to hold.
 */
export function withPassing(
  outcomes: readonly CheckOutcome[],
  lines: readonly RecordLine[],
  { inPassing: clauses, lacking = [] }: ClausesInPassing,
  { seed, knownDeviations = {} }: Judged,
): readonly CheckOutcome[] {
  const judged = judgeLines(lines, acceptedBy(knownDeviations, outcomes));
  const tallies = [...judged].filter(
    ([clause, tally]) => clauses.includes(clause) || (lacking.includes(clause) && isTheTargets(tally)),
  );
  const nodes = new Map(outcomes.flatMap(({ atNode }) => (atNode ? [[atNode.clause, atNode.node] as const] : [])));
  const broken = tallies
    .filter(([, tally]) => isTheTargets(tally))
    .map(([clause, tally]) => withStory(outcomeOf(clause, tally, seed), tally, lines, outcomes))
    .map((outcome) => atNode(outcome, nodes.get(outcome.clause)));
  const brokenAt = new Map(tallies.flatMap(([clause, { records }]) => (records ? [[clause, records] as const] : [])));
  const shown = outcomes.map(withRecords(lines, brokenAt));
  const held = tallies
    .filter(([clause, tally]) => tally.held > 0 && clauses.includes(clause))
    .map(([clause]) => clause);
  const all = withConstantEndpoints([...shown, ...broken, ...servedByOthers(outcomes, tallies)], lines);
  const seen = seenOf(all, new Map(tallies));
  return all.map((outcome, at) => (at === 0 ? { ...outcome, held, seen } : outcome));
}

/**
 * What clauses come to whose own checks a budget did not reach, where the answers that other checks have bought bear on them:
 * they were seen, and kept.
 */
function servedByOthers(
  outcomes: readonly CheckOutcome[],
  tallies: readonly (readonly [ClauseId, Tally])[],
): CheckOutcome[] {
  const byClause = Map.groupBy(outcomes, ({ clause }) => clause);
  return tallies
    .filter(([, { right, broken }]) => right > 0 && broken === 0)
    .filter(([clause]) => {
      const own = byClause.get(clause) ?? [];
      return own.some(({ result }) => result.unbought) && own.every(({ result }) => result.state === 'not-exercised');
    })
    .map(([clause, { right }]) => ({
      clause,
      result: {
        name: inPassing,
        file: 'judge',
        durationMs: 0,
        cases: right,
        assertions: right,
        state: 'passed',
        inPassing: true,
      },
    }));
}

/** An outcome with the records that a failure of its check shows, so that it can be seen what else these break. */
function withRecords(lines: readonly RecordLine[], brokenAt: BrokenAt): (outcome: CheckOutcome) => CheckOutcome {
  const linesOf = Map.groupBy(lines, ({ check }) => check);
  const places = placesOf(lines);
  const repeated = withSignOfBefore(lines);
  return (outcome) => {
    const { clause, result } = outcome;
    if (result.state !== 'failed' || !result.exchanges) return outcome;
    const all = linesOf.get(`${result.file} ${clause}: ${result.name}`) ?? [];
    const byRequest = linesByRequest(all.filter(isOfMessage));
    const shown = result.exchanges.map((exchange) => byRequest.get(requestText(exchange)));
    const records = shown.flatMap((line) => (line && places.get(line)) ?? []);
    const last = shown.at(-1);
    const record = last && recordOfLine(last);
    const known = last && repeated.has(last) ? signOfBefore : {};
    const facts = record ? commonFacts([{ ...factsOf(record), ...known }], []) : [];
    if (records.length === 0) return outcome;
    const beside = brokenBeside(clause, new Set(records.slice(-1)), brokenAt);
    const shared = { records: records.slice(-mostRecords), facts, beside };
    const exchanges = result.exchanges.map((exchange, at) => ({ ...circumstancesOf(shown[at]), ...exchange }));
    const steered = steeredFor(
      shown.filter((line) => line !== undefined),
      all,
    );
    const signingOf = signingIn(result.exchanges);
    const story = last && (caseStory(all, last, signingOf) ?? pointedStory(all, last, result.exchanges, signingOf));
    const told = { ...(steered.length > 0 ? { steered } : {}), ...(story ? { story } : {}) };
    return { ...outcome, result: { ...result, exchanges, ...told, shared } };
  };
}

/** Lines by their requests: of deliveries the first that was answered, since the same may have come again. */
function linesByRequest(lines: readonly (CallLine | DeliveryLine)[]): ReadonlyMap<string, CallLine | DeliveryLine> {
  const { answered = [], lost = [] } = Object.groupBy(lines, ({ evidence }) =>
    evidence.response ? 'answered' : 'lost',
  );
  const all = [...lost, ...answered.toReversed()];
  return new Map(
    all.flatMap((line) => [line.evidence, sentAt(line)].map((sent) => [requestText(sent), line] as const)),
  );
}

/** An outcome with which of several nodes it tells of. */
function atNode(outcome: CheckOutcome, node: Node | undefined): CheckOutcome {
  const { shared } = outcome.result;
  return node && shared ? { ...outcome, result: { ...outcome.result, shared: { ...shared, node } } } : outcome;
}

/** An outcome in passing with the case in which the first way was seen. */
function withStory(
  outcome: CheckOutcome,
  { ways: [way] }: Tally,
  lines: readonly RecordLine[],
  outcomes: readonly CheckOutcome[],
): CheckOutcome {
  const last = way?.lines.at(-1);
  if (!last) return outcome;
  const known = outcomes.flatMap(({ result }) => result.exchanges ?? []);
  const showing = way?.lines ?? [];
  const endsAt = Math.max(...showing.map(({ at }) => at));
  const all = lines.filter(({ check, at }) => check === last.check && at <= endsAt);
  const whole = caseStory(all, last, signingIn(known));
  // Much else may have been sent in the case, of which not everything can be sent again; before the checks all sorts of things were.
  const isWhole = whole !== undefined && lackIn(whole) === undefined && checkNamed(last.check) !== undefined;
  const story = isWhole ? whole : (shortStory(all, showing, signingIn(known)) ?? whole);
  return story ? { ...outcome, result: { ...outcome.result, story } } : outcome;
}

/** What a line tells of an exchange besides its messages: when and over which connection, who called, what a delivery was answered. */
function circumstancesOf(line: CallLine | DeliveryLine | undefined): Partial<ExchangeEvidence> {
  if (line === undefined) return {};
  if (line.kind === 'delivery') {
    const { answer, answerContent, rightSignature } = line.context;
    return {
      at: line.at,
      received: true,
      ...(answer === undefined ? {} : { answered: answer }),
      ...(answerContent ? { answeredWith: answerContent } : {}),
      ...(rightSignature === undefined ? {} : { rightSignature }),
    };
  }
  const { at, connection, caller } = line;
  return {
    at,
    ...(connection === undefined ? {} : { connection }),
    ...(caller ? { caller: callerEvidence(caller) } : {}),
  };
}

/** Calls of the control API that are told with a failure: the last ones. */
const mostSteered = 30;

/** What was done by the control API in the case of some lines, and how the applications were made that called in it. */
function steeredFor(
  shown: readonly (CallLine | DeliveryLine)[],
  all: readonly RecordLine[],
): NonNullable<CheckOutcome['result']['steered']> {
  const last = shown.at(-1);
  const callers = new Set(shown.map((line) => (line.kind === 'delivery' ? undefined : line.caller?.name)));
  return all
    .filter((line) => line.kind === 'steering')
    .filter(
      (line) => line.case === last?.case || (line.path === '/applications' && callers.has(line.application ?? '')),
    )
    .slice(-mostSteered)
    .map(({ at, method, path, json, status }) => ({ at, method, path, json, status }));
}

/** How requests were signed, of those that are among the exchanges of a failure. */
function signingIn(
  exchanges: readonly ExchangeEvidence[],
): (evidence: ExchangeEvidence) => ExchangeEvidence['signing'] {
  const known = new Map(exchanges.map((exchange) => [requestText(exchange), exchange.signing]));
  return (evidence) => known.get(requestText(evidence));
}

/** A line's messages with when they were sent, or came. */
function sentAt({ evidence, at }: CallLine | DeliveryLine): ExchangeEvidence {
  return { ...evidence, at };
}

/** Whether what was broken can't be the way's: what came is the target's, and of what did not come more is missing than a network loses. */
function isTheTargets({ held, broken, surely }: Tally): boolean {
  return surely > 0 || (broken > 0 && isMoreThan({ failed: broken, of: held + broken }, againstNetwork.honest));
}

/** Whether an entry accepts a way in which a clause was seen broken in passing: one that names a check accepts what that check showed. */
function acceptedBy(known: KnownDeviations, outcomes: readonly CheckOutcome[]): Parameters<typeof judgeLines>[1] {
  return (clause, way) =>
    entriesFor(known, clause).some(
      (entry) =>
        isCovering(entry, inPassing, way) ||
        outcomes.some(
          ({ clause: own, result }) =>
            own === clause &&
            waysOf(result).some((shown) => isCovering(entry, result.name, shown) && isTheSame(shown, way)),
        ),
    );
}

/** Whether a check showed what was seen in passing. A delivery has no endpoint; the check's is that of its last request. */
function isTheSame(shown: Way, { endpoint = shown.endpoint, expected, actual }: Way): boolean {
  return wayText(shown) === wayText({ ...(endpoint === undefined ? {} : { endpoint }), expected, actual });
}

/** Tells of the first way that nobody accepts, so that what is accepted hides no other. */
function outcomeOf(clause: ClauseId, { held, broken, ways, accepted, shared }: Tally, seed: number): CheckOutcome {
  const told = ways.length > 0 ? ways : accepted;
  const { expected = '', actual = '', hint, endpoint } = told[0] ?? {};
  const rate = rateText({ failed: broken, of: held + broken }, 'that were seen');
  const all = [...ways, ...accepted].map((way) => wayOf({ ...way, counterexample: undefined }));
  const first = told[0]?.lines.flatMap(evidenceIn) ?? [];
  return {
    clause,
    result: {
      name: inPassing,
      file: 'judge',
      durationMs: 0,
      cases: held + broken,
      assertions: held + broken,
      state: 'failed',
      inPassing: true,
      error: {
        title: inPassing,
        expected,
        actual: `${actual}, ${rate}`,
        ...(hint === undefined ? {} : { hint }),
      },
      ...(endpoint === undefined ? {} : { endpoint }),
      ...(accepted.length === 0 ? {} : { known: all.slice(ways.length) }),
      ways: all,
      ...(shared ? { shared } : {}),
      ...(isAnyAtOnce(first) ? { together: first.length } : {}),
      seenIn: seenIn(told),
      replay: ['npm test --', ...clausesOf(clause, told).map((id) => `--clause ${id}`), `--seed ${seed}`].join(' '),
      // The last one is what a failure is about: that is the first way's.
      exchanges: told
        .slice(0, mostShown)
        .toReversed()
        .flatMap(({ lines }) => lines.flatMap(evidenceIn)),
    },
  };
}

/** Whether some of these were under way at the same time. */
function isAnyAtOnce(exchanges: readonly ExchangeEvidence[]): boolean {
  const endOf = ({ at = 0, durationMs }: ExchangeEvidence): number => at + durationMs;
  const calls = exchanges.filter(({ received }) => !received).toSorted((one, other) => endOf(one) - endOf(other));
  return calls.some((call, place) => place > 0 && (call.at ?? 0) < endOf(calls[place - 1] ?? call));
}

/** Checks whose records show a break that are named: who repeats these repeats it. */
const mostNamed = 10;

/** The checks that sent or received what shows these ways, the first ones of each way. */
function seenIn(ways: readonly BrokenWay[]): CheckName[] {
  const names = new Set(ways.flatMap(({ lines }) => lines.slice(-1)).map(({ check }) => check));
  return [...names].slice(0, mostNamed).flatMap((name) => checkNamed(name) ?? []);
}

/** The clause itself, and those whose checks show the break. */
function clausesOf(clause: ClauseId, ways: readonly BrokenWay[]): string[] {
  return [...new Set([clause, ...seenIn(ways).map((name) => name.clause)])];
}

/** The check that a line names: "specs/echo.spec.ts echo.envelope: title". */
function checkNamed(name: string): CheckName | undefined {
  const [, clause, check] = /^\S+ (\S+): (.*)$/s.exec(name) ?? [];
  return clause === undefined || check === undefined ? undefined : { clause, check };
}

function evidenceIn(line: RecordLine): ExchangeEvidence[] {
  return isOfMessage(line) ? [{ ...circumstancesOf(line), ...line.evidence }] : [];
}

/**
 * How often each clause was seen kept and broken: by what passed by, each answer and delivery once; where records tell of less,
 * by the cases of its checks.
 */
export function seenOf(
  outcomes: readonly CheckOutcome[],
  tallies: ReadonlyMap<string, Pick<Tally, 'right' | 'records' | 'over'>>,
): Record<string, Observations> {
  const byClause = Map.groupBy(outcomes, ({ clause }) => clause);
  const ofChecks = [...byClause].map(
    ([clause, own]) => [clause, countedCases(own.map(({ result }) => result))] as const,
  );
  const ofRecords = [...tallies].map(([clause, { right, records, over }]) => {
    const counts = { right, wrong: records?.size ?? 0 };
    return [clause, over.length === 0 ? counts : { ...counts, over: [...over] }] as const;
  });
  const seen = new Map<string, Omit<Observations, 'bound95'>>(ofChecks);
  for (const [clause, counts] of ofRecords) {
    const cases = seen.get(clause) ?? { right: 0, wrong: 0 };
    // What a check saw that no single record shows is as wrong: of a clause that failed nobody says that it was only seen kept.
    if (counts.wrong > 0 || counts.right >= cases.right)
      seen.set(clause, { ...counts, wrong: Math.max(counts.wrong, cases.wrong) });
  }
  return Object.fromEntries(
    [...seen]
      .filter(([, { right, wrong }]) => right + wrong > 0)
      .map(([clause, counts]) => [clause, { ...counts, bound95: boundIn(counts) }]),
  );
}

function boundIn({ right, wrong }: Pick<Observations, 'right' | 'wrong'>): number {
  return Number(boundOf({ failed: wrong, of: right + wrong }).toPrecision(3));
}

/** The cases of checks that came to something; of a check that failed the last one is the one that did. */
function countedCases(checks: readonly CheckResult[]): Pick<Observations, 'right' | 'wrong'> {
  const own = checks.filter(({ state, inPassing }) => state !== 'not-exercised' && inPassing === undefined);
  const wrong = own.filter(({ state }) => state === 'failed').length;
  const cases = own.reduce((sum, { cases: made, distinctCases = made }) => sum + Math.max(1, distinctCases), 0);
  return { right: Math.max(0, cases - wrong), wrong };
}
