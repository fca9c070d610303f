import { readFileSync, writeFileSync } from 'node:fs';
import { threads } from '../run/vitest.ts';

/** A command that this process is to run as a shell would. */
export interface Order {
  /** Its name, as the command line has it. */
  readonly command: string;
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** How a command ended. */
export interface EndedProcess {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Most memory that the process had meanwhile; absent of one that had to be ended. */
  readonly peakMegabytes: number | undefined;
}

const printed = { stdout: '', stderr: '' };
for (const name of ['stdout', 'stderr'] as const) {
  process[name].write = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
    printed[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8');
    const done = rest.find((one) => typeof one === 'function');
    if (done) process.nextTick(done);
    return true;
  };
}

let runs = 0;

// What the checks of one run have loaded serves those of the next.
threads.keep();

/**
 * Runs a command as if it had this process for itself: with these settings alone, its file evaluated anew. What that file
 * imports is as the commands before have left it.
 */
async function run({ command, words, env }: Order): Promise<EndedProcess> {
  forgetPeak();
  Object.assign(printed, { stdout: '', stderr: '' });
  for (const name of Object.keys(process.env)) delete process.env[name];
  for (const [name, value] of Object.entries(env)) if (value !== undefined) process.env[name] = value;
  process.argv = [process.execPath, 'desk/main.ts', command, ...words];
  process.exitCode = undefined;
  runs += 1;
  await import(`../../desk/main.ts?run=${runs}`);
  return { status: statusSoFar(), ...printed, peakMegabytes: peakMegabytes() };
}

/** Linux counts the most memory that a process had from when this is written to it; where it may not be, it is that of its whole life. */
const counter = '/proc/self/clear_refs';
let isCountedAnew = false;

function forgetPeak(): void {
  try {
    writeFileSync(counter, '5');
    isCountedAnew = true;
  } catch {
    isCountedAnew = false;
  }
}

function peakMegabytes(): number {
  if (!isCountedAnew) return process.resourceUsage().maxRSS / 1024;
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024;
}

function statusSoFar(): number {
  return Number(process.exitCode ?? 0);
}

process.on('message', (order: Order) => void run(order).then((told) => process.send?.(told)));
process.on('disconnect', () => process.exit());
