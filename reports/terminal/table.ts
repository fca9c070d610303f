import type { Results } from '../../schemas/results.ts';
import { figure } from '../figures.ts';
import type { Language } from '../language.ts';
import { summaryWords } from './words.ts';
import { byTopic, totalsOf, type TopicSummary } from '../grouping.ts';
import { verdictLooks, type Counts } from '../verdicts.ts';
import { visible } from '../visible.ts';

/** Colours a piece of text, or leaves it as it is. */
export type Paint = (colour: 'red' | 'yellow' | 'green' | 'dim' | 'bold', text: string) => string;

function headingsIn(language: Language): string[] {
  const { topic, checks, cases } = summaryWords[language].columns;
  return [topic, ...verdictLooks.map((look) => (language === 'en' ? look.word : look.portuguese)), checks, cases];
}

const colours: Partial<Record<keyof Counts, 'red' | 'yellow'>> = {
  failed: 'red',
  known: 'yellow',
  warned: 'yellow',
  notExercised: 'yellow',
};

/** A table of the topics of a run with rows for the whole; no lines where no clause was judged. */
export function topicTable(results: Results, paint: Paint, language: Language): string[] {
  if (results.clauses.length === 0) return [];
  const topics = byTopic(results.clauses);
  const summaries = [...topics, ...totalsOf(results.clauses)];
  const headings = headingsIn(language);
  const rows = summaries.map((summary) => cellsOf(summary, language));
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string[] =>
    cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)));
  const rule = '─'.repeat(widths.reduce((sum, width) => sum + width + 2, -2));
  const body = rows.map((row, index) => coloured(line(row), summaries[index]?.counts, paint));
  const [ofTopics, totals] = [body.slice(0, topics.length), body.slice(topics.length)];
  return [paint('dim', line(headings).join('  ')), ...ofTopics, paint('dim', rule), ...totals];
}

function cellsOf(summary: TopicSummary, language: Language): string[] {
  const counts = verdictLooks.map((look) => summary.counts[look.count]);
  const numbers = [...counts, summary.checks, summary.cases];
  const name = summaryWords[language].totals.get(summary.topic) ?? summary.topic;
  return [visible(name), ...numbers.map((number) => (number === 0 ? '·' : figure(number, language)))];
}

function coloured(cells: readonly string[], counts: Counts | undefined, paint: Paint): string {
  const painted = cells.map((cell, column) => {
    const look = verdictLooks[column - 1];
    const colour = look && colours[look.count];
    return look && colour && counts?.[look.count] ? paint(colour, cell) : cell;
  });
  return painted.join('  ');
}
