import { settlements } from './issuance/settlements.ts';
import type { ServiceParts } from './service.ts';
import type { DueWork } from './timeline.ts';
import { verificationSettlements } from './verification/settlements.ts';
import { deliveries } from './webhooks/deliveries.ts';

/** Everything that becomes due in a simulator; what a settlement brings about can start with it. */
export function dueWorks(parts: ServiceParts): readonly DueWork[] {
  return [settlements(parts), verificationSettlements(parts), ...deliveries(parts)];
}
