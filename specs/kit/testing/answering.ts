import { createServer } from 'node:http';
import type { Run, TargetAddress } from '../../../targets/address.ts';
import { openTarget, type Target } from '../../../targets/target.ts';
import { portOf } from '../../../targets/testing/served.ts';
import { foreignAddress } from '../../../targets/testing/server.ts';
import { plainRun } from '../../../targets/plain-run.ts';

/** A server that answers each request by its method and path, and a run against it. */
export interface Answering {
  readonly run: Run;
  /** Opens the target as a check does; closed with the server. */
  readonly open: () => Target;
  /** Method and path of each request so far. */
  readonly asked: readonly string[];
  readonly close: () => Promise<void>;
}

/** Starts a server that answers with that status and body; the change replaces some of the address of its run. */
export async function answering(
  answer: (asked: string) => readonly [status: number, body: string],
  change: Partial<TargetAddress> = {},
): Promise<Answering> {
  const asked: string[] = [];
  const server = createServer((incoming, outgoing) => {
    const request = `${incoming.method} ${incoming.url}`;
    asked.push(request);
    const [status, body] = answer(request);
    incoming.resume().on('end', () => outgoing.writeHead(status).end(body));
  });
  const address = foreignAddress(`http://127.0.0.1:${await portOf(server)}`, change);
  const run = plainRun(address, { numRuns: 5, mostShrinks: 50, repetitions: 3 });
  const opened: Target[] = [];
  return {
    run,
    asked,
    open() {
      const target = openTarget(run.address, run.traffic);
      opened.push(target);
      return target;
    },
    async close() {
      for (const target of opened) await target.close();
      server.closeAllConnections();
      server.close();
    },
  };
}
