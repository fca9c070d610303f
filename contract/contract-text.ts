/** A sentence of the contract's text, in its own words, and the section that says it. */
export interface Quote {
  readonly section: string;
  /** Of a table's row its cells, parted by bars; what stands in a row after its first sentence begins with the row's name and `…`. */
  readonly sentence: string;
}

/** Every sentence of the contract's Markdown, in order: of its paragraphs, items of lists and rows of tables; headings and heads of tables say nothing alone. */
export function quotesOf(text: string): Quote[] {
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
