import type { DeliveryRecord } from '../trace/records.ts';
import { isDone } from './clock.ts';
import { ofCourse, type Course } from './course.ts';
import { judged, type HistoryPredicate, type Judgement } from './predicate.ts';

/** When the secret was rotated: from when on the new one is in force. */
function rotatedMs({ steerings }: Course): { fromMs: number; untilMs: number } | undefined {
  const last = steerings.findLast((call) => call.method === 'POST' && call.path.endsWith('/secret') && isDone(call));
  return last && { fromMs: last.atMs, untilMs: last.atMs + last.durationMs };
}

function judgedSecret(record: DeliveryRecord | undefined, expected: string): Judgement {
  if (record?.signature !== 'right' && record?.signature !== 'by a former secret') return undefined;
  return judged(record.signature === 'right', () => ({
    expected,
    actual: 'one with the secret of before',
    beside: [record],
  }));
}

/** Whether all that an application asked for in this way was asked after that time. */
function isAskedAfter({ exchanges }: Course, { ids, address }: DeliveryRecord, ms: number): boolean {
  const asked = exchanges.filter(({ endpoint, ids: { nfeId } }) =>
    address?.channel === 'issuance'
      ? endpoint?.name === 'nfe-issuance' && nfeId === ids.nfeId
      : endpoint?.name === 'nfe-verification' || endpoint?.name === 'chave-lookup',
  );
  return asked.length > 0 && asked.every(({ sentAtMs }) => sentAtMs >= ms);
}

/** By which secret deliveries are signed after a rotation. Section 2.1. */
export const rotation: readonly HistoryPredicate[] = [
  ofCourse('webhook-signature.new-secret-after-rotation', (course) => {
    const rotated = rotatedMs(course);
    return course.deliveries
      .filter((record) => rotated && record.arrivedAtMs > Math.max(course.quietMs, rotated.untilMs))
      .filter((record) => rotated && isAskedAfter(course, record, rotated.untilMs))
      .map((record) => judgedSecret(record, 'an event after the rotation signed with the new secret'));
  }),
  ofCourse('webhook-signature.new-secret-on-retries', (course) => {
    const rotated = rotatedMs(course);
    if (!rotated || rotated.untilMs > course.move.atMs) return [];
    return course.byItself
      .filter(({ attempts: [first] }) => first && first.record.arrivedAtMs < rotated.fromMs)
      .flatMap(({ attempts }) => attempts.filter(({ record }) => record.arrivedAtMs >= course.move.atMs))
      .map(({ record }) => judgedSecret(record, 'a retry after the rotation signed with the new secret'));
  }),
];
