import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { maskFor } from '../../trace/mask.ts';
import { secretMatcher, soughtOf } from '../../trace/secrets/matcher.ts';
import { sampleResults } from '../../reports/testing/sample-run.ts';
import { copyResults } from './copied-results.ts';
import { newFolder } from '../testing/folders.ts';

/** The copy of a text that such secrets are sought in, and what stands for those that were missed. */
function copied(text: string, secrets: Record<string, string>, common: readonly string[] = []) {
  const folder = newFolder();
  const [from, to] = [join(folder, 'from.json'), join(folder, 'to.json')];
  writeFileSync(from, text);
  const named = new Map(Object.entries(secrets));
  const search = named.size === 0 ? undefined : secretMatcher(soughtOf(named), { common, isCommonSpared: true });
  const stands = copyResults(from, to, maskFor(named), search);
  return { stands, text: readFileSync(to, 'utf8') };
}

describe('a copy of results', () => {
  const results = { ...sampleResults(), filter: '--clause "s3cr3t-key"' };
  const inClause = JSON.stringify(results.clauses).match(/TICKET-12/g) ?? [];

  test.each([
    ['no secret is known', {}],
    ['a secret is known that is not in it', { elsewhere: '$NFE_APP_SECRET' }],
  ])('has every byte of the file where %s', (_, secrets) => {
    for (const indent of [0, 2]) {
      const text = `${JSON.stringify(results, null, indent)}\n`;
      expect(copied(text, secrets)).toEqual({ stands: [], text });
    }
  });

  test('has what stands for a secret in its place, in a clause and around them', () => {
    const text = JSON.stringify(results, null, 2);
    const copy = copied(text, { 's3cr3t-key': '$NFE_APP_SECRET', 'TICKET-12': '$NFE_CONTROL_TOKEN' });
    expect(inClause.length).toBeGreaterThan(0);
    expect(copy.stands).toEqual([]);
    expect(copy.text).toBe(
      text.replaceAll('s3cr3t-key', '$NFE_APP_SECRET').replaceAll('TICKET-12', '$NFE_CONTROL_TOKEN'),
    );
  });

  test('has the names, the numbers and the own words of the file where a secret is like them', () => {
    const more = { ...results, filter: 'statement conformant 12345 "startedAt": "exchanges"' };
    const words = ['statement', 'startedAt', 'exchanges', 'conformant', '12345', 'nfe-conformance', 'nonconformant'];
    for (const indent of [0, 2]) {
      const text = JSON.stringify(more, null, indent);
      const copy = copied(text, Object.fromEntries(words.map((word) => [word, '$SECRET'])), words);
      expect(JSON.parse(copy.text)).toEqual({ ...more, filter: '$SECRET $SECRET $SECRET "$SECRET": "$SECRET"' });
    }
  });

  test('names the stand of a secret that the mask does not look at, and has it replaced there, too', () => {
    const text = JSON.stringify({ ...results, startedAt: 's3cr3t-time' });
    const copy = copied(text, { 's3cr3t-time': '$NFE_APP_SECRET' });
    expect(copy).toEqual({ stands: ['$NFE_APP_SECRET'], text: text.replace('s3cr3t-time', '$NFE_APP_SECRET') });
  });
});
