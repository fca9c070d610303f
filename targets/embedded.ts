import type { SimulatorOptions } from '../simulator/start.ts';
import type { TargetAddress, WebhookAddress } from './address.ts';

/** A target that this process started itself. */
export interface StartedTarget {
  readonly address: TargetAddress;
  readonly stop: () => Promise<void>;
}

/** How the simulator is to be, and how it is to be treated. */
export interface EmbeddedWish extends Partial<
  Pick<TargetAddress, 'xmlContentType' | 'maxRps' | 'profile' | 'webhook' | 'isSlow' | 'settleTimeoutSeconds'>
> {
  /** The reference rules when absent. */
  readonly rules?: SimulatorOptions['rules'];
}

/** Starts the reference simulator, or the one with other rules, on a free loopback port. */
export async function startEmbedded(wish: EmbeddedWish = {}): Promise<StartedTarget> {
  const webhook = wish.webhook ?? localWebhook;
  const { headerPrefix } = webhook;
  // Loaded only now: a run against somebody else's server needs no simulator.
  const { startSimulator } = await import('../simulator/start.ts');
  const simulator = await startSimulator({ headerPrefix, ...(wish.rules ? { rules: wish.rules } : {}) });
  const { baseUrl, controlUrl, controlToken } = simulator;
  if (controlUrl === undefined || controlToken === undefined) throw new Error('the simulator has no control API');
  return {
    address: {
      kind: 'embedded',
      baseUrl,
      control: { url: controlUrl, token: controlToken },
      credentials: {},
      maxRps: wish.maxRps ?? 0,
      allowProducao: true,
      rateBurst: 0,
      clockSkewSeconds: 0,
      profile: wish.profile ?? { folder: '', files: [] },
      webhook,
      isSlow: wish.isSlow ?? false,
      settleTimeoutSeconds: wish.settleTimeoutSeconds ?? 10,
      xmlContentType: wish.xmlContentType ?? 'application/xml',
    },
    stop: () => simulator.stop(),
  };
}

/** A receiver on a free loopback port, where a target in this process reaches it. */
const localWebhook: WebhookAddress = {
  listen: { host: '127.0.0.1', port: 0 },
  headerPrefix: 'X-Service',
  isReachable: true,
};
