import { modelOf } from '../../model.ts';
import { describe, expect, test } from 'vitest';
import { retiredEndpoints } from '../../../contract/endpoints.ts';
import type { ObservedField, ObservedShape, ObservedOrder } from '../../../schemas/observed.ts';
import type { Results } from '../../../schemas/results.ts';
import { errorResults } from '../../judge.ts';
import { hostileText, sampleFacts, sampleResults } from '../../testing/sample-run.ts';
import { observedSection, nearestReading } from './endpoints.ts';
import { seenPair } from './precedence.ts';

type Observed = Pick<Results, 'shapes' | 'order' | 'ladders'>;

const nothing: Observed = { shapes: [], order: [], ladders: [] };

function resultsWith(observed: Observed): Results {
  return { ...sampleResults(), ...nothing, ...observed };
}

function sectionOf(observed: Observed): string {
  return observedSection(modelOf(resultsWith(observed)))?.html ?? '';
}

function field(pointer: string, rest: Partial<ObservedField> = {}): ObservedField {
  return { pointer, types: ['string'], always: true, ...rest };
}

function shape(rest: Partial<ObservedShape> = {}): ObservedShape {
  const fields = [field('', { types: ['object'] }), field('/message')];
  return { endpoint: 'echo', status: 200, responses: 3, contentTypes: ['application/json'], fields, ...rest };
}

/** The rows of a section's tables that hold a text. */
function rowsWith(html: string, text: string): string[] {
  return [...html.matchAll(/<tr>.*?<\/tr>/gs)].map(([row]) => row).filter((row) => row.includes(text));
}

/** Text of a piece of HTML in English, without marks. */
function english(html: string): string {
  return html
    .replaceAll(/<span lang="pt-BR">.*?<\/span>/gs, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

describe('the section', () => {
  test('is left out of a run that saw nothing or judged nothing', () => {
    expect(observedSection(modelOf(resultsWith({})))).toBeUndefined();
    const error = { ...errorResults(sampleFacts, 'ECONNREFUSED', 'network'), shapes: [shape()] };
    expect(observedSection(modelOf(error))).toBeUndefined();
  });
});

describe('the grid of flaws', () => {
  const [sign, retired, state] = [10009003, 10009034, 10009004];
  const agreeing = { first: 'bad sign', second: 'old path', firstCode: sign, secondCode: retired };
  const contrary = { first: 'disabled', second: 'old path', firstCode: state, secondCode: retired };
  const html = sectionOf({ order: [contrary, agreeing, { first: 'bad sign', second: 'unheard-of' }] });

  test('links a clause only where the page has it', () => {
    expect(html).not.toContain('href="#clause-precedence.410-before-403"');
    const results = resultsWith({ order: [contrary] });
    const [clause] = results.clauses;
    if (!clause) throw new Error('the sample has no clause');
    const clauses = [{ ...clause, id: 'precedence.410-before-403' }];
    const linked = observedSection(modelOf({ ...results, clauses }))?.html;
    expect(linked).toContain('href="#clause-precedence.410-before-403"');
  });
});

describe('the ladder', () => {
  const real = { channel: 'issuance', source: 'real-time', retriesSeconds: [61, 362], watchedSeconds: 362 } as const;

  test('shows three retries more than are planned, and twelve ladders, and says how many are left out', () => {
    const many = Array.from({ length: 15 }, (_, at) => ({
      ...real,
      retriesSeconds: Array.from({ length: 10 }, (__, turn) => at + 1 + turn),
    }));
    const text = english(sectionOf({ ladders: many }));
    expect(text).toContain('retry 8 watched for');
    expect(text).toContain('further retries: 2');
    expect(text).toContain('More in results.json: 3.');
  });
});

describe('the table of endpoints', () => {
  const old = retiredEndpoints[0];
  if (!old) throw new Error('no endpoint is retired');

  test('puts all but the twelve most frequent statuses into one column', () => {
    const many = Array.from({ length: 15 }, (_, at) => shape({ status: 200 + at, responses: 100 - at }));
    const [head = ''] = rowsWith(sectionOf({ shapes: many }), 'path');
    expect(english(head)).toMatch(/210 211 others$/);
    expect(english(rowsWith(sectionOf({ shapes: many }), '/openapi/demo/echo')[0] ?? '')).toMatch(/ 90 89 261$/);
  });
});

test('text of a hostile target stays text', () => {
  const hostile: Observed = {
    shapes: [
      shape({ endpoint: hostileText, contentTypes: [hostileText], fields: [field(hostileText), field('/b')] }),
      shape({ contentTypes: [hostileText], fields: [field(hostileText), field('/b')] }),
    ],
    order: [{ first: hostileText, second: 'other' }],
  };
  const html = sectionOf(hostile);
  const tags = new Set([...html.matchAll(/<([a-z][a-z0-9]*)/gi)].map(([, tag]) => tag));
  expect([...tags].filter((tag) => ['img', 'script', 'a'].includes(tag ?? ''))).toEqual([]);
  expect(html).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
});

describe('the nearest reading', () => {
  test.each([
    ['each after the one before', [61, 365, 2170]],
    ['all after the first', [60, 301, 1800, 7205, 21_610]],
    ['all after the first', [2, 200]],
    [undefined, [70]],
    [undefined, []],
  ])('is %s of %j', (reading, retriesSeconds) => {
    expect(nearestReading(retriesSeconds)).toBe(reading);
  });
});

const [sign, retired, state, limit] = [10009003, 10009034, 10009004, 10009006];

function order(firstCode: number, secondCode: number): ObservedOrder {
  return { first: `flaw ${firstCode}`, second: `flaw ${secondCode}`, firstCode, secondCode };
}

describe('an observed order', () => {
  test.each([
    [sign, retired, 'stated', 'precedence.401-before-410'],
    [state, limit, 'implied', 'precedence.403-before-429'],
    [state, retired, 'against-stated', 'precedence.410-before-403'],
    [limit, sign, 'against-implied', 'precedence.401-before-429'],
  ])('of %d before %d is %s', (first, second, agreement, clause) => {
    expect(seenPair(order(first, second))).toMatchObject({ agreement, clause });
  });

  test('of one code, of an unknown code or of none is open', () => {
    const [same, unknown, none] = [order(sign, sign), order(sign, 1), { first: 'a', second: 'b' }];
    for (const one of [same, unknown, none]) {
      expect(seenPair(one).agreement).toBe('open');
      expect(seenPair(one)).not.toHaveProperty('clause');
    }
  });
});
