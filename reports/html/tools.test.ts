import { expect, test } from 'vitest';
import { sampleResults } from '../testing/sample-run.ts';
import { filterTools, switches } from './tools.ts';

const filter = filterTools(sampleResults()).html;

test('the filter offers the verdicts, levels and topics that the run has, and no others', () => {
  const values = (name: string): string[] =>
    [...filter.matchAll(new RegExp(`name="${name}" value="([^"]*)"`, 'g'))].map(([, value = '']) => value);
  expect(values('verdict')).toEqual([
    'passed',
    'failed',
    'known',
    'warned',
    'not-exercised',
    'withheld',
    'unobservable',
  ]);
  expect(values('level')).toEqual(['must', 'implied']);
  expect([...filter.matchAll(/<option value="([^"]*)"/g)].map(([, value]) => value)).toEqual(
    expect.arrayContaining(['', 'echo', 'retirement']),
  );
});

test('the tools are hidden until a script shows them, and every label is there in both languages', () => {
  for (const html of [switches().html, filter]) {
    expect(html).toMatch(/^<div class="tools [^>]* hidden>/);
    const english = html.match(/<span class="said"><span lang="en">/g) ?? [];
    expect(english.length).toBeGreaterThan(1);
    expect(html.match(/<\/span><span lang="pt-BR">/g)).toHaveLength(english.length);
  }
});
