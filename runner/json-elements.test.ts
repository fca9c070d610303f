import fc from 'fast-check';
import { expect, test } from 'vitest';
import { elementReader } from './json-elements.ts';

/** What a reader makes of a text that comes in pieces of so many bytes, in a buffer that is used again and again. */
function read(text: string, pieceBytes: number): { elements: unknown[]; rest: unknown } {
  const elements: unknown[] = [];
  const reader = elementReader('clauses', (element) => elements.push(JSON.parse(element)));
  const piece = Buffer.alloc(pieceBytes);
  const whole = Buffer.from(text);
  for (let at = 0; at < whole.length; at += pieceBytes) {
    reader.take(piece.subarray(0, whole.copy(piece, 0, at)));
  }
  return { elements, rest: JSON.parse(reader.rest()) };
}

test('the objects of the array come one by one, and leave a null each', () => {
  const text = '{"a":[{"x":1}],"clauses" : [ {"id":"b"}, {"id":"c","checks":[{}]} ],"d":{"clauses":[{"y":2}]}}';
  for (const pieceBytes of [1, 7, 1000]) {
    expect(read(text, pieceBytes)).toEqual({
      elements: [{ id: 'b' }, { id: 'c', checks: [{}] }],
      rest: { a: [{ x: 1 }], clauses: [null, null], d: { clauses: [{ y: 2 }] } },
    });
  }
});

test('what is no object stays where it is', () => {
  expect(read('{"clauses":[1,[{"a":2}],"{"]}', 3)).toEqual({ elements: [], rest: { clauses: [1, [{ a: 2 }], '{'] } });
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
        const text = Buffer.from(JSON.stringify({ ...others, clauses, more: [around] }, null, indent)).toString();
        const { elements, rest } = read(text, bytes);
        const whole: unknown = JSON.parse(text);
        expect(whole).toHaveProperty('clauses', elements);
        expect(rest).toEqual(Object.assign({}, whole, { clauses: clauses.map(() => null) }));
      },
    ),
  );
});

test('a text that is cut off does not parse', () => {
  expect(() => read('{"clauses":[{"id":"b"},{"id":', 5)).toThrow(SyntaxError);
});
