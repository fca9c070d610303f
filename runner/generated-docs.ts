import { levelsTable } from './levels-table.ts';
import { needsTable, profileTable } from './needs-table.ts';

/** A part of a document that is made, not written: it stands between `<!-- name -->` and `<!-- /name -->`. */
interface GeneratedPart {
  readonly file: string;
  readonly name: string;
  readonly text: () => string;
}

/** Every generated part of every document. */
export const generatedParts: readonly GeneratedPart[] = [
  { file: 'README.md', name: 'needs', text: needsTable },
  { file: 'README.md', name: 'profile', text: profileTable },
  { file: 'README.md', name: 'levels', text: levelsTable },
];

/** The text of a document with its generated parts as they are to be. Throws where the place of one is missing. */
export function withGenerated(file: string, text: string): string {
  return generatedParts
    .filter((part) => part.file === file)
    .reduce((whole, part) => {
      const [start, end] = [`<!-- ${part.name} -->`, `<!-- /${part.name} -->`];
      const [from, to] = [whole.indexOf(start), whole.indexOf(end)];
      if (from < 0 || to < from) throw new Error(`${file} has no place for ${part.name}: ${start} … ${end}`);
      return `${whole.slice(0, from + start.length)}\n\n${part.text()}\n\n${whole.slice(to)}`;
    }, text);
}
