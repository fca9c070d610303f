import { brandHeader } from '../trace/records.ts';
import { broughtBy } from './delivery.ts';
import { judged, shown, type DeliveryPredicate, type Judgement } from './predicate.ts';

const right = 'the HMAC-SHA256 of timestamp, dot and raw body, by the App Secret, in lowercase hex';

/** How the signature of a delivery is written, and by which key it was made. Sections 2.1 and 6.1. */
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
  {
    clause: 'webhook-signature.key',
    judge({ signature, signatureHint = 'another key' }): Judgement {
      if (signature !== 'right' && signature !== 'by another key') return undefined;
      return judged(signature === 'right', () => ({ expected: 'the App Secret as key', actual: signatureHint }));
    },
  },
  {
    clause: 'webhook-signature.every-delivery',
    judge(record): Judgement {
      const { signature, signatureHint = `the signature is ${signature}` } = record;
      // Which secret it is after a rotation is for other clauses.
      if (signature === undefined || signature === 'by a former secret' || broughtBy(record) === undefined)
        return undefined;
      return judged(signature === 'right', () => ({
        expected: right,
        actual: brandHeader(record, 'Signature') === undefined ? 'no signature' : signatureHint,
      }));
    },
  },
];
