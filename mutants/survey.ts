import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { topicOf } from '../contract/catalogue.ts';
import { findingsOf } from '../reports/findings/findings.ts';
import { jsonIn } from '../trace/exchange.ts';
import { isClauseResult } from '../schemas/stored.ts';
import type { ClauseResult } from '../schemas/results.ts';
import { member } from '../schemas/values.ts';
import { threads } from '../runner/run/vitest.ts';
import { letLoose, type Wish } from './let-loose.ts';
import type { Mutant } from './mutant.ts';
import { troublesOf } from '../reports/troubles.ts';

/** What a run of the whole suite came to for a mutant. */
export interface Surveyed {
  readonly mutant: string;
  readonly clauses: readonly ClauseResult[];
}

/** Mutants whose servers are up at a time. */
const atOnce = 3;

/**
 * Judges all clauses of each mutant, and adds what came of it to a file, a line a mutant; those that the file tells of already are
 * passed over, so that a survey that was cut off goes on.
 */
export async function survey(wishes: readonly Wish[], file: string): Promise<readonly Surveyed[]> {
  // What the checks of some mutants have loaded serves those of the next.
  threads.keep();
  const known = new Set(surveyedIn(file).map(({ mutant }) => mutant));
  const left = wishes.filter(({ id }) => !known.has(id));
  for (let at = 0; at < left.length; at += atOnce) {
    const { results, faults } = await letLoose(left.slice(at, at + atOnce));
    if (faults.length > 0) throw new Error(`the suite broke: ${faults.join(' | ')}`);
    const lines = [...results].map(([mutant, { clauses }]) => JSON.stringify({ mutant, clauses: clauses.map(kept) }));
    appendFileSync(file, lines.map((line) => `${line}\n`).join(''));
    process.stderr.write(`${Math.min(at + atOnce, left.length)} of ${left.length} mutants\n`);
  }
  return surveyedIn(file).filter(({ mutant }) => wishes.some(({ id }) => id === mutant));
}

function surveyedIn(file: string): readonly Surveyed[] {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return text.split('\n').flatMap((line) => {
    const value = line === '' ? undefined : jsonIn(line);
    const [mutant, clauses] = [member(value, 'mutant'), member(value, 'clauses')];
    return typeof mutant === 'string' && Array.isArray(clauses)
      ? [{ mutant, clauses: clauses.filter(isClauseResult) }]
      : [];
  });
}

/** A clause without what findings are not made of. */
function kept(clause: ClauseResult): ClauseResult {
  const checks = clause.verdict === 'passed' ? [] : clause.checks;
  return { ...clause, checks: checks.map((check) => ({ ...check, exchanges: [] })) };
}

/** What is told of a mutant: its findings, and what speaks against their being one that is rightly named. */
interface Row {
  readonly mutant: string;
  readonly findings: number;
  readonly first: string;
  readonly faults: readonly string[];
}

/**
 * The table of a survey in Markdown: how many mutants are told as one finding that is named by a clause which they break, accuse no
 * topic that has nothing to do with it, and blame nobody else; then the exceptions.
 */
export function surveyLines(surveyed: readonly Surveyed[], mutants: readonly Mutant[]): string[] {
  const rows = surveyed.flatMap((one) => {
    const mutant = mutants.find(({ id }) => id === one.mutant);
    return mutant ? [rowOf(one, mutant)] : [];
  });
  const counted = (fault: string): number => rows.filter(({ faults }) => !faults.includes(fault)).length;
  const share = (count: number): string => `${count} of ${rows.length} (${((100 * count) / rows.length).toFixed(1)} %)`;
  const exceptions = rows.filter(({ faults }) => faults.length > 0);
  return [
    '| of the mutants | |',
    '|---|---|',
    ...faultNames.map(([fault, right]) => `| ${right} | ${share(counted(fault))} |`),
    '',
    '| mutant | findings | named by | what is amiss |',
    '|---|---|---|---|',
    ...exceptions.map((row) => `| ${row.mutant} | ${row.findings} | ${row.first} | ${row.faults.join('; ')} |`),
  ];
}

const faultNames = [
  ['not one finding', 'are told as one finding'],
  ['named by another clause', 'are named by a clause that they break'],
  ['other topics', 'break clauses of no topic that stands apart'],
  ['settings or network blamed', 'blame neither settings nor network'],
] as const;

function rowOf({ mutant, clauses }: Surveyed, { breaks }: Mutant): Row {
  const findings = findingsOf(clauses);
  const [first = ''] = findings[0]?.clauses ?? [];
  const isOwn = (id: string): boolean => breaks.some((own) => own === id);
  const apart = findings.filter(
    ({ clauses: ids }) => !ids.some((id) => breaks.some((own) => topicOf(own) === topicOf(id))),
  );
  const blamed = troublesIn(clauses);
  const faults = [
    findings.length === 1 ? undefined : faultNames[0][0],
    isOwn(first) ? undefined : faultNames[1][0],
    apart.length === 0 ? undefined : faultNames[2][0],
    blamed ? faultNames[3][0] : undefined,
  ];
  return { mutant, findings: findings.length, first, faults: faults.filter((fault) => fault !== undefined) };
}

/** Whether somebody else than the target is said to keep clauses from being told: its simulator lacks nothing. */
function troublesIn(clauses: readonly ClauseResult[]): boolean {
  const results = { clauses, verdict: 'nonconformant' } as const;
  return troublesOf(results).some(({ whose, open, openOthers }) => whose !== 'target' && open + openOthers > 0);
}
