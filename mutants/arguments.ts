import { parsedOrRefused, ArgumentError } from '../runner/command-line/argument-error.ts';
import { parseArgs } from 'node:util';
import { catalogue, isJudged } from '../contract/catalogue.ts';
import { unknown } from '../runner/command-line/arguments.ts';
import { mutants } from './all.ts';
import type { Mutant } from './mutant.ts';
import { variants } from './variants/all.ts';
import { breaches } from './wire/wire.ts';

/** What the command line asks for. */
export interface MutantsAsked {
  /** Only mutants that break one of these, and only checks of these; none: all. */
  readonly clauses: readonly string[];
  /** Only these mutants and variants; none: all. */
  readonly mutants: readonly string[];
  /** Set where all clauses are judged of each mutant, not only those that it breaks, and its findings are told. */
  readonly survey?: SurveyAsked;
  /** So many combinations of variants in place of mutants; 0: none. */
  readonly combinations: number;
  /** A trace of a run to be changed, in place of mutants. */
  readonly trace?: string;
  /** Set where wires are asked for in place of mutants. */
  readonly wire?: WireAsked;
}

/** How a survey is made. */
export interface SurveyAsked {
  /** So many of the mutants, drawn; absent: all that are asked for. */
  readonly sample?: number;
  /** Where what came of each is kept: what stands there already is not made again. */
  readonly file: string;
}

/** Which wires, and how often each. */
export interface WireAsked {
  /** Only these; none: all. */
  readonly breaches: readonly string[];
  /** Percent; none where nodes are asked for. */
  readonly rates: readonly number[];
  /** A server of so many nodes, of which one is broken. */
  readonly nodes: readonly number[];
  readonly seeds: number;
  /** All clauses are judged, not only those of the topics that a breach is met in. */
  readonly isWhole: boolean;
}

/** What `--help` prints. */
export const usage = `npm run mutants -- [options]

Lets the checks loose on simulators that are wrong on purpose: each has to be caught by a check of the clause that it breaks,
and every check has to fail for one of them. Legal variants, several at once, may be accused of nothing. Leaves a record that reports tell of.
Ends with 0 where all of that holds, else with 1. Takes some minutes.

  --clause ID      only the mutants that break this clause, and only its checks (repeatable)
  --mutant NAME    only this mutant or variant (repeatable)
  --survey         judge all clauses of each mutant, and tell how many findings it comes to, and which clause names them
  --sample N       of a survey: N mutants, drawn the same each time
  --keep FILE      of a survey: keep what comes of each mutant there, and go on where it was cut off
                   (default node_modules/.cache/survey.ndjson)
  --combine N      N combinations of variants in place of mutants (beside all mutants: 6); --clause goes with it
  --help           print this

With --wire the simulator is right, and what it sends is spoilt now and then on its way out, as behind a balancer with one bad
node. The checks are made as they are at a sandbox: 10 cases, failures repeated. Ends with 1 where something wrong went out and
the run did not fail for it by a clause that it breaks.

  --trace FILE     change one thing at a time in the trace of a conformant run, and judge it: no server is needed
  --wire           wires in place of mutants
  --breach NAME    only this breach (repeatable)
  --rate PERCENT   how often it happens (repeatable; default 10)
  --nodes N        in place of a rate: one node of N is broken, by turns and drawn (repeatable)
  --seeds N        so many runs of each (default 1)
  --whole          judge all clauses, not only those of the topics that a breach is met in`;

const options = {
  clause: { type: 'string', multiple: true },
  mutant: { type: 'string', multiple: true },
  survey: { type: 'boolean' },
  sample: { type: 'string' },
  keep: { type: 'string' },
  combine: { type: 'string' },
  trace: { type: 'string' },
  wire: { type: 'boolean' },
  breach: { type: 'string', multiple: true },
  rate: { type: 'string', multiple: true },
  nodes: { type: 'string', multiple: true },
  seeds: { type: 'string' },
  whole: { type: 'boolean' },
} as const;

const parse = (words: readonly string[]) => parseArgs({ args: [...words], options, allowPositionals: false });

/** Reads the command line. Throws an ArgumentError that names the option, and for a name that is none the nearest. */
export function readMutantsArguments(words: readonly string[]): MutantsAsked {
  const {
    survey = false,
    wire = false,
    whole = false,
    seeds,
    trace,
    combine,
    sample,
    keep,
    ...named
  } = parsedOrRefused(() => parse(words), 'npm run mutants -- --help lists the options').values;
  const { clause = [], mutant = [], breach = [], rate = [], nodes = [] } = named;
  const ofWire = breach.length + rate.length + nodes.length > 0 || seeds !== undefined || whole;
  const ofMutants = clause.length + mutant.length > 0 || survey;
  if (ofWire && !wire) throw new ArgumentError('--breach, --rate, --nodes, --seeds and --whole go with --wire');
  if (ofMutants && wire)
    throw new ArgumentError('--clause, --mutant and --survey ask for mutants: they go without --wire');
  if (rate.length > 0 && nodes.length > 0)
    throw new ArgumentError('--nodes takes the place of --rate: give one of them');
  if (!survey && (sample !== undefined || keep !== undefined))
    throw new ArgumentError('--sample and --keep go with --survey');
  if (combine !== undefined && (mutant.length > 0 || survey || wire || trace !== undefined))
    throw new ArgumentError('--combine takes the place of --mutant, --survey, --wire and --trace');
  refuseUnknown('--clause', clause, catalogue.filter(isJudged), 'judged clause');
  refuseUnknown('--mutant', mutant, [...mutants, ...variants], 'mutant');
  refuseUnknown('--breach', breach, breaches, 'breach');
  if (!chosenAny(clause, mutant)) throw new ArgumentError('--mutant breaks none of the clauses that --clause names');
  if (trace !== undefined && (ofWire || ofMutants || wire))
    throw new ArgumentError('--trace changes what a run has taken down: it goes alone');
  const combinations = combine === undefined ? 0 : Math.floor(numberOf('--combine', combine, 1, 1000));
  const surveyed = {
    file: keep ?? 'node_modules/.cache/survey.ndjson',
    ...(sample === undefined ? {} : { sample: Math.floor(numberOf('--sample', sample, 1, 10_000)) }),
  };
  const judging = { clauses: clause, mutants: mutant, combinations, ...(survey ? { survey: surveyed } : {}) };
  const asked = { ...judging, ...(trace === undefined ? {} : { trace }) };
  if (!wire) return asked;
  const rates = rate.map((text) => numberOf('--rate', text, 0.1, 100));
  const ofNodes = nodes.map((text) => numberOf('--nodes', text, 2, 16));
  return {
    ...asked,
    wire: {
      breaches: breach,
      rates: rates.length + ofNodes.length === 0 ? [10] : rates,
      nodes: ofNodes,
      seeds: Math.floor(numberOf('--seeds', seeds ?? '1', 1, 1000)),
      isWhole: whole,
    },
  };
}

/** Whether a mutant that is named breaks a clause that is; a variant keeps them all. */
function chosenAny(clauses: readonly string[], names: readonly string[]): boolean {
  if (clauses.length === 0 || names.length === 0) return true;
  const isMeant = ({ id, breaks }: Mutant): boolean =>
    names.includes(id) && breaks.some((own) => clauses.includes(own));
  return mutants.some(isMeant) || variants.some(({ id }) => names.includes(id));
}

function refuseUnknown(option: string, words: readonly string[], known: readonly { id: string }[], kind: string): void {
  const ids = known.map(({ id }) => id);
  const printedBy =
    option === '--clause' ? undefined : 'each is named by its topic and what is wrong: see the folder mutants/';
  for (const word of words) if (!ids.includes(word)) throw unknown(option, word, ids, kind, printedBy);
}

function numberOf(option: string, text: string, least: number, most: number): number {
  const number = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && number >= least && number <= most) return number;
  throw new ArgumentError(`${option} takes a number from ${least} to ${most}, not ${text}`);
}
