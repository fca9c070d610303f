import { expect, test } from 'vitest';
import { stableWords } from './texts.ts';

test.each([
  ['Token inválido. Rastreio e3f6620e-f1a6', 'Token inválido. Rastreio 950309de-5c80', 'Token inválido Rastreio'],
  ['Invalid token [kqzwvx]', 'Invalid token [pmtrab]', 'Invalid token'],
  ['令牌无效。（追踪号：950309de-5c80）', '令牌无效。（追踪号：e3f6620e-f1a6）', '令 牌 无 效 追 踪 号'],
  ['编号abc令牌无效', '编号xyz令牌无效', '编 号 令 牌 无 效'],
  ['às 12:03:07, recusado', 'às 12:03:08, recusado', 'às recusado'],
])('a trace that changes is no part of what a text says: %s', (one, other, words) => {
  expect(stableWords(one, other).join(' ')).toBe(words);
});

test('texts that share nothing have no words in common', () => {
  expect(stableWords('Token inválido', 'Firma incorrecta')).toEqual([]);
});
