import { type ForeignServer, startForeign } from '../../../targets/testing/foreign/foreign-server.ts';
import { type Ended, command } from '../runs.ts';
import type { Staged } from '../troubles/front.ts';
import { frontOf, isEchoOfCheck, type Ways } from './front.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeForeignProfile } from '../../../targets/testing/foreign/foreign-settings.ts';

/** What a run against a hostile target has to end in. */
export interface Ending {
  readonly verdict: 'conformant' | 'incomplete' | 'nonconformant' | 'error';
  readonly status: 0 | 1 | 2;
  /** Of an error alone. */
  readonly trouble?: 'network' | 'settings' | 'target';
  /** The clauses that fail: these, and no other. Of no account where it is absent. */
  readonly failed?: readonly string[];
}

/** A target that does what no server ought to, in front of a right one, and what a run against it has to end in. */
export interface HostileTarget {
  /** What it does: the title of its test. */
  readonly name: string;
  readonly start: (upstream: ForeignServer) => Promise<Staged>;
  /** What of the suite is run against it. */
  readonly words: readonly string[];
  readonly ends: Ending;
  /** Its run waits most of the time: many of them may go on at once. */
  readonly isSlow?: true;
  /** It sends so much that its run is measured in a process that has run nothing else. */
  readonly isBig?: true;
  /** What of that run must be so, besides. */
  readonly also?: (ended: Ended) => void;
}

/** Nobody can be judged there, and nobody is. */
export const unreachable: Ending = { verdict: 'error', status: 2, trouble: 'network', failed: [] };

/** Broken by the planted breach, and by nothing else. */
export const breachAlone: Ending = { verdict: 'nonconformant', status: 1, failed: ['echo.message-returned'] };

/** Broken, by whatever of it. */
export const broken: Ending = { verdict: 'nonconformant', status: 1 };

/** What is run where nothing else is said: quick clauses, of which the planted breach breaks the first. */
export const quickClauses: readonly string[] = ['echo.message-returned', 'echo.status'];

/** Arguments that ask for clauses. */
export function clauseWords(ids: readonly string[]): readonly string[] {
  return ids.flatMap((id) => ['--clause', id]);
}

type Kind = (name: string, ways: Ways, change?: Partial<HostileTarget>) => HostileTarget;

/** A hostile way that changes nothing for a right server, with the breach: that is to be seen, and nothing else. */
export const breached: Kind = kind({ hasBreach: true }, breachAlone);

/** Hostile to the echoes of checks alone: the target's own doing. */
export const accused: Kind = kind({ meets: isEchoOfCheck }, broken);

/** Hostile to everything, so that nothing can be judged. */
export const hopeless: Kind = kind({}, unreachable);

function kind(ofKind: Ways, ends: HostileTarget['ends']): Kind {
  return (name, ways, change = {}) => ({
    name,
    start: (upstream) => frontOf(upstream, { ...ofKind, ...ways }),
    words: clauseWords(quickClauses),
    ends,
    ...change,
  });
}

/** Clauses that follow links, with the one that the planted breach breaks. */
const linkClauses = [
  'echo.message-returned',
  'nfe-query.xml-link-serves-its-invoice',
  'nfe-query.danfe-link-serves-a-pdf',
];

/** Hostile to whoever issues an invoice and looks at its documents; the breach is elsewhere. */
export function withLife(name: string, ways: Ways, change: Partial<HostileTarget> = {}): HostileTarget {
  return {
    name,
    async start(upstream) {
      const folder = mkdtempSync(join(tmpdir(), 'nfe-hostile-'));
      writeForeignProfile(folder);
      const settings = { NFE_PROFILE: folder, NFE_SETTLE_TIMEOUT: '3', ...ways.settings };
      const staged = await frontOf(upstream, { hasBreach: true, ...ways, settings });
      return {
        ...staged,
        async stop() {
          await staged.stop();
          rmSync(folder, { recursive: true });
        },
      };
    },
    words: clauseWords(linkClauses),
    ends: broken,
    ...change,
  };
}

/** Runs the suite against a hostile target. */
export async function runAgainst(target: HostileTarget, mostMs: number): Promise<Ended> {
  const upstream = await startForeign({ settleMs: 30 });
  const staged = await target.start(upstream);
  try {
    return await command('test', staged.settings, target.words, { mostMs, isAlone: target.isBig ?? false });
  } finally {
    await staged.stop();
    await upstream.stop();
  }
}
