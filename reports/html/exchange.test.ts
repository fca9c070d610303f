import { expect, test } from 'vitest';
import { sampleExchange } from '../testing/sample-run.ts';
import { exchangeDetails } from './exchange.ts';

const sample = sampleExchange();

test('a long target is cut in the line that an exchange folds to, and whole below it', () => {
  const target = `/${'a'.repeat(500)}`;
  const { html } = exchangeDetails({ ...sample, request: { ...sample.request, target } }, 1, false, 'here');
  const [line = '', rest = ''] = html.split('</summary>');
  expect(line).toContain(`<code>POST /${'a'.repeat(159)}… (501 characters in all)</code>`);
  expect(rest).toContain(`POST ${target}\n`);
});

test('a body that is empty or not there is said to be none', () => {
  const { body: _, ...request } = sample.request;
  const empty = { text: '', encoding: 'utf-8', bytes: 0 } as const;
  for (const bare of [request, { ...request, body: empty }]) {
    const { html } = exchangeDetails({ ...sample, request: bare }, 1, false, 'here');
    expect(html.match(/>No body\.</g)).toHaveLength(1);
  }
  expect(exchangeDetails(sample, 1, false, 'here').html).not.toContain('No body.');
});
