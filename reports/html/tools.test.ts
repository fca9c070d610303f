import { expect, test } from 'vitest';
import { errorResults } from '../judge.ts';
import { sampleExchange, sampleFacts, sampleResults } from '../sample-run.ts';
import { dialogs } from './dialogs.ts';
import { checksumTool, filterTools, switches } from './tools.ts';

const filter = filterTools(sampleResults()).html;
const bar = switches(sampleResults()).html;

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
  const results = sampleResults();
  const clauses = results.clauses.filter(({ verdict }) => verdict !== 'known');
  expect(filterTools({ ...results, clauses }).html).not.toContain('value="known"');
});

test('the tools are hidden until a script shows them', () => {
  for (const html of [bar, filter]) expect(html).toMatch(/^<div class="tools [^>]* hidden>/);
  expect(dialogs().html).not.toMatch(/<dialog[^>]* open/);
});

test('every label is there in both languages', () => {
  for (const html of [bar, filter, dialogs().html]) {
    const english = html.match(/<span class="said"><span lang="en">/g) ?? [];
    expect(english.length).toBeGreaterThan(3);
    expect(html.match(/<\/span><span lang="pt-BR">/g)).toHaveLength(english.length);
  }
});

test('a run that ended in an error has no exchanges to unfold', () => {
  const html = switches(errorResults(sampleFacts, 'ECONNREFUSED', 'network')).html;
  expect(html).not.toContain('class="unfold"');
  expect(html).toContain('class="language"');
});

test('a request is recomputed as MD5, a delivery as HMAC, by the signature that each carried', () => {
  const request = sampleExchange();
  expect(checksumTool(request)?.html).toContain('data-scheme="md5" data-signature="9f3c5d0e7a1b2c3d4e5f60718293a4b5"');
  const headers = [
    ['Sign', 'x'],
    ['X-Service-Signature', 'ab12'],
  ];
  const delivery = { ...request, request: { ...request.request, headers }, received: true as const };
  expect(checksumTool(delivery)?.html).toContain('data-scheme="hmac-sha256" data-signature="ab12"');
});

test('an exchange without a signature or without a string to sign has nothing to recompute', () => {
  const { stringToSign: _, ...unsigned } = sampleExchange();
  expect(checksumTool(unsigned)).toBeUndefined();
  const request = { ...sampleExchange().request, headers: [] };
  expect(checksumTool({ ...sampleExchange(), request })).toBeUndefined();
});
