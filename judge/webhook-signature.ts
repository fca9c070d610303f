import { brandHeader } from '../trace/records.ts';
import { broughtBy } from './delivery.ts';
import { judged, shown, type DeliveryPredicate, type Judgement } from './predicate.ts';

/** How the signature of a delivery is written: whether it is right is for those who know the secret. Section 6.1. */
export const webhookSignature: readonly DeliveryPredicate[] = [
  {
    clause: 'webhook-signature.lowercase-hex',
    judge(record): Judgement {
      const signature = brandHeader(record, 'Signature') ?? '';
      // Of another length it is no HMAC-SHA256 in hex at all, which is another clause's.
      if (broughtBy(record) === undefined || !/^[\da-f]{64}$/i.test(signature)) return undefined;
      return judged(signature === signature.toLowerCase(), () => ({
        expected: 'lowercase hex',
        actual: shown(signature),
      }));
    },
  },
];
