import type { ForeignServer } from '../../../targets/testing/foreign/foreign-server.ts';
import type { EndedCommand } from '../troubles/commands.ts';
import type { Staged } from '../troubles/staged-trouble.ts';

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
  readonly also?: (ended: EndedCommand) => void;
}

/** Nobody can be judged there, and nobody is. */
export const unreachable: Ending = { verdict: 'error', status: 2, trouble: 'network', failed: [] };

/** Broken by the planted breach, and by nothing else. */
export const breachAlone: Ending = { verdict: 'nonconformant', status: 1, failed: ['echo.message-returned'] };

/** Broken, by whatever of it. */
export const broken: Ending = { verdict: 'nonconformant', status: 1 };
