import type { TargetAddress } from '../address.ts';

/** A server of somebody else's at that address, known by one secret, to test with; the change replaces some of it. */
export function foreignAddress(baseUrl: string, change: Partial<TargetAddress> = {}): TargetAddress {
  return {
    kind: 'sandbox',
    baseUrl,
    credentials: { active: 'a-secret' },
    maxRps: 0,
    allowProducao: false,
    rateBurst: 0,
    clockSkewSeconds: 0,
    xmlContentType: 'application/xml',
    profile: { folder: '', files: [] },
    isSlow: false,
    webhook: { listen: { host: '127.0.0.1', port: 0 }, headerPrefix: 'X-Service', isReachable: false },
    settleTimeoutSeconds: 1,
    ...change,
  };
}
