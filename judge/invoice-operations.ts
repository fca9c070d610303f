import { nfeStates, type NfeState } from '../contract/values.ts';
import type { ExchangeRecord, TraceRecord } from '../trace/records.ts';
import { isAcceptedBy, isRefusedBy } from './answers.ts';
import { askedOnce, before, isCall, isFound, isIssued, isOfCallerOf, spanOf, stateIn } from './history.ts';
import { unexplainedIn, type Operation, type Unexplained } from './one-order.ts';

/** An answer that no order of what was asked of an invoice explains, and the records that show it together with it. */
export interface UnexplainedAnswer extends Pick<Unexplained, 'possible'> {
  readonly beside: readonly TraceRecord[];
}

/** Whether the latest answer about an invoice is explained by no order of what was asked of it, then and before. */
export const unexplainedBy = askedOnce((latest, earlier): UnexplainedAnswer | undefined => {
  if (latest.kind !== 'exchange') return undefined;
  const records = new Map<Operation, TraceRecord>();
  for (const record of [...earlier, latest]) {
    if (record.kind === 'exchange') for (const one of operationsOf(record, latest)) records.set(one, record);
  }
  const isOfBefore = ![...records.keys()].some(({ asked }) => asked === 'issue');
  let operations = [...(isOfBefore ? ofBefore : []), ...records.keys()];
  for (;;) {
    const unexplained = unexplainedIn(operations);
    if (!unexplained) return undefined;
    const { operation, possible } = unexplained;
    if (records.get(operation) === latest) return { possible, beside: showing(latest, earlier) };
    // It was told when it came: what follows is judged without it.
    operations = operations.filter((one) => one !== operation);
  }
});

/** What may have been done to an invoice that no request of the trace has issued. */
const ofBefore: readonly Operation[] = [
  { asked: 'issue', came: 'unknown', fromMs: -Infinity, toMs: Infinity },
  { asked: 'cancel', came: 'unknown', fromMs: -Infinity, toMs: Infinity },
];

/** What a request asked of the invoice, with what it may have asked when its answer was lost and it was sent again. */
function operationsOf(record: ExchangeRecord, latest: ExchangeRecord): readonly Operation[] {
  const span = spanOf(record);
  if (record.endpoint?.name === 'nfe-query') {
    const came = foundBy(record);
    return came !== undefined && isOfCallerOf(record, latest) ? [{ asked: 'query', came, ...span }] : [];
  }
  const { endpoint, status, isResent } = record;
  const asked = endpoint && askedAt[endpoint.name];
  if (!asked || gatewayRefusals.has(status)) return [];
  const came = isOfCallerOf(record, latest) ? outcomeOf(record) : 'unknown';
  const lost: Operation = { asked, came: 'unknown', fromMs: -Infinity, toMs: Infinity };
  return [...(isResent ? [lost] : []), { asked, came, ...span }];
}

const askedAt: Partial<Record<string, 'issue' | 'cancel'>> = { 'nfe-issuance': 'issue', 'nfe-cancellation': 'cancel' };

/** Statuses under which nothing reaches an endpoint. Section 7.1. */
const gatewayRefusals = new Set([401, 403, 410, 429]);

function foundBy(record: ExchangeRecord): NfeState | 'nothing' | undefined {
  if (isCall(record, 'nfe-query') && isRefusedBy(record, 'nfe-query', [400, 404])) return 'nothing';
  const state = stateIn(record);
  return nfeStates.find((known) => known === state);
}

/** A cancellation that was refused may have been made all the same: one before it, whose answer was lost, is not recorded. */
function outcomeOf(record: ExchangeRecord): Operation['came'] {
  const isAccepted = (['nfe-issuance', 'nfe-cancellation'] as const).some(
    (name) => isCall(record, name) && isAcceptedBy(record, name),
  );
  if (isAccepted) return 'accepted';
  return isCall(record, 'nfe-issuance') && isRefusedBy(record, 'nfe-issuance', [400, 404]) ? 'refused' : 'unknown';
}

/** Records that are shown beside an answer: the issuance, what was found last, and what was under way at the same time. */
function showing(latest: ExchangeRecord, earlier: readonly TraceRecord[]): readonly TraceRecord[] {
  const done = new Set(before(latest, earlier));
  const found = earlier.findLast((record) => isFound(record) && isOfCallerOf(record, latest));
  return earlier.filter((record) => isIssued(record) || record === found || !done.has(record)).slice(-mostBeside);
}

const mostBeside = 6;
