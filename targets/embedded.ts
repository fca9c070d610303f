import { startSimulator, type SimulatorOptions } from '../simulator/start.ts';
import type { TargetAddress } from './address.ts';

/** A target that this process started itself. */
export interface StartedTarget {
  readonly address: TargetAddress;
  readonly stop: () => Promise<void>;
}

/** Starts the reference simulator, or the one with other rules, on a free loopback port. */
export async function startEmbedded(
  wish: {
    rules?: SimulatorOptions['rules'];
    xmlContentType?: string;
    maxRps?: number;
    profile?: TargetAddress['profile'];
  } = {},
): Promise<StartedTarget> {
  const simulator = await startSimulator(wish.rules ? { rules: wish.rules } : {});
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
      xmlContentType: wish.xmlContentType ?? 'application/xml',
    },
    stop: () => simulator.stop(),
  };
}
