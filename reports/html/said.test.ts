import { expect, test } from 'vitest';
import { said, saidCount, saidDuration, saidFigure, saidPart } from './words.ts';

const both = (english: string, portuguese: string): string =>
  `<span class="said"><span lang="en">${english}</span><span lang="pt-BR">${portuguese}</span></span>`;

test('what is the same in both languages is there once', () => {
  expect(said('bytes', 'bytes').html).toBe('bytes');
  expect(said('<b>', 'b').html).toBe(both('&#60;b&#62;', 'b'));
});

test('numbers are written as each language has them', () => {
  expect(saidFigure(999).html).toBe('999');
  expect(saidFigure(3_607).html).toBe(both('3,607', '3.607'));
  expect(saidPart(1, 1_000).html).toBe(both('1 of 1,000', '1 de 1.000'));
  expect(saidDuration(31).html).toBe('31 ms');
  expect(saidDuration(12_345).html).toBe(both('12.3 s', '12,3 s'));
});

test('a count has the noun of its language', () => {
  const nouns = { en: ['case', 'cases'], 'pt-BR': ['caso', 'casos'] } as const;
  expect(saidCount(1, nouns).html).toBe(both('1 case', '1 caso'));
  expect(saidCount(3_607, nouns).html).toBe(both('3,607 cases', '3.607 casos'));
});
