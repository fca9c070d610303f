import { readFileSync, writeFileSync } from 'node:fs';
import { ArgumentError } from '../runner/command-line/argument-error.ts';
import { generatedParts, withGenerated } from './docs/generated-docs.ts';

/** What `--help` prints. */
export const usage = `npm run docs

Writes those parts of the documents anew that the catalogue, the settings and the commands decide. They stand between two
comments; a test holds them to what this would write.

  --help   print this`;

/** What `npm run docs` does; gives the exit status. */
export function run(words: readonly string[]): number {
  if (words.length > 0) throw new ArgumentError('npm run docs takes no words');
  for (const file of new Set(generatedParts.map((part) => part.file))) {
    const text = readFileSync(file, 'utf8');
    const renewed = withGenerated(file, text);
    if (renewed !== text) writeFileSync(file, renewed);
    process.stdout.write(`${file}: ${renewed === text ? 'as it was' : 'renewed'}\n`);
  }
  return 0;
}
