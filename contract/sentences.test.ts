import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { catalogue, findClause } from './catalogue.ts';
import { contractSentences, sentencesOf, type Sentence } from './sentences.ts';

/** Where the contract's text lies, for who has it: the project stands without. */
const textFile = process.env['CONTRACT_TEXT'];

describe('the sentences of the contract', () => {
  test('each have the hash of their words', () => {
    const hashed = contractSentences.map(({ sentence }) => createHash('sha256').update(sentence).digest('hex'));
    expect(contractSentences.map(({ sha256 }) => sha256)).toEqual(hashed);
  });

  test('name no clause that the catalogue lacks', () => {
    const named = contractSentences.flatMap(({ clauses }) => clauses);
    expect(named.filter((id) => findClause(id) === undefined)).toEqual([]);
  });

  test.each(catalogue)('say what $id stands for, in the section that it names', (clause) => {
    expect(sentencesOf(clause)[0]?.section).toBe(clause.section);
  });

  test.skipIf(textFile === undefined)('are those of the text (CONTRACT_TEXT names its file)', () => {
    const stored = contractSentences.map(({ section, sentence }) => ({ section, sentence }));
    expect(stored).toEqual(quotesOf(readFileSync(textFile ?? '', 'utf8')));
  });
});

describe('a text is read', () => {
  const text = `# Title

Said before any section. \`token\` begins a sentence, 4.3 does not end one.

## 5. Authentication

1. A rule. Its second half.
- An item

### 5.1 Headers

| Header | Rule |
|---|---|
| \`sign\` | 32 characters. |
| 401 | 10009000 | Missing. Advised: nothing. | \`{code}\` |
`;

  test('sentence by sentence, each with its section, a row with what it is called', () => {
    expect(quotesOf(text)).toEqual([
      { section: '0', sentence: 'Said before any section.' },
      { section: '0', sentence: '`token` begins a sentence, 4.3 does not end one.' },
      { section: '5', sentence: 'A rule.' },
      { section: '5', sentence: 'Its second half.' },
      { section: '5', sentence: 'An item' },
      { section: '5.1', sentence: '`sign` | 32 characters.' },
      { section: '5.1', sentence: '401 | 10009000 | Missing.' },
      { section: '5.1', sentence: '401 | 10009000 … Advised: nothing.' },
      { section: '5.1', sentence: '401 | 10009000 … `{code}`' },
    ]);
  });
});

type Quote = Pick<Sentence, 'section' | 'sentence'>;

/** Every sentence of the contract's Markdown, in order: of its paragraphs, items of lists and rows of tables; headings and heads of tables say nothing alone. */
function quotesOf(text: string): Quote[] {
  const lines = text.split('\n');
  const headings = lines.map((line) => /^#{2,} (\d+(?:\.\d+)?)/.exec(line)?.[1]);
  return lines.flatMap((line, index) => {
    const section = headings.slice(0, index).findLast((one) => one !== undefined) ?? '0';
    const isHead = line.startsWith('|') && /^\|[-|]+$/.test(lines[index + 1] ?? '');
    return isHead ? [] : sentencesOfLine(line).map((sentence) => ({ section, sentence }));
  });
}

function sentencesOfLine(line: string): string[] {
  if (line.trim() === '' || /^#|^\|[-|]+$/.test(line)) return [];
  if (!line.startsWith('|')) return sentencesIn(line.replace(/^(?:- |\d+\. )/, ''));
  const [first = '', ...rest] = sentencesIn(line.replace(/^\| | \|$/g, ''));
  return [first, ...rest.map((one) => `${nameOfRow(first)} … ${one}`)];
}

/** What a row is called: its first cell, with the code beside it where that is of many. */
function nameOfRow(row: string): string {
  return (/^\d{3} \| \d+/.exec(row) ?? /^[^|]+(?= \|)/.exec(row))?.[0] ?? row;
}

function sentencesIn(text: string): string[] {
  return text.trim().split(/(?<=\.) (?:\| )?(?=[A-Z`])/);
}
