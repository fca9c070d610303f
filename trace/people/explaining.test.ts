import { expect, test } from 'vitest';
import { shownBody } from './body.ts';
import { allowing } from './testing/allowances.ts';

const shown = (message: string): string => shownBody(JSON.stringify({ message }), allowing());

test.each([
  ['escaped by JSON', 'não consta: Concei\\u00e7\\u00e3o Guimar\\u00e3es Prado'],
  ['escaped by HTML', 'não consta: Jer&ocirc;nimo Assun&#231;&atilde;o'],
  ['in percents', 'não consta: Ubirajara%20Jacarand%C3%A1'],
  ['with the last one first', 'não consta: Bittencourt, Zuleica Maria'],
])('a name in a text that explains is hidden whole, %s', (_, text) => {
  expect(shown(text)).toMatch(/^\{"message":"não consta: … \d+ (?:letters|characters) ~\w{4}"\}$/);
});

test.each(['não consta: c\\u00f3digo 404', 'campo com &eacute; inv&aacute;lido', '100% inválido'])(
  'a text without a name stays as it is written: %s',
  (text) => {
    expect(shown(text)).toBe(JSON.stringify({ message: text }));
  },
);
