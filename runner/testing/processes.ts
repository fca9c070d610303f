import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';

/** How a process ended, and all that it printed. */
export interface EndedChild {
  /** Null: a signal ended it. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A process that a test has started. */
export interface TestProcess {
  readonly child: ChildProcessWithoutNullStreams;
  /** All that it has printed so far, on either stream. */
  readonly said: () => string;
  /** Resolves with what was printed by then, once it matches; rejects where it ends before. */
  printed(pattern: RegExp): Promise<string>;
  /** Sends a signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<EndedChild>;
  readonly ended: Promise<EndedChild>;
}

/** Starts a program with these words; without a folder in that of the tests. */
export function startProcess(
  program: string,
  words: readonly string[],
  options: { readonly env: NodeJS.ProcessEnv; readonly cwd?: string },
): TestProcess {
  const child = spawn(program, words, { ...options, stdio: 'pipe' });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => (stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));
  const ended = new Promise<EndedChild>((resolve) => {
    child.on('close', (status) => resolve({ status, stdout, stderr }));
  });
  return {
    child,
    said: () => stdout + stderr,
    printed: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (pattern.test(stdout)) resolve(stdout);
        };
        child.stdout.on('data', look);
        look();
        void ended.then(() => reject(new Error(`it ended without printing ${String(pattern)}: ${stdout}${stderr}`)));
      }),
    end(signal) {
      child.kill(signal);
      return ended;
    },
    ended,
  };
}
