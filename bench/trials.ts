import { ledgerMemory } from '../targets/traffic/ledger.ts';
import type { TargetAddress, TracePlace } from '../targets/address.ts';
import { openTarget, type Target } from '../targets/target.ts';
import { recordDelivery } from '../specs/kit/deliveries.ts';
import { openRecorder, unwritten, type Recorder } from '../specs/kit/recorder.ts';
import { trialOf, type Trial } from '../specs/kit/trial.ts';
import { newRecord, startAnew } from '../specs/kit/trial-record.ts';
import type { Served } from './servers.ts';

/** A trial outside of any check: it generates, signs, sends, traces and judges as a check does. */
export interface OpenTrial {
  readonly t: Trial;
  readonly target: Target;
  /** Forgets the case so far, as a check does between two. */
  readonly startAnew: () => void;
  readonly close: () => Promise<void>;
}

/** A simulator, as a check knows it. */
export function addressOf({ baseUrl, controlToken }: Pick<Served, 'baseUrl' | 'controlToken'>): TargetAddress {
  return {
    kind: 'embedded',
    baseUrl,
    control: { url: baseUrl, token: controlToken },
    credentials: {},
    maxRps: 0,
    allowProducao: true,
    rateBurst: 0,
    clockSkewSeconds: 0,
    profile: { folder: 'profiles/default', files: [] },
    webhook: { listen: { host: '127.0.0.1', port: 0 }, headerPrefix: 'X-Service', isReachable: true },
    isSlow: false,
    settleTimeoutSeconds: 10,
    xmlContentType: 'application/xml',
  };
}

/** Opens a trial at a simulator; what it does is written to that place, where there is one. */
export function openTrial(at: TargetAddress, name = 'bench', place?: TracePlace): OpenTrial {
  const target = openTarget(
    at,
    { memory: ledgerMemory(), budget: 0 },
    {
      delivery: (arrival, answer) => recordDelivery(record, target, arrival, answer),
      steering: (done) => recorder.steering(done),
    },
  );
  // Nothing is hidden: a simulator's secrets are nobody's.
  const asItIs = (text: string): string => text;
  const recorder: Recorder = place
    ? openRecorder(`${name} echo.envelope: ${name}`, place, { veil: () => ({ mask: asItIs }), mask: () => asItIs })
    : unwritten();
  const record = newRecord(false, recorder);
  return {
    t: trialOf(target, record),
    target,
    startAnew() {
      startAnew(record);
      recorder.beginCase();
    },
    async close() {
      await target.close();
      recorder.flush();
    },
  };
}
