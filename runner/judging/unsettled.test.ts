import { describe, expect, test } from 'vitest';
import type { CallLine } from '../../trace/lines.ts';
import { unsettledIn } from './unsettled.ts';

const company = '/openapi/v2/empresas/e-1/nf-e';

function line(nfeId: string, at: number, method: string, target: string, text: string): CallLine {
  const body = { text, encoding: 'utf-8', bytes: text.length } as const;
  const evidence = {
    request: { method, target, headers: [] },
    response: { status: 200, headers: [], body },
    durationMs: 0,
  };
  return { check: 'a check', case: 1, kind: 'exchange', at, ids: { empresaId: 'e-1', nfeId }, evidence };
}

/** An invoice with what queries told of it, each so many milliseconds after its issuance. */
function invoice(nfeId: string, ...told: readonly (readonly [number, string])[]): CallLine[] {
  const issuance = line(nfeId, 0, 'POST', company, '');
  return [
    issuance,
    ...told.map(([at, status]) => line(nfeId, at, 'GET', `${company}/${nfeId}`, `{"status":"${status}"}`)),
  ];
}

const settled = (count: number, ms: number): CallLine[] =>
  Array.from({ length: count }, (_, nth) =>
    invoice(`n-${nth}`, [1, 'AguardandoAutorizacao'], [ms, 'Autorizada']),
  ).flat();

test('invoices that waited far longer than all that settled are told', () => {
  const stuck = [
    ...invoice('s-1', [8_000, 'AguardandoAutorizacao']),
    ...invoice('s-2', [6_000, 'AguardandoAutorizacao']),
  ];
  // Threads tell of what they asked one after the other.
  const lines = [...settled(9, 400), ...stuck].toReversed();
  expect(unsettledIn(lines)).toEqual({ invoices: 2, of: 11, waitedMs: 8_000, slowestMs: 400 });
});

describe('nothing is told of', () => {
  test.each<[string, readonly CallLine[]]>([
    [
      'an invoice that settled late',
      [...settled(9, 400), ...invoice('s', [8_000, 'AguardandoAutorizacao'], [9_000, 'Negada'])],
    ],
    ['one that was asked for soon alone', [...settled(9, 400), ...invoice('s', [1_000, 'AguardandoAutorizacao'])]],
    ['one that waits where others do, too', [...settled(9, 4_000), ...invoice('s', [8_000, 'AguardandoAutorizacao'])]],
    [
      'one that waits where little else settled',
      [...settled(4, 400), ...invoice('s', [8_000, 'AguardandoAutorizacao'])],
    ],
    ['one that nobody asked for', [...settled(9, 400), ...invoice('s')]],
  ])('%s', (_, lines) => {
    expect(unsettledIn(lines)).toBeUndefined();
  });
});
