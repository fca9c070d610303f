import { isReceived } from '../../trace/links.ts';
import { signatureFault } from '../../trace/delivery-signature.ts';
import type { Arrival } from '../../trace/exchange.ts';
import type { Target } from '../../targets/target.ts';

/**
 * Whether a delivery is surely the target's: it is signed right, but perhaps for the letters of its hex. At an address that
 * others know, anybody may leave something.
 */
export function isSurelySent(arrival: Arrival, { address, secrets }: Pick<Target, 'address' | 'secrets'>): boolean {
  const { headerPrefix } = address.webhook;
  const { active } = address.credentials;
  const made = [...secrets].filter(([, stand]) => !isReceived(stand)).map(([secret]) => secret);
  return [...made, ...(active === undefined ? [] : [active])].some((appSecret) => {
    const fault = signatureFault(arrival, { appSecret, headerPrefix, otherKeys: {} });
    return fault === undefined || fault.clause === 'webhook-signature.lowercase-hex';
  });
}
