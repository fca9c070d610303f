import { describe, expect, test } from 'vitest';
import { comparisonLines, compareResults } from './compare.ts';
import { ctrfReport } from './ctrf.ts';
import { failureLines } from './test-cases.ts';
import { historyLineOf, historyLines } from './history.ts';
import { htmlReport } from './html.ts';
import { errorResults } from './judge.ts';
import { junitReport } from './junit.ts';
import { languages, type Language } from './language.ts';
import { summaryMarkdown } from './markdown.ts';
import { modelOf, type ReportModel } from './model.ts';
import { summaryLines } from './terminal.ts';
import { sampleFacts, sampleResults } from './testing/sample-run.ts';
import { rightModel, toldModel } from './testing/told-run.ts';
import { badgeOf } from './write.ts';

const error = errorResults(sampleFacts, 'GET /: ECONNREFUSED.\n', 'network');

const runs: Readonly<Record<string, ReportModel>> = {
  everything: toldModel(),
  right: rightModel(),
  error: modelOf(error, { baseline: sampleResults() }),
};

/** All that is told of a run as text, one after another. */
function textsOf(model: ReportModel): string {
  const { results, baseline } = model;
  const spoken = (language: Language): [string, string][] => [
    [`terminal ${language}`, summaryLines(model, { colour: language === 'en', language }).join('\n')],
    [
      `failures ${language}`,
      results.clauses
        .flatMap((clause) =>
          clause.checks
            .filter(({ state }) => state === 'failed')
            .flatMap((check) => failureLines(clause, check, { language, say: model.say[language] })),
        )
        .join('\n'),
    ],
    [`summary.md ${language}`, summaryMarkdown(model, language)],
  ];
  const told: [string, string][] = [
    ...languages.flatMap(spoken),
    ['junit.xml', junitReport(model)],
    ['ctrf.json', ctrfReport(model)],
    ['badge.json', JSON.stringify(badgeOf(model), null, 2)],
    ['history', historyLines({ runs: [historyLineOf(results, '0.1.0')], unreadable: 1 }, 9).join('\n')],
    ['compare', baseline ? comparisonLines(compareResults(baseline, results)).join('\n') : ''],
  ];
  return told.map(([name, text]) => `=== ${name}\n${text}\n`).join('');
}

/** What a reader of the page reads: English, with Portuguese behind it in angles, what is marked in brackets, a block a line. */
function pageOf(model: ReportModel): string {
  return htmlReport(model, { secretsSought: 9 })
    .replace(/^.*<body[^>]*>/s, '')
    .replaceAll(/import \{ createHash.*?<\/pre>/gs, '…</pre>')
    .replaceAll(/<span lang="pt-BR">(.*?)<\/span>/gs, ' ‹$1›')
    .replaceAll(/<\/?mark>/g, '|')
    .replaceAll(/<(?:\/(?:p|h\d|li|tr|dt|dd|pre|summary|div|th)|br)[^>]*>/g, '\n')
    .replaceAll(/<\/td>/g, ' | ')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/\s*\n\s*/g, '\n');
}

/**
 * Whoever changes what a report says sees it here, word by word: `npx vitest run --project unit reports/told.test.ts -u` writes
 * the files anew, to be read before they are committed.
 */
describe.each(Object.keys(runs))('of a run with %s', (name) => {
  const model = runs[name] ?? rightModel();

  test('every report says what it said', async () => {
    await expect(textsOf(model)).toMatchFileSnapshot(`testing/told/${name}.txt`);
  });

  test('the page says what it said', async () => {
    await expect(pageOf(model)).toMatchFileSnapshot(`testing/told/${name}.page.txt`);
  });
});
