import type { Clause } from '../clause.ts';

/** What the contract says of the signature of deliveries. Section 2.1. */
export const webhookSignature = [
  {
    id: 'webhook-signature.key',
    section: '2.1',
    level: 'must',
    binds: 'service',
    statement: 'Deliveries are signed with the App Secret as HMAC key.',
    unobservable: 'this edition of the suite runs no webhook receiver, so it sees no delivery',
  },
] as const satisfies readonly Clause[];
