import { expect, test, describe } from 'vitest';
import { distinctLadders, type ObservedLadder, mergeShapes, shapeOf, type Shape } from './observed.ts';
import fc from 'fast-check';

function ladder(rest: Partial<ObservedLadder> = {}): ObservedLadder {
  return { channel: 'verification', source: 'moved-clock', retriesSeconds: [60], watchedSeconds: 900, ...rest };
}

test('equal ladders are one, others stand by channel and by how they were seen', () => {
  const real = ladder({ source: 'real-time' });
  const issuance = ladder({ channel: 'issuance', source: 'stored' });
  expect(distinctLadders([real, ladder(), issuance, ladder()])).toEqual([issuance, ladder(), real]);
});

test('ladders differ by their retries and by how long they were watched', () => {
  const all = [ladder(), ladder({ retriesSeconds: [60, 360] }), ladder({ watchedSeconds: 901 })];
  expect(distinctLadders(all)).toHaveLength(3);
});

const seeded = { numRuns: 400, seed: 1729 };

function shapeOfJson(value: unknown): Shape {
  return shapeOf(Buffer.from(JSON.stringify(value)));
}

/** A shape in short: "/data object", and a question mark behind what was not always there. */
function lines(shape: Shape): string[] {
  return shape.map(({ pointer, types, always }) => `${pointer} ${types.join('|')}${always ? '' : '?'}`);
}

/** An object with a field for each number. */
function fromNames(numbers: readonly number[], valueOf: (number: number) => unknown): Record<string, unknown> {
  return Object.fromEntries(numbers.map((number) => [`n${number}`, valueOf(number)]));
}

function linesOfAll(...values: unknown[]): string[] {
  return lines(values.map(shapeOfJson).reduce(mergeShapes));
}

describe('the shape of one body', () => {
  test('has a field for each name, with its type', () => {
    const body = { data: { appKey: 'k', n: 1, x: 1.5, ok: true, gone: null }, list: [] };
    expect(lines(shapeOfJson(body))).toEqual([
      ' object',
      '/data object',
      '/data/appKey string',
      '/data/gone null',
      '/data/n integer',
      '/data/ok boolean',
      '/data/x number',
      '/list array',
    ]);
  });

  test('merges the items of an array: what one lacks is not always there', () => {
    expect(lines(shapeOfJson([{ codigo: 1, mensagem: 'x' }, { codigo: 'a' }]))).toEqual([
      ' array',
      '/* object',
      '/*/codigo integer|string',
      '/*/mensagem string?',
    ]);
  });

  test('does not look below twenty levels, however deep a body is', () => {
    const shape = shapeOf(Buffer.from('['.repeat(50_000) + ']'.repeat(50_000)));
    expect(shape).toHaveLength(21);
  });

  test('takes a field called __proto__ as any other', () => {
    expect(lines(shapeOf(Buffer.from('{"__proto__": {"a": 1}}')))).toEqual([
      ' object',
      '/__proto__ object',
      '/__proto__/a integer',
    ]);
  });
});

describe('what is no JSON', () => {
  test('no bytes are empty', () => {
    expect(lines(shapeOf(Buffer.alloc(0), 'application/json'))).toEqual([' empty']);
  });

  test.each(['<a/>', '{"a":', ' ', '\u00ff', '{a: 1}'])('%j is text', (body) => {
    expect(lines(shapeOf(Buffer.from(body, 'latin1'), 'application/json'))).toEqual([' text']);
  });

  test.each([
    [undefined, 'integer'],
    ['application/json; charset=utf-8', 'integer'],
    ['application/problem+json', 'integer'],
    ['text/plain', 'text'],
  ])('a bare number of content type %s is %s', (contentType, type) => {
    expect(lines(shapeOf(Buffer.from('12'), contentType))).toEqual([` ${type}`]);
  });

  test('an object is JSON whatever the content type says', () => {
    expect(lines(shapeOf(Buffer.from('{"a":1}'), 'text/html'))).toEqual([' object', '/a integer']);
  });
});

describe('names that may be data', () => {
  test.each([
    '12345678901',
    'NFe35200114200166000187550010000000071123456789',
    'maria@example.com',
    'Maria Silva',
    'a/b',
    '',
    '*',
    '{}',
    'x'.repeat(101),
    'b\u0000',
  ])('%j is not kept', (name) => {
    expect(lines(shapeOfJson({ [name]: 1 }))).toEqual([' object', '/{name} integer']);
  });

  test.each(['appKey', 'código', '_id', '$ref', '@type', 'x-trace', 'x509', 'y'.repeat(100)])('%s is kept', (name) => {
    expect(lines(shapeOfJson({ [name]: 1 }))).toEqual([' object', `/${name} integer`]);
  });

  test('fifty names of one object are kept, of fifty-one none', () => {
    const numbers = Array.from({ length: 51 }, (_, index) => index);
    const make = (some: number[]): unknown => fromNames(some, (number) => ({ a: number }));
    const folded = [' object', '/{} object?', '/{}/a integer'];
    expect(shapeOfJson(make(numbers.slice(1)))).toHaveLength(101);
    expect(linesOfAll(make(numbers))).toEqual(folded);
    expect(linesOfAll(...numbers.map((number) => make([number])))).toEqual(folded);
    expect(linesOfAll(make(numbers), ['x'])).toEqual([' array|object', '/* string', ...folded.slice(1)]);
  });

  test('no value of a body is in its shape', () => {
    const value = fc.string({ minLength: 3 }).map((text) => `§${text}`);
    const body = fc.dictionary(fc.oneof(fc.constantFrom('a', 'b'), value), fc.array(value));
    fc.assert(
      fc.property(body, (given) => {
        expect(JSON.stringify(shapeOfJson(given))).not.toContain('§');
      }),
      seeded,
    );
  });
});

describe('merging', () => {
  test('a field is always there when every object that could hold it has it', () => {
    expect(linesOfAll({ data: { a: 1 } }, { data: null }, { data: 'x' })).toEqual([
      ' object',
      '/data null|object|string',
      '/data/a integer',
    ]);
    expect(linesOfAll({ data: { a: 1 } }, { data: {} })).toEqual([' object', '/data object', '/data/a integer?']);
    expect(linesOfAll({ data: {} }, {}, { data: { a: 1 } })).toEqual([' object', '/data object?', '/data/a integer?']);
  });

  test('an array that was empty once does not always have items', () => {
    expect(linesOfAll([1], [])).toEqual([' array', '/* integer?']);
    expect(linesOfAll([1], {})).toEqual([' array|object', '/* integer']);
  });

  test('a body that is no JSON stands beside one that is', () => {
    const shape = mergeShapes(
      shapeOf(Buffer.from('<a/>')),
      mergeShapes(shapeOf(Buffer.alloc(0)), shapeOfJson({ a: 1 })),
    );
    expect(lines(shape)).toEqual([' empty|object|text', '/a integer']);
  });

  test('no body at all changes nothing', () => {
    const shape = shapeOfJson({ a: [1, { b: null }] });
    expect(mergeShapes([], shape)).toEqual(shape);
    expect(mergeShapes(shape, [])).toEqual(shape);
  });

  /** Few names, so that bodies share some; many in one object, so that they fold; names that are not kept. */
  const name = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('a', 'b', 'c', '*', '{}', '{name}', '12345678', 'x y') },
    { weight: 1, arbitrary: fc.nat(80).map((number) => `n${number}`) },
  );
  const leaf = fc.constantFrom(null, true, 1, 1.5, 'x', [], {}, [1], { a: 1 });
  const wide = fc
    .tuple(fc.uniqueArray(fc.nat(80), { minLength: 20, maxLength: 60 }), leaf)
    .map(([numbers, inner]) => fromNames(numbers, (number) => (number % 3 === 0 ? { [`n${number}`]: inner } : inner)));
  const { body } = fc.letrec<{ body: unknown }>((tie) => ({
    body: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'body' },
      leaf,
      wide,
      fc.array(tie('body'), { maxLength: 3, depthIdentifier: 'body' }),
      fc.dictionary(name, tie('body'), { maxKeys: 4, depthIdentifier: 'body' }),
    ),
  }));

  test('the order of two makes no difference', () => {
    fc.assert(
      fc.property(body, body, (a, b) => {
        expect(mergeShapes(shapeOfJson(a), shapeOfJson(b))).toEqual(mergeShapes(shapeOfJson(b), shapeOfJson(a)));
      }),
      seeded,
    );
  });

  test('the grouping of many makes no difference', () => {
    fc.assert(
      fc.property(fc.array(body, { minLength: 3, maxLength: 6 }), fc.nat(), (bodies, at) => {
        const shapes = bodies.map(shapeOfJson);
        const cut = 1 + (at % (shapes.length - 1));
        const halves = [shapes.slice(0, cut), shapes.slice(cut)].map((half) => half.reduce(mergeShapes));
        expect(halves.reduce(mergeShapes)).toEqual(shapes.reduce(mergeShapes));
        expect(shapes.reduceRight((right, left) => mergeShapes(left, right))).toEqual(shapes.reduce(mergeShapes));
      }),
      seeded,
    );
  });

  test('a body merged in a second time changes nothing', () => {
    fc.assert(
      fc.property(body, body, (a, b) => {
        const shape = mergeShapes(shapeOfJson(a), shapeOfJson(b));
        expect(mergeShapes(shape, shapeOfJson(b))).toEqual(shape);
      }),
      seeded,
    );
  });

  test('the items of an array have the shape of those bodies merged', () => {
    fc.assert(
      fc.property(fc.array(body, { minLength: 1, maxLength: 5 }), (bodies) => {
        const items = shapeOfJson(bodies).slice(1);
        const merged = bodies.map(shapeOfJson).reduce(mergeShapes);
        expect(items.map((field) => ({ ...field, pointer: field.pointer.slice(2) }))).toEqual(merged);
      }),
      seeded,
    );
  });
});
