import { styleText } from 'node:util';
import type { Results } from '../schemas/results.ts';
import type { Finding } from '../schemas/finding.ts';
import { findingLine, takenSign } from './findings/statement.ts';
import { figure, testedText, utc, type Language, type Speech } from './language.ts';
import { groups, type GroupName, type ReportModel } from './model.ts';
import { summaryWords, type SummaryWords } from './summary-words.ts';
import { clausesText } from './verdicts.ts';
import { shortened, visible } from './visible.ts';

/** So that a summary is read to its end: findings and reasons that it tells, ids in a line, and characters of a text. */
const most = { findings: 20, reasons: 5, ids: 8, text: 200, reason: 80 };

/** How a summary is told. */
interface Telling extends Speech {
  readonly words: SummaryWords;
}

/**
 * The summary of a run for people, of 40 lines at most: what was tested and when, the verdict, a line for each cause of what does not
 * hold, and one for what seems to be behind it, what could not be told, and what holds again since the earlier run.
 */
export function summaryLines(
  model: ReportModel,
  { colour, language = 'en' }: { readonly colour: boolean; readonly language?: Language },
): string[] {
  const { results, told, say } = model;
  const telling = { language, say: say[language], words: summaryWords[language] };
  const { verdict, level, sure, left } = told[language];
  const paint = (name: 'red' | 'yellow' | 'green', text: string): string =>
    colour ? styleText(name, text, { validateStream: false }) : text;
  const sentence = paint(verdictColours[results.verdict], visible(verdict));
  if (model.judgedNothing) return [sentence];
  const blocks = [
    [headLine(results, language), sentence, ...(level === undefined ? [] : [level]), ...sure],
    findingLines(model, telling).map((line) => paint('red', line)),
    [
      ...listed('stale', model, telling),
      ...listed('known', model, telling),
      ...listed('flaky', model, telling),
      ...unjudgedLines('not-exercised', model, telling),
      ...unjudgedLines('withheld', model, telling),
      ...(left === undefined ? [] : [left]),
      ...fixedLines(model, telling),
    ],
  ];
  const texts = blocks.filter((block) => block.length > 0).map((block) => block.join('\n'));
  return texts.join('\n\n').split('\n');
}

/** When the run began, and what was tested by what. */
function headLine(results: Results, language: Language): string {
  return visible(`${utc(results.startedAt)}  ${testedText(results, language)}`);
}

function findingLines({ findings, results }: ReportModel, { words, ...speech }: Telling): string[] {
  const shown = findings.slice(0, most.findings);
  const hasRoom = shown.length * 2 <= most.findings;
  const told = shown.flatMap((finding) => {
    const line = findingLine(finding, results, speech);
    return [visible(line), ...(hasRoom ? diagnosisLine(finding, line, speech) : [])];
  });
  const left = findings.length - shown.length;
  return left === 0 ? told : [...told, words.moreFindings(figure(left, speech.language))];
}

/** What seems to be behind a finding, below its line, unless that tells it. */
function diagnosisLine({ diagnosis }: Finding, line: string, { say }: Speech): string[] {
  if (diagnosis === undefined || takenSign.test(diagnosis)) return [];
  const said = say(shortened(diagnosis.replaceAll(/\s+/g, ' '), most.text));
  return line.includes(said) ? [] : [`    ${visible(said)}`];
}

function listed(name: GroupName, model: ReportModel, { words, language, say }: Telling): string[] {
  const { clauses } = model.groups[name];
  if (clauses.length === 0) return [];
  const named = clauses.map(({ id, verdict, reason }) =>
    reason === undefined || verdict === 'passed' ? id : `${id} (${shortened(say(reason), most.reason)})`,
  );
  return [`${groups[name].title[language]}: ${idsText(named, words, language)}`];
}

function idsText(ids: readonly string[], words: SummaryWords, language: Language): string {
  const told = ids
    .slice(0, most.ids)
    .map((id) => visible(id))
    .join(', ');
  return ids.length <= most.ids ? told : `${told} ${words.andMore(figure(ids.length - most.ids, language))}`;
}

function unjudgedLines(name: GroupName, model: ReportModel, { words, language, say }: Telling): string[] {
  const { clauses, reasons } = model.groups[name];
  if (clauses.length === 0) return [];
  const told = reasons.slice(0, most.reasons).map(({ reason, clauses: own }) => {
    return `  ${figure(own.length, language)}  ${say(visible(shortened(reason, most.text)))}`;
  });
  const left = reasons.slice(most.reasons).reduce((sum, { clauses: own }) => sum + own.length, 0);
  const more = left === 0 ? [] : [`  ${figure(left, language)}  ${words.otherReasons}`];
  return [`${groups[name].title[language]}: ${clausesText(clauses, language)}`, ...told, ...more];
}

function fixedLines({ comparison }: ReportModel, { words, language }: Telling): string[] {
  const { earlier, changes } = comparison ?? {};
  if (!earlier || !changes || changes.fixed.length === 0) return [];
  return [`${words.fixedSince(utc(earlier.startedAt))}: ${idsText(changes.fixed, words, language)}`];
}

const verdictColours = {
  conformant: 'green',
  incomplete: 'yellow',
  nonconformant: 'red',
  error: 'red',
} as const satisfies Record<Results['verdict'], string>;
