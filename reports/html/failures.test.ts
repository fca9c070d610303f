import { expect, test } from 'vitest';
import type { CheckResult, ExchangeEvidence } from '../../schemas/results.ts';
import { sampleFailure, sampleOutcome } from '../testing/sample-run.ts';
import { timelineOf } from './failures.ts';

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
