import { modelOf } from '../../model.ts';
import { describe, expect, test } from 'vitest';
import { endpoints, methodAndPath, retiredEndpoints } from '../../../contract/endpoints.ts';
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

  test('says of a part without observations that it has none', () => {
    const text = english(sectionOf({ shapes: [shape()] }));
    expect(text).toContain('No request with two flaws was answered for one of them in this run.');
    expect(text).toContain('No delivery was refused and watched until its retries were due in this run.');
  });
});

describe('the grid of flaws', () => {
  const [sign, retired, state] = [10009003, 10009034, 10009004];
  const agreeing = { first: 'bad sign', second: 'old path', firstCode: sign, secondCode: retired };
  const contrary = { first: 'disabled', second: 'old path', firstCode: state, secondCode: retired };
  const html = sectionOf({ order: [contrary, agreeing, { first: 'bad sign', second: 'unheard-of' }] });
  const row = (name: string): string => rowsWith(html, `<th scope="row"><span lang="en">${name}`)[0] ?? '';

  test('has rows and columns by status in the order of the contract', () => {
    const heads = [...html.matchAll(/scope="(?:colgroup|rowgroup)"[^>]*>(401|410|403|\?)</g)].map(([, head]) => head);
    expect(heads).toEqual(['401', '410', '403', '?', '401', '410', '403', '?']);
  });

  test('leaves a cell empty that was not seen', () => {
    expect(english(row('old path'))).toMatch(/10009034$/);
    expect(row('old path').match(/<td( class="self")?><\/td>/g)).toHaveLength(4);
  });

  test('marks an order against what the contract only implies as a warning, and tells it with its clause', () => {
    const order = [{ first: 'limit', second: 'bad sign', firstCode: 10009006, secondCode: sign }];
    const implied = sectionOf({ order });
    expect(rowsWith(implied, '<th scope="row"><span lang="en">limit')[0]).toContain(
      '<td class="warned against-implied"><span aria-hidden="true">(✗)</span>',
    );
    expect(english(implied)).toContain('limit was answered before bad sign : precedence.401-before-429');
  });

  test('tells an order against the contract in words, with its clause', () => {
    expect(english(html)).toContain('disabled was answered before old path : precedence.410-before-403');
  });

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
  const ladders: Results['ladders'] = [{ ...real, retriesSeconds: [...real.retriesSeconds] }];
  const html = sectionOf({ ladders });

  test('is drawn for the eye alone and stands in a table in numbers', () => {
    expect(html).toContain('<div class="timeline" aria-hidden="true">');
    expect(html.match(/class="seen"/g)).toHaveLength(3);
    const [row = ''] = rowsWith(html, '61 ');
    expect(english(row)).toBe(
      'Issuance callback in real time 61 +1 s 362 +2 s – – – 6 min 2 s each after the one before',
    );
  });

  test('has an axis in minutes, and in hours from one hour on', () => {
    const axes = [...html.matchAll(/<div class="track axis">.*?<\/div>/g)].map(([axis]) => english(axis));
    expect(axes).toEqual(['0 1 min 6 min 36 min 2 h 36 8 h 36', '0 1 min 5 min 30 min 2 h 6 h']);
  });

  test('has the planned instants by both readings first', () => {
    const planned = rowsWith(html, 'Planned').map(english);
    expect(planned).toEqual([
      'Planned each after the one before 60 360 2,160 9,360 30,960 – –',
      'Planned all after the first 60 300 1,800 7,200 21,600 – –',
    ]);
  });

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
  const shapes = [shape({ responses: 1234 }), shape({ endpoint: methodAndPath(old), status: 410, responses: 5 })];
  const html = sectionOf({ shapes });

  test('has all twenty, each with its responses by status or none', () => {
    const rows = [...html.matchAll(/<tr><td>.*?<\/tr>/gs)].map(([row]) => english(row));
    expect(rows).toHaveLength(endpoints.length + retiredEndpoints.length);
    expect(rows[0]).toBe('1 POST /openapi/demo/echo 1,234 ·');
    expect(rows[1]).toBe('2 POST /openapi/v2/empresas no response seen');
    expect(rows[11]).toBe('→ 5 replaced by 5 POST /openapi/nfe/invoice/create · 5');
    expect(rows.filter((row) => row.endsWith('no response seen'))).toHaveLength(18);
  });

  test('has a row for what is at neither, where such came', () => {
    expect(english(html)).not.toContain('Elsewhere');
    const other = sectionOf({ shapes: [shape({ endpoint: 'other', status: 404, responses: 7 })] });
    expect(english(rowsWith(other, 'any other method')[0] ?? '')).toBe('any other method or path 7');
  });

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
