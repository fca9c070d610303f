import { expect, test } from 'vitest';
import { type Reach, levelBrief, levelDistance, levelSentence } from './levels.ts';

function reach(complete: Reach['complete'], ...counts: readonly (readonly [number, number])[]): Reach {
  const names = ['secret', 'credentials', 'receiver', 'control'] as const;
  return {
    complete,
    reached: names.map((name, index) => {
      const [exercised, of] = counts[index] ?? [140, 1254];
      return { name, exercised, of };
    }),
  };
}

test.each([
  [
    reach('secret', [83, 83], [140, 150]),
    'Level secret complete: all 83 must clauses that it can exercise hold; level credentials: 140 of 150 exercised.',
    'Nível secret completo: todas as 83 cláusulas obrigatórias que ele pode exercitar são cumpridas; nível credentials: 140 de 150 exercitadas.',
  ],
  [
    reach('control', [1, 1], [1, 1], [1, 1], [1254, 1254]),
    'Level control complete: all 1,254 must clauses that it can exercise hold.',
    'Nível control completo: todas as 1.254 cláusulas obrigatórias que ele pode exercitar são cumpridas.',
  ],
  [
    reach(null, [1, 83]),
    'No level complete; level secret: 1 of 83 exercised.',
    'Nenhum nível completo; nível secret: 1 de 83 exercitada.',
  ],
  [
    reach('secret', [1, 1], [150, 150]),
    'Level secret complete: the one must clause that it can exercise holds; level credentials: all 150 exercised, not all hold.',
    'Nível secret completo: a única cláusula obrigatória que ele pode exercitar é cumprida; nível credentials: todas as 150 exercitadas, nem todas cumpridas.',
  ],
])('the sentence says which level is complete and how far the next one is: %j', (level, english, portuguese) => {
  expect(levelSentence(level)).toBe(english);
  expect(levelSentence(level, 'pt-BR')).toBe(portuguese);
});

test('in a few words it is the level that is complete, or how far the first one is', () => {
  expect(levelBrief(reach('receiver'))).toBe('level receiver complete');
  expect(levelBrief(reach(null, [80, 83]))).toBe('level secret: 80 of 83 exercised');
});

test('any level can be asked for how far it is', () => {
  expect(levelDistance(reach('secret', [83, 83], [140, 150]), 'credentials')).toBe(
    'level credentials: 140 of 150 exercised',
  );
});
