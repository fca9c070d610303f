import { describe, expect, test } from 'vitest';
import { costBy } from '../../contract/endpoints.ts';
import { fitted, type SeenCheck } from './measure.ts';

/** A check that was seen to send so many requests. */
function seen(examples: number, generated: number, requests: number, more: Partial<SeenCheck> = {}): SeenCheck {
  return { clause: 'echo.a', examples, generated, own: { ...costBy(() => 0), requests }, uses: [], ...more };
}

describe('what a check costs', () => {
  test('is told apart: anyway 2, by an example 3, by a generated case 5', () => {
    const of = (examples: number, generated: number): SeenCheck =>
      seen(examples, generated, 2 + 3 * examples + 5 * generated);
    expect(fitted({ few: [of(4, 0)], many: [of(4, 50)], impolite: of(9, 0) })).toEqual({ requests: [2, 3, 5] });
  });

  test('by examples that are always tried is no more than what it costs anyway', () => {
    expect(fitted({ few: [seen(4, 0, 14)], many: [seen(4, 50, 264)] })).toEqual({ requests: [14, 0, 5] });
  });

  test('that never varies is shared out among what is tried', () => {
    expect(fitted({ few: [seen(0, 1, 7)], many: [seen(0, 1, 7)] })).toEqual({ requests: [0, 7, 7] });
    expect(fitted({ few: [seen(2, 2, 8)], many: [seen(2, 2, 8)] })).toEqual({ requests: [0, 2, 2] });
  });

  test('is the mean of what several seeds show, and names what it shares', () => {
    const few = [seen(0, 1, 2, { uses: ['an invoice'] }), seen(0, 1, 4)];
    const many = [seen(0, 3, 6), seen(0, 3, 8)];
    expect(fitted({ few, many })).toEqual({ requests: [1, 0, 2], uses: ['an invoice'] });
  });

  test('without a ceiling is more by each case; less than half a request is chance', () => {
    const sightings = { few: [seen(0, 3, 6)], many: [seen(0, 60, 120)] };
    expect(fitted({ ...sightings, impolite: seen(0, 3, 36) })).toEqual({ requests: [0, 0, 2, 10] });
    expect(fitted({ ...sightings, impolite: seen(0, 3, 7) })).toEqual({ requests: [0, 0, 2] });
  });
});
