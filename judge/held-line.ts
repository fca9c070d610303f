import type { Evidence } from '../schemas/evidence.ts';
import {
  isOfMessage,
  isShownWhole,
  lineOf,
  partialLine,
  recordOfLine,
  type CaseOfCheck,
  type RecordLine,
  type JudgedBeforeMask,
} from '../trace/lines.ts';
import type { Mask } from '../trace/people/words-mask.ts';
import type { Veil } from '../trace/people/veil.ts';
import type { DeliveryRecord, TraceRecord } from '../trace/records.ts';
import { observationsOf, type Observation } from './judge.ts';

/** What was gathered and is to be written down. */
export interface Held {
  readonly place: CaseOfCheck;
  readonly record: TraceRecord | undefined;
  /** What the judge says of it alone. */
  readonly told: readonly JudgedBeforeMask[];
  readonly evidence: (veil: Veil) => Evidence;
  readonly isLink?: boolean;
  readonly at: number;
}

/** How what is written hides what no report may show. */
export interface Written {
  readonly veil: Veil;
  /** For findings, which quote what came without saying what it was. */
  readonly maskFinding: Mask;
  readonly digest: (text: string) => string;
}

/** What was gathered as a line of a trace, in which a judge reads what it saw, whatever is hidden there. */
export function lineOfHeld(
  { place, record, told, evidence, isLink = false, at }: Held,
  { veil, maskFinding, digest }: Written,
): RecordLine {
  const { stringToSign: _, ...shown } = evidence(veil);
  if (!record) return partialLine(place, isLink, at, shown);
  const line = lineOf(place, withOwnHidden(record, veil), shown, digest);
  if (!isOfMessage(line) || isShownWhole(line, record)) return line;
  const again = recordOfLine(line);
  return again && JSON.stringify(toldBy(observationsOf(again))) === JSON.stringify(told)
    ? line
    : { ...line, told: told.map((one) => maskedTold(one, maskFinding)) };
}

/** A record with what we sent besides its messages hidden: an address of ours begins with what a setting says. */
function withOwnHidden(record: TraceRecord, veil: Veil): TraceRecord {
  const hidden = (value: unknown): unknown => JSON.parse(veil.mask(JSON.stringify(value ?? null)));
  if (record.kind === 'steering') return { ...record, json: hidden(record.json) };
  return record.kind === 'delivery'
    ? { ...record, ...shownAddress(record, veil), ...shownAnswer(record, veil) }
    : record;
}

function shownAddress({ address }: DeliveryRecord, { mask }: Veil): Partial<DeliveryRecord> {
  if (!address?.registered) return {};
  return { address: { ...address, registered: { ...address.registered, target: mask(address.registered.target) } } };
}

function shownAnswer({ answerContent }: DeliveryRecord, { mask }: Veil): Partial<DeliveryRecord> {
  if (!answerContent) return {};
  const headers = answerContent.headers.map(([name = '', value = '']) => [name, mask(value)]);
  return { answerContent: { headers, body: answerContent.body } };
}

/** A finding quotes an answer, and hides what the answer does not show. */
function maskedTold({ clause, expected, actual }: JudgedBeforeMask, mask: Mask): JudgedBeforeMask {
  return {
    clause,
    ...(expected === undefined ? {} : { expected: mask(expected) }),
    ...(actual === undefined ? {} : { actual: mask(actual) }),
  };
}

/** What a judge said of a record, to be written down beside it. */
export function toldBy(observations: readonly Observation[]): JudgedBeforeMask[] {
  return observations.map(({ clause, broken }) =>
    broken ? { clause, expected: broken.expected, actual: broken.actual } : { clause },
  );
}
