import { parsedOrRefused, ArgumentError } from './argument-error.ts';
import { parseArgs } from 'node:util';
import type { Bound } from '../../judge/rate.ts';
import type { CheckName } from '../../targets/address.ts';
import { catalogue, findClause, isJudged, topicOf, topics } from '../../contract/catalogue.ts';
import type { Clause, NeedName } from '../../contract/clause.ts';
import { nearest } from '../settings/settings.ts';

/** What the command line asks for. */
export interface Arguments {
  readonly list: boolean;
  readonly plan: boolean;
  readonly explain?: string;
  readonly clauses: readonly string[];
  readonly topics: readonly string[];
  readonly check?: string;
  /** A results file, whose findings are repeated. */
  readonly repeat?: string;
  /** The checks that are made, where neither all of a clause are nor that of one title. */
  readonly checks?: readonly CheckName[];
  /** What those checks stand on, though their clauses do not need it. */
  readonly needs?: readonly NeedName[];
  readonly seed?: number;
  readonly path?: string;
  /** Folder of a receiver, whose deliveries are judged too. */
  readonly received?: string;
  /** A trace of a run, which is judged again. */
  readonly judge?: string;
  /** Most requests that the run sends. */
  readonly budget?: number;
  /** How sure the run is to be of each must clause that passes. */
  readonly bound?: Bound;
  /** The part of the clauses that this run judges. */
  readonly shard?: Shard;
}

const options = {
  list: { type: 'boolean' },
  plan: { type: 'boolean' },
  explain: { type: 'string' },
  clause: { type: 'string', multiple: true },
  topic: { type: 'string', multiple: true },
  check: { type: 'string' },
  seed: { type: 'string' },
  path: { type: 'string' },
  received: { type: 'string' },
  judge: { type: 'string' },
  repeat: { type: 'string' },
  shard: { type: 'string' },
  budget: { type: 'string' },
  'first-look': { type: 'boolean' },
  'at-most': { type: 'string' },
  confidence: { type: 'string' },
} as const;

/** What `--help` prints. */
export const usage = `npm test -- [options]

  --list           print the clauses: id, section, level, what they need; with --topic or --clause these only
  --explain ID     print one clause in full
  --plan           print what the run would send and leave behind, and what saves which; nothing is sent
  --clause ID      run the checks of this clause only (repeatable)
  --topic TOPIC    run the checks of this topic only (repeatable)
  --check TITLE    of those, run the check of this title only
  --seed N         seed of every generator
  --path P         repeat the case that a failing property ended with; needs --seed and --clause
  --received DIR   judge the deliveries, too, that npm run receiver stored in this folder
  --repeat FILE    repeat the findings of a results.json: is each REPRODUCED, FIXED or CHANGED
  --judge FILE     judge the run again whose trace.ndjson.gz this is: without a target, into the folder judged
  --budget N       send at most N requests, those first that tell most; the report says what they did not buy
  --first-look     the same with 150 requests: half a minute at 5 a second
  --at-most RATE   go on until each must clause that passes was seen so often that a higher rate of wrong answers is excluded,
                   0.05 for one in 20, as far as the budget reaches
  --confidence P   and so surely: 0.95 unless told
  --shard I/N      judge the I-th of N parts of the clauses; npm run report puts the parts together
  --help           print this

What --check, --path and --repeat repeat goes to the folder repeat below that of the reports, unless the environment of the command
has NFE_REPORT_DIR.

Settings are read from .env and the environment; .env.example lists them.`;

/** What helps where a command line can't be followed: a topic, or a clause, stands behind its option. */
function adviceOn(words: readonly string[]): string {
  const bare = words.filter((word, at) => !word.startsWith('-') && !words[at - 1]?.startsWith('-'));
  const topic = bare.find((word) => topics.some((one) => one === word));
  const clause = bare.find((word) => findClause(word) !== undefined);
  if (topic !== undefined) return `say npm test -- --topic ${topic}`;
  return clause === undefined ? 'npm test -- --help lists the options' : `say npm test -- --clause ${clause}`;
}

/** Reads the command line. Throws an ArgumentError that names the option. */
export function readArguments(words: readonly string[]): Arguments {
  const { values } = parsedOrRefused(() => parse(words), adviceOn(words));
  const {
    explain,
    check,
    seed,
    path,
    received,
    judge,
    repeat,
    shard,
    budget,
    'first-look': isFirstLook = false,
    'at-most': atMost,
    confidence,
    list = false,
    plan = false,
    clause: clauses = [],
    topic: topics = [],
  } = values;
  if (path !== undefined && (seed === undefined || clauses.length === 0)) {
    throw new ArgumentError('--path repeats a case of one property: it takes --seed and --clause beside it');
  }
  if (path !== undefined && !/^\d+(:\d+)*(\/[\w+:/=]+)?$/.test(path)) {
    throw new ArgumentError(`--path takes what a report says after --path, such as 0:2, not ${path}`);
  }
  if (shard !== undefined && (check !== undefined || path !== undefined)) {
    throw new ArgumentError('--shard divides the clauses of a run: it goes with neither --check nor --path');
  }
  const isAlone = Object.keys(values).length === 1;
  if (judge !== undefined && !isAlone)
    throw new ArgumentError('--judge judges a whole run again, as its trace tells it: it goes alone');
  if (repeat !== undefined && !isAlone)
    throw new ArgumentError('--repeat takes clauses, checks and seed from its file: it goes alone');
  if (confidence !== undefined && atMost === undefined)
    throw new ArgumentError('--confidence says how surely a rate is excluded: it takes --at-most beside it');
  if (atMost !== undefined && (path !== undefined || shard !== undefined))
    throw new ArgumentError('--at-most goes on where a whole run would end: it goes with neither --path nor --shard');
  if (isFirstLook && budget !== undefined)
    throw new ArgumentError(`--first-look is --budget ${firstLook}: give one of them`);
  return {
    list,
    plan,
    clauses,
    topics,
    ...(explain === undefined ? {} : { explain }),
    ...(check === undefined ? {} : { check }),
    ...(seed === undefined ? {} : { seed: seedOf(seed) }),
    ...(path === undefined ? {} : { path }),
    ...(received === undefined ? {} : { received }),
    ...(judge === undefined ? {} : { judge }),
    ...(repeat === undefined ? {} : { repeat }),
    ...(shard === undefined ? {} : { shard: readShard(shard) }),
    ...(isFirstLook ? { budget: firstLook } : {}),
    ...(budget === undefined ? {} : { budget: budgetOf(budget) }),
    ...(atMost === undefined ? {} : { bound: boundOf(atMost, confidence) }),
  };
}

/** Whether some checks alone are to be made, or one case: such a run repeats what an earlier one told of. */
export function isRepetition({ check, checks, path }: Arguments): boolean {
  return check !== undefined || checks !== undefined || path !== undefined;
}

/** The checks that are asked for by name, as a run is told of them; nothing where none is. */
export function checksOf({ clauses, check, checks }: Arguments): { readonly checks?: readonly CheckName[] } {
  if (checks) return { checks };
  return check === undefined ? {} : { checks: clauses.map((clause) => ({ clause, check })) };
}

const parse = (words: readonly string[]) => parseArgs({ args: [...words], options, allowPositionals: false });

/** Requests of a first look. */
const firstLook = 150;
/** Fewer are not enough for what a run asks before its first check. */
const leastBudget = 50;

function budgetOf(text: string): number {
  if (/^\d{1,9}$/.test(text) && Number(text) >= leastBudget) return Number(text);
  throw new ArgumentError(`--budget takes a number of requests, ${leastBudget} or more, not ${text}`);
}

/** Lower rates take more requests than any run sends, and higher ones say nothing. */
const [lowestRate, highestRate] = [0.001, 0.5];
const [leastSure, surest] = [0.5, 0.999];

function boundOf(atMost: string, confidence = '0.95'): Bound {
  return {
    atMost: shareOf('--at-most', atMost, lowestRate, highestRate),
    confidence: shareOf('--confidence', confidence, leastSure, surest),
  };
}

function shareOf(option: string, text: string, least: number, most: number): number {
  const share = Number(text);
  if (/^\d*\.\d+$/.test(text) && share >= least && share <= most) return share;
  throw new ArgumentError(`${option} takes a number from ${least} to ${most}, such as 0.05, not ${text}`);
}

function seedOf(text: string): number {
  const seed = Number(text);
  if (/^-?\d{1,10}$/.test(text) && Number.isInteger(seed) && Math.abs(seed) <= 2 ** 31 - 1) return seed;
  throw new ArgumentError(`--seed takes an integer of 32 bits, not ${text}`);
}

/** The clauses that `--clause` and `--topic` name; all of them where neither is given. Throws an ArgumentError for an unknown name. */
export function namedClauses({ clauses, topics: wanted }: Arguments): readonly Clause[] {
  const ids = catalogue.map(({ id }) => id);
  for (const id of clauses) if (!ids.includes(id)) throw unknown('--clause', id, ids, 'clause');
  for (const topic of wanted) if (!topics.includes(topic)) throw unknown('--topic', topic, topics, 'topic');
  const isWanted = ({ id }: Clause): boolean => clauses.includes(id) || wanted.includes(topicOf(id));
  return clauses.length + wanted.length === 0 ? catalogue : catalogue.filter(isWanted);
}

/** The clauses that a run judges, whatever the filters leave. Throws an ArgumentError where a filter matches nothing. */
export function selectClauses(asked: Arguments): readonly Clause[] {
  const { clauses, topics: wanted, check, shard } = asked;
  const selected = namedClauses(asked);
  if (!selected.some(isJudged)) {
    throw new ArgumentError(`no check judges ${selected.map(({ id }) => id).join(', ')}: --explain says why`);
  }
  if (check !== undefined && (clauses.length !== 1 || wanted.length > 0)) {
    throw new ArgumentError('--check names a check of one clause: it takes one --clause beside it');
  }
  return shard === undefined ? selected : clausesOfShard(selected, shard);
}

/** The filter in words, for the results; `undefined` for a whole run. */
export function filterText({ clauses, topics: wanted, check, path, shard, repeat }: Arguments): string | undefined {
  if (repeat !== undefined) return '--repeat';
  const words = [
    ...clauses.map((id) => `--clause ${id}`),
    ...wanted.map((topic) => `--topic ${topic}`),
    ...(check === undefined ? [] : [`--check "${check}"`]),
    ...(path === undefined ? [] : [`--path ${path}`]),
    ...(shard === undefined ? [] : [`--shard ${shardText(shard)}`]),
  ];
  return words.length === 0 ? undefined : words.join(' ');
}

/** The clause of that id. Throws an ArgumentError that proposes the nearest. */
export function clauseToExplain(id: string): Clause {
  const ids = catalogue.map((clause) => clause.id);
  const clause = findClause(id);
  if (!clause) throw unknown('--explain', id, ids, 'clause');
  return clause;
}

/** The error for a word that is none of those known; it proposes the nearest of them, or says what prints them. */
export function unknown(
  option: string,
  word: string,
  known: readonly string[],
  kind: string,
  printedBy = 'npm test -- --list prints them',
): ArgumentError {
  const proposal = nearest(word, known, Math.ceil(word.length / 3));
  const hint = proposal === undefined ? printedBy : `did you mean ${proposal}?`;
  return new ArgumentError(`${option} ${word}: no ${kind} is called that; ${hint}`);
}

/** One of the parts that a run is divided into: `index` counts from 1 to `count`. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

const mostShards = 100;

/** Reads what `--shard` takes, such as `1/4`. Throws an ArgumentError for anything else. */
export function readShard(text: string): Shard {
  const [index, count] = (/^(\d{1,3})\/(\d{1,3})$/.exec(text)?.slice(1) ?? []).map(Number);
  if (index === undefined || count === undefined) {
    throw new ArgumentError(`--shard takes a part and the number of parts, such as 1/4, not ${text}`);
  }
  if (count < 1 || count > mostShards) throw new ArgumentError(`--shard ${text}: a run has 1 to ${mostShards} parts`);
  if (index < 1 || index > count) throw new ArgumentError(`--shard ${text}: the part is one of 1 to ${count}`);
  return { index, count };
}

/** A shard as the command line has it. */
export function shardText({ index, count }: Shard): string {
  return `${index}/${count}`;
}

/**
 * The clauses of one shard. Judged clauses are dealt like cards, so that those of a costly topic lie in all shards; what no
 * run judges is listed by the first shard. Throws an ArgumentError where there are fewer judged clauses than shards.
 */
export function clausesOfShard(clauses: readonly Clause[], shard: Shard): readonly Clause[] {
  const judged = clauses.filter(isJudged);
  if (judged.length < shard.count) {
    const most = `only ${judged.length} of the clauses asked for can be judged, so ask for at most so many parts`;
    throw new ArgumentError(`--shard ${shardText(shard)}: ${most}`);
  }
  const dealt = new Set(judged.filter((_, position) => position % shard.count === shard.index - 1));
  return clauses.filter((clause) => dealt.has(clause) || (shard.index === 1 && !isJudged(clause)));
}
