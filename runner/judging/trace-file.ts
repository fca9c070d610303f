import { mkdtempSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Clause } from '../../contract/clause.ts';
import type { Run } from '../../targets/address.ts';
import type { Halt } from '../../targets/traffic/guard.ts';
import type { RunFacts } from '../../reports/judge.ts';
import { mended, type LastSearch } from '../../reports/leaks.ts';
import { traceName } from '../../reports/write.ts';
import type { CheckOutcome } from '../../schemas/results.ts';
import { jsonIn } from '../../trace/exchange.ts';
import type { RecordLine } from '../../trace/lines.ts';
import { inPassing } from '../../judge/judge.ts';
import { traceFormat, traceLine } from '../../schemas/trace-line.ts';
import { fits } from '../../schemas/validate.ts';
import { clausesInPassing, type ClausesInPassing } from './in-passing.ts';
import { ArgumentError, fileErrorCode } from '../command-line/argument-error.ts';

/** What a trace begins with: the run that it is of. */
export interface TraceHead extends ClausesInPassing {
  readonly kind: 'run';
  readonly format: typeof traceFormat;
  readonly facts: RunFacts;
  /** Ids of the clauses that it was to judge. */
  readonly clauses: readonly string[];
  readonly halt?: Halt;
}

/** How the trace of a run begins. */
export function headOf(facts: RunFacts, clauses: readonly Clause[], run: Run, halt: Halt | undefined): TraceHead {
  const ids = clauses.map(({ id }) => id);
  const head = { kind: 'run', format: traceFormat, facts, clauses: ids, ...clausesInPassing(run) } as const;
  return halt ? { ...head, halt } : head;
}

/** A run as its trace tells it. */
export interface Trace {
  readonly head: TraceHead;
  /** What checks came to that no record shows: comparisons, absences, times. */
  readonly outcomes: readonly CheckOutcome[];
  readonly lines: readonly RecordLine[];
}

/** A new folder in which the threads of a run write what happens, for nobody else to read. */
export function makePartsFolder(): string {
  return mkdtempSync(join(tmpdir(), 'nfe-trace-'));
}

/** Removes that folder. */
export function removePartsFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true });
}

/** What the threads of a run have written so far. */
export function readParts(folder: string): RecordLine[] {
  const refuse = (at: number): never => {
    throw new Error(`line ${at + 1} that a thread wrote is none of a trace`);
  };
  return readdirSync(folder)
    .flatMap((name) => linesOf(readFileSync(join(folder, name), 'utf8'), refuse))
    .filter((line) => line.kind !== 'run' && line.kind !== 'outcome');
}

/**
 * Writes a trace into the folder of reports. What it holds was masked as it was written down; what the last search finds all the
 * same is replaced, and a line that this breaks is left out. Gives its path.
 */
export function writeTrace(reportDir: string, { head, outcomes, lines }: Trace, search?: LastSearch): string {
  const told = outcomes.filter(({ result }) => result.name !== inPassing);
  const others = told.map((outcome) => ({ kind: 'outcome', outcome: { ...outcome, secrets: undefined } }));
  const inOrder = lines.toSorted((one, other) => one.at - other.at);
  const texts = [head, ...others, ...inOrder].map((line) => mended(JSON.stringify(line), search));
  const whole = texts.filter(({ text, secrets }) => secrets.length === 0 || jsonIn(text) !== undefined);
  const path = join(reportDir, traceName);
  const part = `${path}.${process.pid}.part`;
  writeFileSync(part, gzipSync(whole.map(({ text }) => `${text}\n`).join('')), { mode: 0o600 });
  renameSync(part, path);
  return path;
}

/** Reads a trace. Throws an ArgumentError that names the line of what is none. */
export function readTrace(path: string): Trace {
  const text = textIn(path);
  const lines = linesOf(text, (at) => {
    if (at === 0 && text.startsWith('{"kind":"run"') && !text.startsWith(`{"kind":"run","format":"${traceFormat}"`))
      throw new ArgumentError(`--judge: ${path} is the trace of another edition: judge it with the edition of its run`);
    throw new ArgumentError(`--judge takes the ${traceName} of a run: line ${at + 1} of ${path} is none of a trace`);
  });
  const [head] = lines;
  if (head?.kind !== 'run')
    throw new ArgumentError(`--judge takes the ${traceName} of a run: ${path} does not begin as one`);
  return {
    head,
    outcomes: lines.flatMap((line) => (line.kind === 'outcome' ? [line.outcome] : [])),
    lines: lines.flatMap((line) => (line.kind === 'run' || line.kind === 'outcome' ? [] : [line])),
  };
}

type Line = TraceHead | { readonly kind: 'outcome'; readonly outcome: CheckOutcome } | RecordLine;

const isOfTrace = fits(traceLine);
const isLine = (value: unknown): value is Line => isOfTrace(value);

function linesOf(text: string, refuse: (at: number) => never): Line[] {
  return text.split('\n').flatMap((line, at) => {
    if (line === '') return [];
    const value = jsonIn(line);
    return isLine(value) ? [value] : refuse(at);
  });
}

function textIn(path: string): string {
  try {
    return gunzipSync(readFileSync(path)).toString('utf8');
  } catch (error) {
    throw new ArgumentError(`--judge takes the ${traceName} of a run: ${path} can't be read (${fileErrorCode(error)})`);
  }
}
