import { broughtBy } from './delivery.ts';
import { judged, shown, type DeliveryPredicate, type ExchangePredicate, type Judgement } from './predicate.ts';

interface Coded {
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

/** Judges the encoding of a body that nobody has asked to be encoded; what is in it is judged as if it were not. Reading 44. */
function asItIs({ headers, body }: Coded): Judgement {
  if (body.length === 0) return undefined;
  const encoding = headers.get('content-encoding') ?? '';
  return judged(/^(?:\s|,|identity)*$/i.test(encoding), () => ({
    expected: 'a body as it is, without an encoding',
    actual: `Content-Encoding: ${shown(encoding)}`,
    hint: 'nobody asked for an encoding',
  }));
}

/** How answers are encoded. Section 4.1. */
export const encoding: readonly ExchangePredicate[] = [
  {
    clause: 'encoding.of-answers',
    judge: (record) => (record.requestHeaders.has('accept-encoding') ? undefined : asItIs(record)),
  },
];

/** How deliveries are encoded. Section 6.1. */
export const encodingOfDeliveries: readonly DeliveryPredicate[] = [
  {
    clause: 'encoding.of-deliveries',
    judge: (record) => (broughtBy(record) === undefined ? undefined : asItIs(record)),
  },
];
