import { describe, expect, test } from 'vitest';
import { endpoints, methodAndPath, retiredEndpoints } from '../../contract/endpoints.ts';
import type { Results } from '../../schemas/results.ts';
import type { ObservedField, ObservedShape } from '../../schemas/observed.ts';
import { errorResults } from '../judge.ts';
import { hostileText, sampleFacts, sampleResults } from '../sample-run.ts';
import { observedSection } from './observed.ts';

type Observed = Pick<Results, 'shapes' | 'order' | 'ladders'>;

const nothing: Observed = { shapes: [], order: [], ladders: [] };

function resultsWith(observed: Observed): Results {
  return { ...sampleResults(), ...nothing, ...observed };
}

function sectionOf(observed: Observed, baseline?: Observed): string {
  return observedSection(resultsWith(observed), baseline && resultsWith(baseline))?.html ?? '';
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
    expect(observedSection(resultsWith({}))).toBeUndefined();
    const error = { ...errorResults(sampleFacts, 'ECONNREFUSED', 'network'), shapes: [shape()] };
    expect(observedSection(error)).toBeUndefined();
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

  test('marks an order in sign, colour and words for a screen reader', () => {
    expect(row('bad sign')).toContain(
      '<td class="passed stated"><span aria-hidden="true">✓</span><span class="heard">',
    );
    expect(english(row('bad sign'))).toMatch(/✓ the order that the contract states ○ the contract leaves it open$/);
    expect(row('disabled')).toContain('<td class="failed against-stated"><span aria-hidden="true">✗</span>');
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

  test('has a legend of the signs that it uses, with their counts', () => {
    const legend = english(/<ul class="legend">.*?<\/ul>/s.exec(html)?.[0] ?? '');
    expect(legend).toMatch(
      /^✓ the order that the contract states : 1 ✗ against the order that it states : 1 ○ .* : 1 empty: /,
    );
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
    const linked = observedSection({ ...results, clauses })?.html;
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

describe('the shapes', () => {
  test('fold by endpoint, and equal answers of several statuses are one table', () => {
    const html = sectionOf({
      shapes: [shape({ status: 401 }), shape({ status: 403 }), shape({ status: 200, fields: [] })],
    });
    expect(html.match(/<details/g)).toHaveLength(1);
    expect(html.match(/<table class="fields">/g)).toHaveLength(1);
    expect(english(html)).toContain('HTTP 401, 403 application/json · responses : 6');
    expect(english(html)).toContain('HTTP 200 application/json · responses : 3 : not looked into');
  });

  test('name the fields, and say of one whether it was there only sometimes', () => {
    const fields = [field('', { types: ['object'] }), field('/a', { types: ['null', 'string'], always: false })];
    const html = sectionOf({ shapes: [shape({ fields })] });
    expect(english(rowsWith(html, '/a<')[0] ?? '')).toBe('/a null / string sometimes');
    expect(english(rowsWith(html, 'the body')[0] ?? '')).toBe('the body object');
  });

  test('say in both languages what is no word of JSON or HTTP', () => {
    const html = sectionOf({
      shapes: [
        shape({ status: 186, contentTypes: ['(none)'], fields: [field('', { types: ['empty'] })] }),
        shape({ status: 187, contentTypes: ['(malformed)'], fields: [field('', { types: ['null', 'text'] })] }),
      ],
    });
    for (const [en, pt] of [
      ['(none)', '(nenhum)'],
      ['empty', 'vazio'],
      ['(malformed)', '(malformado)'],
      ['null / text', 'null / texto'],
    ])
      expect(html).toContain(`<span lang="en">${en}</span><span lang="pt-BR">${pt}</span>`);
    const drift = sectionOf({ shapes: [shape()] }, { shapes: [shape({ contentTypes: ['(none)'], fields: [] })] });
    expect(drift).toMatch(/was<.*<span lang="pt-BR">\(nenhum\)<\/span><\/span>; .*is<.* application\/json<\/li>/);
  });

  test('show 80 fields of an answer and 12 answers of an endpoint, and say how many are left out', () => {
    const fields = Array.from({ length: 100 }, (_, at) => field(`/${at}`));
    expect(english(sectionOf({ shapes: [shape({ fields })] }))).toContain('More fields in results.json: 20.');
    const shapes = Array.from({ length: 15 }, (_, at) => shape({ status: 400 + at, contentTypes: [`a/${at}`] }));
    expect(english(sectionOf({ shapes }))).toContain('More shapes in results.json: 3.');
  });

  test('of a target that answers as much as it can take less than 2 MB', () => {
    const names = [...endpoints.map(({ name }) => name), ...retiredEndpoints.map(methodAndPath), 'other'];
    const fields = Array.from({ length: 300 }, (_, at) => field(`/${'<\u202e'.repeat(200)}${at}`, { always: false }));
    const shapes = names.flatMap((endpoint) =>
      Array.from({ length: 40 }, (_, at) => shape({ endpoint, status: 200 + at, contentTypes: [`a/${at}`], fields })),
    );
    expect(Buffer.byteLength(sectionOf({ shapes }, { shapes: [] }))).toBeLessThan(2_000_000);
  });
});

describe('the drift', () => {
  const before = shape({ fields: [field('/a'), field('/b'), field('/c')] });
  const now = shape({
    contentTypes: ['text/json'],
    fields: [field('/b', { always: false }), field('/c'), field('/d')],
  });

  test('is told in words before the shapes, with a baseline only', () => {
    const html = sectionOf({ shapes: [now, shape({ status: 500 })] }, { shapes: [before, shape({ status: 404 })] });
    expect(html.indexOf('<ul class="drift">')).toBeLessThan(html.indexOf('<details'));
    const drift = english(/<ul class="drift">.*<\/ul>(?=\s*<details)/s.exec(html)?.[0] ?? '');
    expect(drift).toBe(
      'POST /openapi/demo/echo HTTP 200 content type : was application/json; is text/json ' +
        '/a : gone /b : was string, always ; is string, sometimes /d : new , string, always ' +
        'POST /openapi/demo/echo HTTP 404: no longer seen POST /openapi/demo/echo HTTP 500: seen for the first time',
    );
    expect(sectionOf({ shapes: [now] })).not.toContain('Since the earlier run');
  });

  test('names sixty shapes and twenty fields of each, and says how many more there are', () => {
    const fields = Array.from({ length: 25 }, (_, at) => field(`/${at}`));
    const many = Array.from({ length: 63 }, (_, at) => shape({ status: 200 + at, fields }));
    const bare = many.map((one) => ({ ...one, fields: [] }));
    const drift =
      /<ul class="drift">.*<\/ul>(?=\s*<details)/s.exec(sectionOf({ shapes: many }, { shapes: bare }))?.[0] ?? '';
    expect(drift.match(/HTTP/g)).toHaveLength(60);
    expect(drift.match(/>new</g)).toHaveLength(60 * 20);
    expect(drift.match(/>and 5 more</g)).toHaveLength(60);
    expect(english(drift)).toMatch(/and 3 more$/);
  });

  test('is none between equal runs', () => {
    expect(english(sectionOf({ shapes: [now] }, { shapes: [now] }))).toContain('No drift; shapes compared: 1.');
  });

  test('is not told where the runs were not asked for the same', () => {
    const filtered = { ...resultsWith({ shapes: [before] }), filter: '--topic echo' };
    const html = observedSection(resultsWith({ shapes: [now] }), filtered)?.html ?? '';
    expect(english(html)).toContain('Not compared: one of the runs recorded no shapes');
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
  const html = sectionOf(hostile, { shapes: [shape()] });
  const tags = new Set([...html.matchAll(/<([a-z][a-z0-9]*)/gi)].map(([, tag]) => tag));
  expect([...tags].filter((tag) => ['img', 'script', 'a'].includes(tag ?? ''))).toEqual([]);
  expect(html).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
});

test('every id is there once, and every region has a heading that is there', () => {
  const html = sectionOf({
    shapes: [shape()],
    order: [{ first: 'a', second: 'b' }],
    ladders: [{ channel: 'issuance', source: 'stored', retriesSeconds: [], watchedSeconds: 60 }],
  });
  const ids = [...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const [, id] of html.matchAll(/aria-labelledby="([^"]*)"/g)) expect(ids).toContain(id);
});
