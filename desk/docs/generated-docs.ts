import { commandsText } from './commands.ts';
import { dependenciesTable } from './dependencies.ts';
import { faultsTable } from './faults-table.ts';
import { levelsTable } from './levels-table.ts';
import { partsPicture } from './parts-picture.ts';
import { needsTable, profileTable } from '../../runner/preflight/clauses.ts';
import { readingsText } from './readings-text.ts';
import { settingsText } from './settings-text.ts';

/** A part of a document that is made, not written: it stands between `<!-- name -->` and `<!-- /name -->`. */
interface GeneratedPart {
  readonly file: string;
  readonly name: string;
  readonly text: () => string;
}

/** Every generated part of every document. */
export const generatedParts: readonly GeneratedPart[] = [
  { file: 'docs/settings.md', name: 'settings', text: settingsText },
  { file: 'docs/settings.md', name: 'needs', text: needsTable },
  { file: 'docs/profile.md', name: 'profile', text: profileTable },
  { file: 'docs/verdicts.md', name: 'levels', text: levelsTable },
  { file: 'docs/readings.md', name: 'readings', text: readingsText },
  { file: 'docs/simulator.md', name: 'faults', text: faultsTable },
  { file: 'docs/dependencies.md', name: 'dependencies', text: dependenciesTable },
  { file: 'docs/architecture.md', name: 'parts', text: partsPicture },
  { file: 'docs/commands.md', name: 'commands', text: commandsText },
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
