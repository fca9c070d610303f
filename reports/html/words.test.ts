import { expect, test } from 'vitest';
import {
  said,
  saidCount,
  saidDuration,
  saidFigure,
  saidPart,
  blockOf,
  lineOf,
  sizeText,
  spellingNote,
} from './words.ts';
import { exactText } from './markup.ts';

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

const room = { block: 100, line: 50 };

test('a text that its room holds is shown as it is', () => {
  expect(lineOf('a<b', room).html).toBe('a&#60;b');
  expect(lineOf('x'.repeat(50), room).html).toBe('x'.repeat(50));
  expect(blockOf('a\nb', room, 'actual').html).toBe(
    '<pre class="actual" tabindex="0">a<span class="mark" data-mark="\\n">\n</span>b</pre>',
  );
});

test('a longer one is shown as far as that, by its size in the page, and says so in both languages behind it', () => {
  expect(lineOf('<'.repeat(1_000), room).html).toBe(
    `${'&#60;'.repeat(10)} <span class="note cut"><span class="said">` +
      '<span lang="en">… the first 10 of 1,000 characters; the others are in results.json</span>' +
      '<span lang="pt-BR">… os primeiros 10 de 1.000 caracteres; os outros estão em results.json</span></span></span>',
  );
  expect(blockOf('é'.repeat(1_000), room).html).toMatch(
    /^<pre class="" tabindex="0">é{50}<\/pre> <span class="note cut">/,
  );
});

test('no character is cut in two', () => {
  expect(lineOf(`x${'😀'.repeat(100)}`, room).html).toMatch(/^x(?:😀){12} <span/);
  expect(lineOf('a\ud83d', room).html).toBe('a\\u{d83d}');
});

const body = { text: 'abc', encoding: 'utf-8', bytes: 3 } as const;

test('a body has its size, and what is not shown as it is says so', () => {
  expect(sizeText(body).html).toBe('3 bytes');
  expect(sizeText({ ...body, bytes: 1 }).html).toBe('1 byte');
  expect(sizeText({ ...body, encoding: 'base64' }).html).toMatch(/^3 bytes.*, not UTF-8, shown in base64</);
});

test('of a body that was cut it says how much was kept', () => {
  const { html } = sizeText({ text: 'x'.repeat(3_000), encoding: 'utf-8', bytes: 9_000, cut: true });
  expect(html).toContain('; only the first 3,000 characters were kept');
  expect(html).toContain('; só os primeiros 3.000 caracteres foram guardados');
});

test('a text with something spelt out says that a copy has the spelling', () => {
  expect(spellingNote(exactText('a\u0000'))?.html).toContain('such as <code>\\u{0}</code>: a copy has the spelling');
});

test('a text that copies exactly says nothing, whatever it spells itself', () => {
  expect(spellingNote(exactText('a\r\n\t\\u{0}<span class="spelt">'))).toBeUndefined();
});
