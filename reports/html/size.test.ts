import { expect, test } from 'vitest';
import { sizeText } from './words.ts';

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
