import type { ClauseId } from '../contract/catalogue.ts';

/**
 * Clauses whose histories tell of what did not come, or came when it was not to: then a delivery, or our answer to it, may have been
 * lost on the way.
 */
export const restsOnWay: ReadonlySet<ClauseId> = new Set([
  'issuance-callback.called-back-when-authorised',
  'issuance-callback.called-back-when-denied',
  'verdict-event.sent-when-settled',
  'webhook-delivery.acknowledged-by-any-2xx',
  'webhook-delivery.all-targets',
  'webhook-delivery.broken-connection-retried',
  'webhook-delivery.five-retries',
  'webhook-delivery.issuance-retried',
  'webhook-delivery.other-status-retried',
  'webhook-delivery.redirect-not-followed',
  'webhook-delivery.retries-stop-when-acknowledged',
  'webhook-delivery.retry-delays',
]);
