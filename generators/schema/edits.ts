import fc from 'fast-check';
import type { JsonValue } from '../json.ts';

/** Values next to those given: a text with one slip in it, a number one off, the other boolean; else any as it is. */
export function edited(values: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonValue> {
  return fc.tuple(editedText(values), fc.constantFrom(-1, 1)).map(([value, step]) => {
    if (typeof value === 'boolean') return !value;
    return typeof value === 'number' ? value + step : value;
  });
}

/** The texts among the values with one slip in each: another case, a character more, fewer or changed, white space around or instead. */
export function editedText(values: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonValue> {
  return fc
    .tuple(values, fc.constantFrom(...slips), fc.nat(), fc.constantFrom('x', '0', '-', ' ', 'É', '😀'))
    .map(([value, slip, place, letter]) => {
      if (typeof value !== 'string') return value;
      const points = Array.from(value);
      return slip(points, place % (points.length + 1), letter);
    });
}

type Slip = (points: readonly string[], place: number, letter: string) => string;

const slips: readonly Slip[] = [
  (points, place) => points.toSpliced(place, 1).join(''),
  (points, place, letter) => points.toSpliced(place, 1, letter).join(''),
  (points, place, letter) => points.toSpliced(place, 0, letter).join(''),
  (points) => points.join('').toUpperCase(),
  (points) => points.join('').toLowerCase(),
  (points) => ' '.repeat(points.length),
  (points) => ` ${points.join('')}`,
  (points) => `${points.join('')}\n`,
];
