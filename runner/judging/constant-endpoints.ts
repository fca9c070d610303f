import { methodAndPath } from '../../contract/endpoints.ts';
import { codeOf } from '../../judge/answers.ts';
import { shapeOf } from '../../schemas/observed.ts';
import type { CheckOutcome, CheckResult } from '../../schemas/results.ts';
import { isOfMessage, recordOfLine, type RecordLine } from '../../trace/lines.ts';
import type { ExchangeRecord } from '../../trace/records.ts';

/** Of fewer requests it is chance that one answer came to all. */
const fewest = 6;

/**
 * The outcomes, the failed ones of an endpoint that answers one thing whatever it is sent with the fact that it does: nothing is there, or
 * something that looks at no request, and all that it breaks is one cause.
 */
export function withConstantEndpoints(
  outcomes: readonly CheckOutcome[],
  lines: readonly RecordLine[],
): readonly CheckOutcome[] {
  const failed = outcomes.filter(({ result }) => result.state === 'failed' && endpointOf(result) !== undefined);
  if (failed.length === 0) return outcomes;
  const constant = constantEndpoints(lines);
  return outcomes.map((outcome) => (failed.includes(outcome) ? withConstant(outcome, constant) : outcome));
}

/** The one endpoint at which a check saw what it failed for; `undefined` where there are several, or that is not known. */
function endpointOf({ shared, ways = [] }: CheckResult): string | undefined {
  const [own, ...others] = new Set(ways.map(({ endpoint }) => endpoint));
  return shared?.facts.find(({ name }) => name === 'endpoint')?.value ?? (others.length === 0 ? own : undefined);
}

function withConstant(outcome: CheckOutcome, constant: ReadonlyMap<string, string>): CheckOutcome {
  const { shared = { records: [], facts: [] } } = outcome.result;
  const endpoint = endpointOf(outcome.result) ?? '';
  const status = constant.get(endpoint);
  if (status === undefined) return outcome;
  const at = shared.facts.length === 0 ? [{ name: 'endpoint', value: endpoint } as const] : [];
  const facts = [...shared.facts, ...at, { name: 'always', value: status, telling: true } as const];
  return { ...outcome, result: { ...outcome.result, shared: { ...shared, facts } } };
}

/** The endpoints that answered one thing to requests with right signs and without, each with its status. By method and path. */
function constantEndpoints(lines: readonly RecordLine[]): ReadonlyMap<string, string> {
  const records = lines.filter(isOfMessage).flatMap((line) => recordOfLine(line) ?? []);
  const asked = records.filter((record) => record.kind === 'exchange');
  const byEndpoint = Map.groupBy(asked, ({ endpoint, retired }) => endpoint ?? retired);
  return new Map(
    [...byEndpoint].flatMap(([called, own]) =>
      called && isConstant(own) ? [[methodAndPath(called), String(own[0]?.status)] as const] : [],
    ),
  );
}

function isConstant(records: readonly ExchangeRecord[]): boolean {
  const [first] = records;
  if (!first) return false;
  const isOfBoth = new Set(records.map(({ isRightlySigned }) => isRightlySigned)).size === 2;
  return isOfBoth && records.length >= fewest && records.every((one) => answerOf(one) === answerOf(first));
}

/** Status, code and shape of an answer. */
function answerOf(record: ExchangeRecord): string {
  return `${record.status} ${codeOf(record)} ${JSON.stringify(shapeOf(record.body, record.headers.get('content-type')))}`;
}
