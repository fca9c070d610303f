import type { StatedClause } from '../clause.ts';

/** What the contract says of the signature of deliveries. Sections 2.1, 6.1, 6.2. */
export const webhookSignature = [
  {
    id: 'webhook-signature.key',
    section: '2.1',
    statement: 'Deliveries are signed with the App Secret as HMAC key.',
    needs: ['callbacks', 'empresa', 'authorised-issuance'],
    buildsOn: ['webhook-delivery.signature-header', 'webhook-delivery.timestamp-header'],
  },
  {
    id: 'webhook-signature.hmac-of-timestamp-and-body',
    section: '6.1',
    statement: 'The signature is the HMAC-SHA256 of timestamp, a dot and the raw body.',
    needs: ['callbacks', 'empresa', 'authorised-issuance'],
    buildsOn: ['webhook-delivery.signature-header', 'webhook-delivery.timestamp-header'],
  },
  {
    id: 'webhook-signature.lowercase-hex',
    section: '6.1',
    statement: 'The signature is written in lowercase hex.',
    needs: ['callbacks', 'empresa', 'authorised-issuance'],
    buildsOn: ['webhook-delivery.signature-header'],
  },
  {
    id: 'webhook-signature.every-delivery',
    section: '6.1',
    statement: 'Every delivery of both channels is signed so.',
    needs: ['callbacks', 'empresa', 'authorised-issuance'],
    buildsOn: ['webhook-delivery.signature-header', 'webhook-delivery.timestamp-header'],
  },
  {
    id: 'webhook-signature.fresh-on-retry',
    section: '6.1',
    statement: 'Every attempt is signed anew, with its own timestamp.',
    needs: ['movable-clock', 'verification-webhook', 'verified-document'],
    needsInstead: ['stored-deliveries'],
    someNeed: ['empresa'],
    buildsOn: ['webhook-signature.every-delivery', 'webhook-delivery.other-status-retried'],
  },
  {
    id: 'webhook-signature.new-secret-after-rotation',
    section: '2.1',
    statement: 'After a rotation new events are signed with the new secret.',
    needs: ['rotation', 'movable-clock', 'callbacks', 'empresa', 'authorised-issuance'],
    buildsOn: ['webhook-signature.key'],
  },
  {
    id: 'webhook-signature.new-secret-on-retries',
    section: '2.1',
    level: 'implied',
    statement: 'After a rotation retries of older events are signed with the new secret, too.',
    needs: ['rotation', 'movable-clock', 'verification-webhook', 'verified-document'],
    buildsOn: ['webhook-signature.key', 'webhook-delivery.other-status-retried'],
  },
  {
    id: 'webhook-signature.receiver-raw-bytes',
    section: '6.2',
    binds: 'receiver',
    statement: 'A receiver verifies the signature over the raw bytes that it received.',
  },
  {
    id: 'webhook-signature.receiver-constant-time',
    section: '6.2',
    binds: 'receiver',
    statement: 'A receiver compares signatures in constant time.',
  },
  {
    id: 'webhook-signature.receiver-old-timestamp',
    section: '6.2',
    level: 'should',
    binds: 'receiver',
    statement: 'A receiver rejects deliveries whose timestamp is more than 5 minutes old.',
  },
  {
    id: 'webhook-signature.receiver-token',
    section: '6.2',
    binds: 'receiver',
    statement: 'A receiver compares the `token` header of an issuance callback with the registered one.',
  },
] as const satisfies readonly StatedClause[];
