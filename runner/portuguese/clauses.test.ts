import { globSync, readFileSync } from 'node:fs';
import { decodeHTML } from 'entities';
import { expect, test } from 'vitest';
import { catalogue, findClause, isJudged } from '../../contract/catalogue.ts';
import { readings } from '../../contract/readings.ts';
import { htmlReport } from '../../reports/html.ts';
import { judge } from '../../reports/judge.ts';
import { summaryMarkdown } from '../../reports/markdown.ts';
import { modelOf, type ReportModel } from '../../reports/model.ts';
import { sampleFacts, sampleFailure, sampleOutcome } from '../../reports/testing/sample-run.ts';
import { costTable } from '../plan/costs.ts';
import clauses from './clauses.pt-BR.json' with { type: 'json' };
import type { ClauseResult } from '../../schemas/results.ts';
import { sayIn } from './in-portuguese.ts';

/** The checks: those that were measured, and those whose titles stand in a spec as they are. */
function allChecks(): { readonly clause: string; readonly title: string }[] {
  const sources = globSync('specs/*.spec.ts').map((file) => readFileSync(file, 'utf8'));
  const written = sources.flatMap((source) =>
    [...source.matchAll(/\(\s*'([\w.-]+)',\s*(['"])(.*?)\2,/g)].map(([, clause, , title]) => `${clause}: ${title}`),
  );
  const keys = [...new Set([...Object.keys(costTable.checks), ...written])];
  return keys
    .map((key) => ({ clause: key.slice(0, key.indexOf(': ')), title: key.slice(key.indexOf(': ') + 2) }))
    .filter(({ clause }) => findClause(clause));
}

const checks = allChecks();

/** What the suite has of its own to say of the contract, by its part of `clauses.pt-BR.json`. */
const english = {
  statements: catalogue.map(({ statement }) => statement),
  checks: checks.map(({ title }) => title),
  readings: readings.map(({ text }) => text),
} satisfies Record<keyof typeof clauses, string[]>;

const sorted = (texts: readonly string[]): string[] => [...new Set(texts)].toSorted();

test.each(['statements', 'checks', 'readings'] as const)('all %s are there in Portuguese, and nothing else', (part) => {
  expect(sorted(Object.keys(clauses[part]))).toEqual(sorted(english[part]));
});

test('names and numbers are the same in both languages, and no word is left as it was', () => {
  const namesIn = (text: string): string => (text.match(/`[^`]*`|\d{3,}/g) ?? []).toSorted().join(' ');
  const pairs = Object.values<Record<string, string>>(clauses).flatMap((texts) => Object.entries(texts));
  const wrong = pairs.filter(([text, said]) => said === text || namesIn(text) !== namesIn(said));
  expect(wrong).toEqual([]);
});

/** A run in which every check of every clause failed. */
function failedRun(): ReportModel {
  const judged = catalogue.filter(isJudged);
  const outcomes = checks
    .filter(({ clause }) => judged.some(({ id }) => id === clause))
    .map(({ clause, title }) => sampleOutcome(clause, { name: title }));
  const run = judge(sampleFacts, catalogue, outcomes);
  const failed = (clause: ClauseResult): ClauseResult => {
    const failures = clause.checks.map((check) => {
      return { ...check, ...sampleFailure, error: { ...sampleFailure.error, title: check.name } };
    });
    return clause.verdict === 'passed' ? { ...clause, verdict: 'failed', checks: failures } : clause;
  };
  return modelOf(
    { ...run, verdict: 'nonconformant', clauses: run.clauses.map(failed) },
    { inPortuguese: sayIn('pt-BR') },
  );
}

const model = failedRun();
const allEnglish = sorted(Object.values(english).flat());

/** The texts of the suite that stand in English in what somebody reads. */
function englishIn(told: string): string[] {
  const plain = decodeHTML(told.replaceAll(/<\/?code>/g, ''));
  return allEnglish.filter((text) => plain.includes(text.replaceAll('`', '')));
}

test('the Portuguese page has none of them in English', () => {
  const page = htmlReport(model);
  expect(englishIn(page).length).toBeGreaterThan(0.9 * allEnglish.length);
  // The contract speaks for itself.
  const inEnglish = /<blockquote>.*?<\/blockquote>|<span lang="en">.*?<\/span>(?=<span lang="pt-BR">)/gs;
  expect(englishIn(page.replaceAll(inEnglish, ''))).toEqual([]);
});

test('neither has the Portuguese summary', () => {
  expect(englishIn(summaryMarkdown(model)).length).toBeGreaterThan(50);
  expect(englishIn(summaryMarkdown(model, 'pt-BR'))).toEqual([]);
});
