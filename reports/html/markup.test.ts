import { expect, test } from 'vitest';
import { exactLine, exactText, markup } from './markup.ts';
import { statementText } from './words.ts';

test('a text is escaped, in an element and in an attribute', () => {
  const text = `<a href='x'>"&amp;`;
  const escaped = '&#60;a href=&#39;x&#39;&#62;&#34;&#38;amp;';
  expect(markup`<p title="${text}">${text}</p>`.html).toBe(`<p title="${escaped}">${escaped}</p>`);
});

test('markup stays, lists are joined, numbers are shown and undefined is nothing', () => {
  const items = [1, 'a<', markup`<b>c</b>`].map((item) => markup`<li>${item}</li>`);
  expect(markup`<ul>${items}</ul>${undefined}${0}`.html).toBe('<ul><li>1</li><li>a&#60;</li><li><b>c</b></li></ul>0');
});

test('invisible characters of a text are spelt out, line breaks stay', () => {
  expect(markup`${'a\u0000\u202e\nb\r'}`.html).toBe('a\\u{0}\\u{202e}\nb\\r');
});

test('an exact text marks each line end and breaks the line at LF only', () => {
  const mark = (text: string): string => `<span class="mark">${text}</span>`;
  expect(exactText('a\r\nb\n\nc\rd').html).toBe(
    `a${mark('\\r\\n')}\nb${mark('\\n')}\n${mark('\\n')}\nc${mark('\\r')}d`,
  );
  expect(exactText('<\u001b>').html).toBe(`&#60;${mark('\\u{1b}')}&#62;`);
});

test('an exact line stays one line', () => {
  expect(exactLine('a\r\nb').html).toBe('a<span class="mark">\\r\\n</span>b');
});

test('back-quoted words of a statement are code, and an odd back-quote stays', () => {
  expect(statementText('A `sign` of `<b>` is').html).toBe('A <code>sign</code> of <code>&#60;b&#62;</code> is');
  expect(statementText('a ` b').html).toBe('a ` b');
});
