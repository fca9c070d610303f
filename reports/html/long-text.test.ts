import { expect, test } from 'vitest';
import { blockOf, leastRoom, lineOf, textRooms } from './words.ts';

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

test('marks in a text count as what they take', () => {
  const { html } = blockOf(`${'\r\t'.repeat(500)}end`, { ...room, block: 1_000 });
  const shown = /<pre[^>]*>(.*)<\/pre>/s.exec(html)?.[1] ?? '';
  expect(shown.length).toBeGreaterThan(500);
  expect(shown.length).toBeLessThanOrEqual(1_000);
});

test('no character is cut in two', () => {
  expect(lineOf(`x${'😀'.repeat(100)}`, room).html).toMatch(/^x(?:😀){12} <span/);
  expect(lineOf('a\ud83d', room).html).toBe('a\\u{d83d}');
});

test('rooms get narrower, down to that of an ordinary finding, and a line never takes more than two thousand bytes', () => {
  const blocks = [...textRooms, leastRoom].map(({ block }) => block);
  expect(blocks).toEqual([...blocks].sort((a, b) => b - a));
  expect(leastRoom.block).toBeGreaterThanOrEqual(600);
  for (const { block, line } of [...textRooms, leastRoom]) expect(line).toBe(Math.min(block, 2_000));
});
