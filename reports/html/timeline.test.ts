import { describe, expect, test } from 'vitest';
import type { CheckResult, ExchangeEvidence } from '../../schemas/results.ts';
import { sampleOutcome, sampleFailure } from '../testing/sample-run.ts';
import { timelineOf } from './timeline.ts';

const path = '/openapi/v2/empresas/1/nf-e';

function exchange(method: string, at: number, durationMs: number, status?: string): ExchangeEvidence {
  const text = JSON.stringify({ data: { status } });
  const body = { text, encoding: 'utf-8', bytes: text.length } as const;
  const target = method === 'POST' ? path : `${path}/a`;
  return { request: { method, target, headers: [] }, at, durationMs, response: { status: 200, headers: [], body } };
}

function drawing(exchanges: ExchangeEvidence[], rest: Partial<CheckResult> = {}): string {
  return timelineOf(sampleOutcome('echo.a', { ...sampleFailure, ...rest, exchanges }).result)?.html ?? '';
}

const first = exchange('POST', 1000, 20);
const race = [first, exchange('DELETE', 1100, 40), exchange('GET', 1110, 10, 'Autorizada')];

describe('requests of a failure that were under way at once', () => {
  const html = drawing(race);

  test('are drawn a row each, from when each was sent until it was answered', () => {
    expect(html.match(/<rect x="(\d+)" y="\d+" width="(\d+)"/g)).toEqual([
      '<rect x="0" y="20" width="640"',
      '<rect x="160" y="56" width="160"',
    ]);
    expect(html).toContain('3. GET /openapi/v2/empresas/{empresaId}/nf-e/{nfeId} → 200 Autorizada</text>');
  });

  test('are told to a screen reader in both languages, the drawing being for the eye alone', () => {
    expect(html).toMatch(/<svg [^>]*aria-hidden="true">/);
    expect(html).toMatch(/<ol class="unseen">.*GET .*sent at 10 ms, answered at 20 ms<.*enviada em 10 ms/s);
  });

  test('have the one marked whose answer is accused: the last that the failure tells of', () => {
    expect(html.match(/✗/g)).toHaveLength(1);
    expect(html).toMatch(/✗ 3\. GET/);
    expect(html.match(/this answer is accused/g)).toHaveLength(1);
  });
});

test('requests that were sent one after another are not drawn', () => {
  expect(drawing([first, exchange('GET', 1020, 10)])).toBe('');
});

test('of what was seen in passing only that is drawn which shows it together, and what came before stands at the edge', () => {
  const inPassing = { inPassing: true } as const;
  const html = drawing([exchange('PUT', 1105, 30), ...race], { ...inPassing, together: 3 });
  expect(html).not.toContain('PUT');
  expect(html).toContain('<rect x="0" y="20" width="3"');
  expect(drawing(race, inPassing)).toBe('');
});

test('a target that lets many requests wait at once does not fill the page', () => {
  const many = Array.from({ length: 50 }, (_, at) => exchange('GET', 1000 + at, 1000));
  expect(drawing(many).match(/<rect /g)).toHaveLength(12);
});
