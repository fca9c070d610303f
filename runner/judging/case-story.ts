import { calledEndpoint } from '../../contract/endpoints.ts';
import type { ExchangeEvidence } from '../../schemas/results.ts';
import type { Step } from '../../schemas/evidence.ts';
import { callerEvidence } from '../../trace/evidence.ts';
import { isRightlySigned } from '../../trace/signing.ts';
import type { CallLine, DeliveryLine, RecordLine, SteeringLine } from '../../trace/lines.ts';

/** Steps that are kept of a case: one with more is told by its last exchanges alone. */
const mostSteps = 400;
/** Characters of all that they hold. */
const mostText = 400_000;

type Told = Exclude<RecordLine, { kind: 'awaited' }>;

/** How a request was signed, where that was kept. */
type Signings = (evidence: ExchangeEvidence) => ExchangeEvidence['signing'];

/**
 * The steps of the case that ended with `last`, out of the lines of its check, with what it stands on: how its applications were
 * made and steered before, the companies that it names, the addresses of its callers, the invoices that it asks for.
 * `undefined` where it is too much to be told.
 */
export function caseStory(all: readonly RecordLine[], last: RecordLine, signingOf: Signings): Step[] | undefined {
  const lines = inOrder(all);
  // What was sent besides, such as for the other items of a list, may be signed in ways that only its own failure tells.
  const isTold = (line: Told): boolean => line === last || line.kind !== 'exchange' || isKnown(line, signingOf);
  const own = lines.filter((line) => line.case === last.case && isTold(line));
  const before = lines.filter((line) => line.case < last.case || line.case === 0);
  return told(own, before, lines, signingOf);
}

/**
 * The steps without which a record would not be wrong, of a case in which much else was sent: the records that show it, what its
 * application was steered to, and what was done to the same things.
 */
export function shortStory(
  all: readonly RecordLine[],
  showing: readonly RecordLine[],
  signingOf: Signings,
): Step[] | undefined {
  const lines = inOrder(all);
  const shown = lines.filter((line) => showing.includes(line));
  const last = shown.at(-1);
  const things = new Set(shown.flatMap(thingsOf));
  const callers = new Set(shown.flatMap((line) => callerOf(line) ?? []));
  const isOwn = (line: Told): boolean =>
    showing.includes(line) ||
    (line.kind === 'steering' || line.kind === 'delivery'
      ? callers.has(callerOf(line) ?? '')
      : thingsOf(line).some((id) => things.has(id)));
  const sofar = lines.filter((line) => last !== undefined && line.at <= last.at);
  const own = sofar.filter((line) => line.case === last?.case && isOwn(line));
  return told(
    own,
    sofar.filter((line) => !own.includes(line)),
    lines,
    signingOf,
  );
}

/**
 * The steps of a case that is too long to be told, where its check shows an exchange once more in the end: those of that exchange,
 * without the others of its list.
 */
export function pointedStory(
  all: readonly RecordLine[],
  last: CallLine | DeliveryLine,
  exchanges: readonly ExchangeEvidence[],
  signingOf: Signings,
): Step[] | undefined {
  const isLater = all.some((line) => line.kind === 'exchange' && line.case === last.case && line.at > last.at);
  const [shown, ...others] = exchanges.map(requestText).toReversed();
  if (!isLater && (shown === undefined || !others.includes(shown))) return undefined;
  const kind = endpointOf(last);
  const needed = all.filter((line) => line === last || line.kind !== 'exchange' || endpointOf(line) !== kind);
  return shortStory(needed, [last], signingOf);
}

/** What tells one request from another: when it was sent, else its headers. On a clock that stands still many have the same. */
export function requestText({ request: { method, target, headers }, at }: ExchangeEvidence): string {
  return at === undefined ? JSON.stringify([method, target, headers]) : String(at);
}

function endpointOf({ evidence: { request } }: CallLine | DeliveryLine): ReturnType<typeof calledEndpoint> {
  return calledEndpoint(request.method, request.target);
}

function inOrder(lines: readonly RecordLine[]): Told[] {
  return lines.filter((line): line is Told => line.kind !== 'awaited').toSorted((one, other) => one.at - other.at);
}

function told(
  own: readonly Told[],
  before: readonly Told[],
  lines: readonly Told[],
  signingOf: Signings,
): Step[] | undefined {
  const steps = [
    ...setUpFor(own, before).map((line) => ({ ...stepOf(line, signingOf), isSetUp: true as const })),
    ...own.map((line) => ({ ...stepOf(line, signingOf), ...originOf(line, lines) })),
  ];
  return steps.length > mostSteps || JSON.stringify(steps).length > mostText ? undefined : steps;
}

/** What a case stands on of what came before it; of a clock that was moved several times, all of it at once. */
function setUpFor(own: readonly Told[], before: readonly Told[]): Told[] {
  const callers = new Set(own.flatMap((line) => callerOf(line) ?? []));
  const things = new Set(own.flatMap(thingsOf));
  return before.filter((line) => {
    if (line.kind === 'steering')
      return callers.has(line.application ?? '') || thingsOf(line).some((id) => things.has(id));
    if (line.kind !== 'exchange' || !callers.has(line.caller?.name ?? '')) return false;
    const { method, target } = line.evidence.request;
    const called = calledEndpoint(method, target);
    const name = called !== undefined && 'name' in called ? called.name : '';
    if (name === 'webhook-registration') return isAnswered2xx(line);
    if (name === 'empresa-registration' || name === 'certificado-association')
      return line.ids.empresaId !== undefined && things.has(line.ids.empresaId);
    return (
      /^nfe-(?:issuance|cancellation|verification)$/.test(name) &&
      [line.ids.nfeId, line.ids.chave].some((id) => things.has(id ?? ''))
    );
  });
}

function isAnswered2xx({ evidence: { response } }: CallLine): boolean {
  return response !== undefined && response.status >= 200 && response.status < 300;
}

/** Where a link that is followed came from. */
function originOf(
  link: Told,
  lines: readonly Told[],
): Pick<Extract<Step, { evidence: unknown }>, 'cameAt' | 'leadsTo'> {
  const followed = link.kind === 'link' ? link.ids.links?.[0] : undefined;
  if (followed === undefined) return {};
  const source = lines.findLast(
    ({ kind, at, ids }) => kind !== 'link' && at < link.at && ids.links?.includes(followed),
  );
  if (!source) return {};
  return { cameAt: source.at, leadsTo: source.ids.danfe === followed ? 'danfe' : 'xml' };
}

function callerOf(line: Told): string | undefined {
  if (line.kind === 'steering') return line.application;
  return line.kind === 'delivery' ? line.context.address?.caller : line.caller?.name;
}

function thingsOf({ ids }: Told): string[] {
  return [ids.empresaId, ids.nfeId, ids.chave].filter((id) => id !== undefined);
}

function stepOf(line: Told, signingOf: Signings): Step {
  if (line.kind === 'steering') return steeringStep(line);
  return line.kind === 'delivery' ? deliveryStep(line) : callStep(line, signingOf);
}

function steeringStep({ at, method, path, json, status, application }: SteeringLine): Step {
  const call = { at, method, path, json, status };
  return { kind: 'steering', call, ...(application === undefined ? {} : { application }) };
}

function deliveryStep({ at, evidence, context }: DeliveryLine): Step {
  const { address, answer, answerContent, answeredAfterMs, signature, isExact, hasToken } = context;
  const { stringToSign: _, ...messages } = evidence;
  return {
    kind: 'delivery',
    evidence: {
      ...messages,
      at,
      received: true,
      ...(answer === undefined ? {} : { answered: answer }),
      ...(answerContent ? { answeredWith: answerContent } : {}),
    },
    ...(address ? { address: address.name, application: address.caller } : {}),
    ...(address?.registered ? { registered: address.registered } : {}),
    ...(signature === undefined ? {} : { signature: signature === 'right' ? signature : 'other' }),
    ...(isExact === undefined ? {} : { isExact }),
    ...(hasToken === undefined ? {} : { hasToken }),
    ...(answeredAfterMs === undefined ? {} : { answeredAfterMs }),
  };
}

function callStep(line: CallLine, signingOf: Signings): Step {
  const { kind, at, now, caller, connection, address, evidence } = line;
  const signing = signingOf({ ...evidence, at });
  const isFlawed = kind === 'exchange' && !isKnown(line, signingOf);
  const { stringToSign: _, ...messages } = evidence;
  return {
    kind: kind === 'link' ? 'link' : 'call',
    evidence: {
      ...messages,
      at,
      ...(signing ? { signing } : {}),
      ...(connection === undefined ? {} : { connection }),
      ...(caller ? { caller: callerEvidence(caller) } : {}),
    },
    ...(caller ? { application: caller.name } : {}),
    ...(caller?.hasOwnClock && now !== undefined ? { now } : {}),
    ...(address === undefined ? {} : { address }),
    ...(isFlawed ? { isFlawed } : {}),
  };
}

/** Whether it is known how a request was signed. */
function isKnown({ evidence, signing, at }: CallLine, signingOf: Signings): boolean {
  return signingOf({ ...evidence, at }) !== undefined || isRightlySigned(signing);
}
