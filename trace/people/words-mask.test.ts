import { expect, test } from 'vitest';
import { wordsMask } from './words-mask.ts';

const mask = wordsMask(
  new Map([
    ['José da Conceição', '$nome'],
    ['Ana', '$nome'],
    ['Ana Lima & Cia', '$razaoSocial'],
    ['39053344705', '$cpf'],
    ['390.533.447-05', '$cpf'],
    ['张伟', '$nome'],
  ]),
);

test.each([
  ['as it stands', 'o nome José da Conceição consta', 'o nome $nome consta'],
  ['in capitals', 'JOSÉ DA CONCEIÇÃO', '$nome'],
  ['without accents', 'jose da conceicao', '$nome'],
  ['with accents of their own', 'Jose\u0301 da Conceic\u0327a\u0303o!', '$nome!'],
  ['over two lines', 'José\r\n   da\tConceição', '$nome'],
  ['as JSON escapes', String.raw`"Jos\u00e9 da Concei\u00e7\u00e3o"`, '"$nome"'],
  ['as JSON escapes twice', String.raw`\"Jos\\u00e9\\nda Conceição\"`, String.raw`\"$nome\"`],
  ['as XML escapes', 'Jos&#233; da Concei&ccedil;&#xE3;o', '$nome'],
  ['as XML escapes twice', 'Ana Lima &amp;amp; Cia', '$razaoSocial'],
  ['in percents', 'Jos%C3%A9%20da%20Concei%C3%A7%C3%A3o', '$nome'],
  ['in percents of Latin-1', 'Jos%E9 da Concei%E7%E3o', '$nome'],
  ['in percents twice', 'Jos%25C3%25A9%2520da%2520Concei%25C3%25A7%25C3%25A3o', '$nome'],
  ['in a text of a script without blanks', '用户张伟不存在', '用户$nome不存在'],
  ['with more behind it that is known as well', 'Ana Lima & Cia, Ana', '$razaoSocial, $nome'],
  ['right beside letters, of a number', 'id39053344705x', 'id$cpfx'],
  ['with points', 'CPF 390.533.447-05.', 'CPF $cpf.'],
])('a value is hidden that is written %s', (_, text, masked) => {
  expect(mask(text)).toBe(masked);
});

test.each(['Banana', 'Anacleto', '139053344705', '390533447051', 'Jose da Silva'])(
  'what only begins like it stays: %s',
  (text) => {
    expect(mask(text)).toBe(text);
  },
);

test.each(['$NFE_ANA_LIMA', '… 11 letters ~anab', '(another token of 39053344705 characters)'])(
  'what stands for something hidden stays as it is: %s',
  (text) => {
    const more = wordsMask(
      new Map([
        ['letters', '$a'],
        ['39053344705', '$b'],
        ['ANA', '$c'],
        ['11', '$d'],
      ]),
    );
    expect(more(text)).toBe(text);
  },
);

test('a value of many words is hidden to its end, and so is its start', () => {
  const words = Array.from({ length: 100 }, (_, index) => `palavra${index}x`);
  const long = wordsMask(new Map([[words.join(' '), '$texto']]));
  expect(long(`a ${words.join(' ')} b`)).toBe('a $texto b');
  expect(long(words.slice(0, 60).join(' '))).not.toContain('palavra10x');
});

test('ten thousand values take no longer to hide than a few', () => {
  const people = Array.from({ length: 10_000 }, (_, index): [string, string] => [
    `Ana Lima ${index} de Souza`,
    '$nome',
  ]);
  const text = 'Ana Lima 77 de Souza e Ana Lima de Souza '.repeat(2_000);
  const [few, many] = [wordsMask(new Map(people.slice(0, 100))), wordsMask(new Map(people))];
  const timeOf = (hide: typeof few): number => {
    const started = performance.now();
    expect(hide(text)).toContain('$nome e Ana Lima de Souza');
    return performance.now() - started;
  };
  timeOf(few);
  expect(timeOf(many)).toBeLessThan(Math.max(500, timeOf(few) * 5));
});
