import { readFileSync, writeFileSync } from 'node:fs';
import { ArgumentError } from './argument-error.ts';
import { runCommand } from './command.ts';
import { generatedParts, withGenerated } from './generated-docs.ts';

const usage = `npm run docs

Writes those parts of the documents anew that the catalogue, the settings and the commands decide. They stand between two
comments; a test holds them to what this would write.

  --help   print this`;

/** What `npm run docs` does; gives the exit status. */
function main(words: readonly string[]): number {
  if (words.length === 1 && words[0] === '--help') {
    process.stdout.write(`${usage}\n`);
    return 0;
  }
  if (words.length > 0) throw new ArgumentError('npm run docs takes --help and nothing else');
  for (const file of new Set(generatedParts.map((part) => part.file))) {
    const text = readFileSync(file, 'utf8');
    const renewed = withGenerated(file, text);
    if (renewed !== text) writeFileSync(file, renewed);
    process.stdout.write(`${file}: ${renewed === text ? 'as it was' : 'renewed'}\n`);
  }
  return 0;
}

await runCommand(main);
