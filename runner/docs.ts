import { readFileSync, writeFileSync } from 'node:fs';
import { generatedParts, withGenerated } from './generated-docs.ts';

/** `npm run docs`: writes the parts of the documents that the catalogue and the settings decide anew. */
for (const file of new Set(generatedParts.map((part) => part.file))) {
  const text = readFileSync(file, 'utf8');
  const renewed = withGenerated(file, text);
  if (renewed !== text) writeFileSync(file, renewed);
  process.stdout.write(`${file}: ${renewed === text ? 'as it was' : 'renewed'}\n`);
}
