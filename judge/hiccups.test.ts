import fc from 'fast-check';
import { retiredEndpoints } from '../contract/endpoints.ts';
import { codes } from '../contract/values.ts';
import { describe, expect, test } from 'vitest';
import type { ExchangeRecord, TraceRecord } from '../trace/records.ts';
import { refused, recordOf, type RecordWish } from './testing/records.ts';
import { brokenByHistory } from './testing/story.ts';

const kinds = {
  echo: { body: { success: true, code: 0, message: 'OK', data: {} } },
  lookup: { method: 'GET', target: '/openapi/v3/consultas/cnpj/11222333000181', body: {} },
  retired: { target: '/openapi/nfe/verify/xml', ...refused(codes.retired.code) },
  unsigned: { ...refused(10009003), aim: { clause: 'signature.mismatch-refused', faults: [] } },
} as const satisfies Record<string, RecordWish>;
type Kind = keyof typeof kinds;

const endpointOf = ({ endpoint, retired }: ExchangeRecord): string => (endpoint ?? retired)?.path ?? '';

const order: readonly Kind[] = ['echo', 'lookup', 'echo', 'retired', 'echo', 'unsigned'];

/** Answers to 300 requests of all kinds, in turn; those are 502, or that status. */
function answers(isLost: (at: number, kind: Kind) => boolean, wish: RecordWish = {}): readonly ExchangeRecord[] {
  return Array.from({ length: 300 }, (_, at) => {
    const kind = order[at % order.length] ?? 'echo';
    const lost = { status: 502, body: 'Bad Gateway', ...wish };
    return recordOf({ ...kinds[kind], sentAtMs: at * 10, ...(isLost(at, kind) ? lost : {}) });
  });
}

describe('an answer that a way in trouble gives as well is the service’s own where one kind of request alone gets it', () => {
  test.each<[Kind, string]>([
    ['lookup', 'errors.own-statuses'],
    ['retired', 'retirement.gone'],
    ['unsigned', 'errors.own-statuses'],
  ])('of %s: %s', (lost, clause) => {
    expect(brokenByHistory(answers((at, kind) => kind === lost && at % 4 < 2))).toEqual([clause]);
  });

  test('of several paths of a kind, each of which it meets too seldom to tell: retirement.gone', () => {
    const paths = retiredEndpoints.map(({ path }) => path);
    const met = answers((at, kind) => kind === 'retired' && at % 4 === 3).map((record, at) => {
      const path = paths[Math.floor(at / 6) % paths.length] ?? '';
      return record.retired ? { ...record, retired: { ...record.retired, path } } : record;
    });
    expect(brokenByHistory(met)).toEqual(['retirement.gone']);
  });

  test.each([503, 504])('be it %i', (status) => {
    expect(brokenByHistory(answers((at, kind) => kind === 'lookup' && at % 4 < 2, { status }))).not.toEqual([]);
  });

  test('be it none at all', () => {
    const met = answers(() => false).map((record, at): TraceRecord =>
      record.target.includes('cnpj') && at % 4 < 2 ? { ...record, kind: 'lost' } : record,
    );
    expect(brokenByHistory(met)).toEqual(['errors.own-statuses']);
  });

  test('but not of requests that go out at one moment: what a service bears then is nowhere said', () => {
    const lost = answers((at, kind) => kind === 'lookup' && at % 4 < 2, { isOfBurst: true });
    expect(brokenByHistory(lost)).toEqual([]);
  });
});

describe('a way that spares nobody accuses nobody', () => {
  test.each([0.01, 0.05, 0.2, 0.5])('at a rate of %d', (rate) => {
    const draws = fc.array(fc.noBias(fc.integer({ min: 0, max: 999 })), { minLength: 300, maxLength: 300 });
    fc.assert(
      fc.property(fc.noShrink(draws), (drawn) => {
        expect(brokenByHistory(answers((at) => (drawn[at] ?? 999) < rate * 1000))).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });

  test('by bursts, of which each begins at the same kind', () => {
    expect(brokenByHistory(answers((at) => at % 12 === 1 || at % 12 === 2))).toEqual([]);
  });

  test('by bursts while nothing but one path is asked for', () => {
    const inARow = answers(() => false).toSorted((one, other) => endpointOf(one).localeCompare(endpointOf(other)));
    const lost = { status: 502, body: Buffer.from('Bad Gateway') };
    const met = inARow.map((record, at) => (at >= 270 && at < 285 ? { ...record, ...lost } : record));
    expect(brokenByHistory([...met, ...answers(() => false)])).toEqual([]);
  });

  test('by three answers, whomever it meets', () => {
    expect(brokenByHistory(answers((at) => [1, 61, 121].includes(at)))).toEqual([]);
  });
});
