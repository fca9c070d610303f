import { setTimeout as sleep } from 'node:timers/promises';
import type { Call } from '../../contract/request.ts';
import { ledgerMemory } from '../../client/ledger.ts';
import { backoffMs } from '../../client/backoff.ts';
import type { TargetAddress } from '../../targets/address.ts';
import { openTarget, type Target } from '../../targets/target.ts';
import { readAnswer, type Answer, type Silence } from './answer.ts';

/** An answer and when it came. */
export interface Asked {
  readonly answer: Answer | Silence;
  /** Epoch milliseconds by this machine's clock at which the answer was there. */
  readonly receivedMs: number;
  readonly durationMs: number;
}

/** A target that is being examined. */
export interface Session {
  readonly target: Target;
  /** Signs a call with that secret, `skewSeconds` off this machine's clock, and sends it at the pace of the settings. */
  ask(secret: string, call: Call, skewSeconds: number): Promise<Asked>;
}

const mostBackoffs = 3;

/** Opens the target of an address; whoever opens it closes `target`. */
export function openSession(address: TargetAddress): Session {
  const target = openTarget(address, { memory: ledgerMemory(), budget: 0 });
  return {
    target,
    async ask(secret, call, skewSeconds) {
      for (let attempt = 0; ; attempt++) {
        const timestamp = String(Math.floor(Date.now() / 1000 + skewSeconds));
        const exchange = await target.send({ call, token: secret, timestamp });
        const asked = { answer: readAnswer(exchange), receivedMs: Date.now(), durationMs: exchange.durationMs };
        if (exchange.response?.status !== 429 || attempt === mostBackoffs) return asked;
        await sleep(backoffMs(attempt, Math.random));
      }
    },
  };
}
