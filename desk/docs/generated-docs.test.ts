import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { generatedParts, withGenerated } from './generated-docs.ts';

test.each([...new Set(generatedParts.map(({ file }) => file))])('%s is as `npm run docs` writes it', (file) => {
  const text = readFileSync(file, 'utf8');
  expect(withGenerated(file, text)).toBe(text);
});

test('a document without a place for what is generated is an error that names both', () => {
  expect(() => withGenerated('docs/profile.md', 'no place')).toThrow(/docs\/profile\.md has no place for profile/);
});
