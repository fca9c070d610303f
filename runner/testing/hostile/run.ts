import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startForeign } from '../../../targets/testing/foreign/foreign-server.ts';
import { command, type EndedCommand } from '../troubles/commands.ts';
import type { HostileTarget } from './hostile-target.ts';

/** A run against a hostile target, with what it took. */
export interface HostileRun {
  readonly ended: EndedCommand;
  readonly seconds: number;
  /** Most memory that its process ever had; absent of one that had to be ended. */
  readonly peakMegabytes: number | undefined;
}

/** Runs the suite against a hostile target, in a process of its own. */
export async function runAgainst(target: HostileTarget, mostMs: number): Promise<HostileRun> {
  const upstream = await startForeign({ settleMs: 30 });
  const staged = await target.start(upstream);
  const folder = mkdtempSync(join(tmpdir(), 'nfe-peak-'));
  const file = join(folder, 'peak');
  const started = performance.now();
  try {
    const settings = { ...staged.settings, PEAK_MEMORY_FILE: file };
    const measuring = ['--import', join(import.meta.dirname, 'measure-memory.ts')];
    const ended = await command('main', settings, target.words, mostMs, measuring);
    const peakMegabytes = existsSync(file) ? Number(readFileSync(file, 'utf8')) / 1024 : undefined;
    return { ended, seconds: (performance.now() - started) / 1000, peakMegabytes };
  } finally {
    await staged.stop();
    await upstream.stop();
    rmSync(folder, { recursive: true });
  }
}
