import { expect, test } from 'vitest';
import { renderedDanfe } from './rendered.ts';

const broken = (text: string) => ({ xml: Buffer.from(text), isCancelled: false });

test('what asks for the same DANFE at a time is given one drawing of it', async () => {
  const [one, other] = [renderedDanfe(broken('<a/>')), renderedDanfe(broken('<a/>'))];
  expect(one).toBe(other);
  await expect(one).rejects.toThrow('nfeProc');
});

test('a drawing that failed is tried again', async () => {
  const first = renderedDanfe(broken('<b/>'));
  await expect(first).rejects.toThrow('nfeProc');
  const second = renderedDanfe(broken('<b/>'));
  expect(second).not.toBe(first);
  await expect(second).rejects.toThrow('nfeProc');
});

test('a cancelled invoice has a drawing of its own', async () => {
  const [one, other] = [renderedDanfe(broken('<c/>')), renderedDanfe({ ...broken('<c/>'), isCancelled: true })];
  expect(one).not.toBe(other);
  await Promise.allSettled([one, other]);
});
