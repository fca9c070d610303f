import { describe, expect, test } from 'vitest';
import type { CheckResult, ExchangeEvidence } from '../schemas/results.ts';
import { decisiveExchange, decisiveRequest } from './evidence.ts';
import { sampleExchange, sampleFailure, sampleOutcome } from './sample-run.ts';

function at(target: string, more: Partial<ExchangeEvidence> = {}): ExchangeEvidence {
  const exchange = sampleExchange();
  return { ...exchange, request: { ...exchange.request, target }, ...more };
}

describe('of a check to which a delivery came last', () => {
  const exchanges = [at('/first'), at('/second'), at('/hook', { received: true })];
  const check: CheckResult = sampleOutcome('echo.a', { ...sampleFailure, exchanges }).result;

  test('the delivery is what its failure is about', () => {
    expect(decisiveExchange(check)?.request.target).toBe('/hook');
  });

  test('the last request that it sent itself is the one to repeat', () => {
    expect(decisiveRequest(check)?.request.target).toBe('/second');
  });
});
