import fc from 'fast-check';
import { expect, test } from 'vitest';
import { elementReader } from './json-elements.ts';

interface Read {
  readonly elements: unknown[];
  /** What is around the objects, with `null` in the place of each. */
  readonly rest: unknown;
  /** All parts behind one another. */
  readonly all: string;
}

/** What a reader makes of a text that comes in pieces of so many bytes, in a buffer that is used again and again. */
function read(text: string, pieceBytes: number): Read {
  const elements: unknown[] = [];
  const [around, all]: string[][] = [[], []];
  const reader = elementReader('clauses', {
    element: (part) => (elements.push(JSON.parse(part)), all?.push(part)),
    between: (part) => (around?.push(part), all?.push(part)),
  });
  const piece = Buffer.alloc(pieceBytes);
  const whole = Buffer.from(text);
  for (let at = 0; at < whole.length; at += pieceBytes) {
    reader.take(piece.subarray(0, whole.copy(piece, 0, at)));
  }
  reader.end();
  return { elements, rest: JSON.parse(around?.join('null') ?? ''), all: all?.join('') ?? '' };
}

test('the objects of the array come one by one, and leave a null each', () => {
  const text = '{"a":[{"x":1}],"clauses" : [ {"id":"b"}, {"id":"c","checks":[{}]} ],"d":{"clauses":[{"y":2}]}}';
  for (const pieceBytes of [1, 7, 1000]) {
    expect(read(text, pieceBytes)).toEqual({
      elements: [{ id: 'b' }, { id: 'c', checks: [{}] }],
      rest: { a: [{ x: 1 }], clauses: [null, null], d: { clauses: [{ y: 2 }] } },
      all: text,
    });
  }
});

test('what is no object stays where it is', () => {
  const text = '{"clauses":[1,[{"a":2}],"{"]}';
  expect(read(text, 3)).toEqual({ elements: [], rest: { clauses: [1, [{ a: 2 }], '{'] }, all: text });
});

test('any objects, however written and cut, are read as JSON.parse reads them', () => {
  const members = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue());
  const space = fc.constantFrom(undefined, 2);
  fc.assert(
    fc.property(
      members,
      fc.array(members),
      fc.integer({ min: 1, max: 40 }),
      space,
      (around, clauses, bytes, indent) => {
        const { clauses: _, ...others } = around;
        // As the file has it: a lone surrogate does not survive being written in UTF-8.
        const written = (own: readonly unknown[]): string =>
          Buffer.from(JSON.stringify({ ...others, clauses: own, more: [around] }, null, indent)).toString();
        const text = written(clauses);
        const { elements, rest, all } = read(text, bytes);
        const whole: unknown = JSON.parse(text);
        expect(whole).toHaveProperty('clauses', elements);
        expect(all).toBe(text);
        expect(rest).toEqual(JSON.parse(written(clauses.map(() => null))));
      },
    ),
    { examples: [[{ ['__proto__']: [] }, [], 1, undefined]] },
  );
});

test('a text that is cut off does not parse', () => {
  expect(() => read('{"clauses":[{"id":"b"},{"id":', 5)).toThrow(SyntaxError);
});
