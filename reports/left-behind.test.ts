import { expect, test } from 'vitest';
import { leftBehind } from '../contract/endpoints.ts';
import { leftLine, leftText } from './left-behind.ts';
import { summaryMarkdown } from './markdown.ts';
import { sampleResults } from './sample-run.ts';
import { summaryLines } from './terminal/summary.ts';

const left = { companies: 2, certificates: 2, addresses: 1, invoices: 31, cancellations: 8 };

test.each([
  ['2 companies, 31 invoices (8 cancelled), 1 address', '2 empresas, 31 notas (8 canceladas), 1 endereço', left],
  [
    '1 company, 1,200 invoices',
    '1 empresa, 1.200 notas',
    { ...left, companies: 1, certificates: 1, addresses: 0, invoices: 1200, cancellations: 0 },
  ],
  [
    '2 companies, 1 certificate',
    '2 empresas, 1 certificado',
    { ...leftBehind(() => 0), companies: 2, certificates: 1 },
  ],
  ['0 invoices (1 cancelled)', '0 notas (1 cancelada)', { ...leftBehind(() => 0), cancellations: 1 }],
  ['nothing', 'nada', leftBehind(() => 0)],
])('what is left behind reads %s, in Portuguese %s', (english, portuguese, some) => {
  expect([leftText(some), leftText(some, 'pt-BR')]).toEqual([english, portuguese]);
});

test('it is a line of the terminal, and the last one of the summary for CI', () => {
  const results = { ...sampleResults(), sideEffects: left };
  const line = 'Left at the target: 2 companies, 31 invoices (8 cancelled), 1 address.';
  expect(summaryLines(results, { colour: false })).toContain(line);
  expect(summaryMarkdown(results).trimEnd().split('\n').at(-1)).toBe(line);
});

test('no line tells of what nobody will find: nothing was left, or only in a simulator that the run started', () => {
  const results = { ...sampleResults(), sideEffects: left };
  expect(leftLine({ ...results, sideEffects: leftBehind(() => 0) })).toBeUndefined();
  expect(leftLine({ ...results, target: { ...results.target, kind: 'embedded' } })).toBeUndefined();
});
