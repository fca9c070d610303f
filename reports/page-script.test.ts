import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { pageScript, scriptHash, scriptText } from './page-script.ts';

const script = await pageScript();

test('the script is one text that a page can hold', () => {
  expect(script).toMatch(/^\(function\(\)\{.*\}\)\(\);$/s);
  expect(script).not.toMatch(/<\/script|<!--|\bimport\b|\brequire\(/i);
  expect(script.length).toBeLessThan(40_000);
});

test('two bundles of the same sources are the same', async () => {
  expect(await pageScript()).toBe(script);
});

test.each(['</script>', '</SCRIPT x', '<!--', '<script', '\r'])('a script with %j in it is refused', (trap) => {
  expect(() => scriptText(`f(\`${trap}\`)`)).toThrow(/which a page can't hold/);
});

test('the hash is that of the bytes of the script', () => {
  const bytes = Buffer.from('f("ç")', 'utf8');
  expect(scriptHash('f("ç")')).toBe(`sha256-${createHash('sha256').update(bytes).digest('base64')}`);
});
