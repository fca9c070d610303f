import { member } from '../schemas/values.ts';
import type { DeliveryRecord } from '../trace/records.ts';
import { isAcceptedBy, isFor } from './answers.ts';
import { bare, status200 } from './bare.ts';
import { isDone } from './clock.ts';
import { isAcknowledged } from './course.ts';
import { broughtBy } from './delivery.ts';
import {
  judged,
  shown,
  type DeliveryPredicate,
  type ExchangePredicate,
  type HistoryPredicate,
  type Judgement,
} from './predicate.ts';
import { sentJson } from './request.ts';

/** Answers to the registration of an address. Sections 4.2 and 6.5. */
export const webhookUrl: readonly ExchangePredicate[] = [
  bare('webhook-url.registration-bare', 'webhook-registration'),
  status200('webhook-url.registration-status-200', 'webhook-registration'),
  {
    clause: 'webhook-url.absolute-http-only',
    judge(record) {
      if (!isFor(record, 'webhook-registration')) return undefined;
      const uri = member(sentJson(record), 'uri');
      if (typeof uri !== 'string' || /^\s*https?:/i.test(uri)) return undefined;
      if (record.status >= 400 && record.status <= 499 && record.isRightlySigned) return 'holds';
      if (!isAcceptedBy(record, 'webhook-registration')) return undefined;
      return { expected: `4xx for ${shown(uri)}`, actual: String(record.status) };
    },
  },
];

/** Where deliveries come to. Section 4.1. */
export const webhookUrlOfDeliveries: readonly DeliveryPredicate[] = [
  {
    clause: 'webhook-url.called-exactly',
    judge(record): Judgement {
      if (record.isExact === undefined || broughtBy(record) === undefined) return undefined;
      return judged(record.isExact, () => ({
        expected: 'the path and query of the registered address',
        actual: record.target,
      }));
    },
  },
];

/** How an attempt to save addresses ended, with what came to each of ours meanwhile. */
interface Saving {
  readonly isSaved: boolean;
  readonly arrivals: readonly (readonly DeliveryRecord[])[];
  /** Whether all of its addresses are among ours. */
  readonly isWhole: boolean;
}

/** Judges each attempt to save addresses for verification events. */
function ofSaving(clause: HistoryPredicate['clause'], judge: (saving: Saving) => Judgement): HistoryPredicate {
  return {
    clause,
    of: 'application',
    judge(latest, earlier) {
      if (latest.kind !== 'steering' || latest.method !== 'PUT' || !latest.path.endsWith('/verification-webhook'))
        return undefined;
      const urls = member(latest.json, 'urls');
      if (!Array.isArray(urls) || urls.length === 0 || !(isDone(latest) || latest.status === 422)) return undefined;
      const since = earlier.filter((record) => record.kind === 'delivery' && record.arrivedAtMs >= latest.atMs);
      const byName = Map.groupBy(
        since.filter((record) => record.kind === 'delivery'),
        ({ address }) => address?.name,
      );
      return judge({
        isSaved: isDone(latest),
        arrivals: [...byName.values()],
        isWhole: byName.size === urls.length,
      });
    },
  };
}

/** How addresses for verification events are saved. Section 6.5. */
export const addressTests: readonly HistoryPredicate[] = [
  ofSaving('webhook-url.test-delivery', ({ isSaved, isWhole, arrivals }) => {
    const isTested = arrivals.every((came) => came.some((record) => broughtBy(record) === 'test'));
    if (!isWhole || !isSaved) return undefined;
    return judged(isTested, () => ({ expected: 'a test with event_type webhook.verify', actual: 'another delivery' }));
  }),
  ofSaving('webhook-url.saved-when-acknowledged', ({ isSaved, isWhole, arrivals }) => {
    if (!isWhole || !arrivals.flat().every((record) => isAcknowledged(record) === true)) return undefined;
    return judged(isSaved, () => ({ expected: 'saved: each test was answered with 2xx', actual: 'refused with 422' }));
  }),
  ofSaving('webhook-url.not-saved-otherwise', ({ isSaved, arrivals }) => {
    const refusing = arrivals.find((came) => came.every((record) => isAcknowledged(record) === false));
    if (!refusing) return undefined;
    const [first] = refusing;
    return judged(!isSaved, () => ({
      expected: 'refused with 422: a test was not acknowledged',
      actual: `saved after the answer ${String(first?.answer)}`,
      beside: refusing,
    }));
  }),
];
