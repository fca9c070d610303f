import { startForeign } from '../../../targets/testing/foreign/foreign-server.ts';
import { command, type EndedCommand } from '../troubles/commands.ts';
import type { HostileTarget } from './hostile-target.ts';

/** A run against a hostile target, with what it took. */
export interface HostileRun {
  readonly ended: EndedCommand;
  readonly seconds: number;
}

/** Runs the suite against a hostile target. */
export async function runAgainst(target: HostileTarget, mostMs: number): Promise<HostileRun> {
  const upstream = await startForeign({ settleMs: 30 });
  const staged = await target.start(upstream);
  const started = performance.now();
  try {
    const ended = await command('test', staged.settings, target.words, { mostMs, isAlone: target.isBig ?? false });
    return { ended, seconds: (performance.now() - started) / 1000 };
  } finally {
    await staged.stop();
    await upstream.stop();
  }
}
