import { expect, test } from 'vitest';
import { documentOf } from '../testing/documents.ts';
import { bodyWith } from '../testing/invoice-bodies.ts';
import { drawn, renderedDanfe } from './download.ts';
import { type DanfeInput, danfePdf } from './danfe.ts';
import { nfeProc } from './nfe-xml.ts';

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

const inputs = Array.from({ length: 5 }, (_, at): DanfeInput => {
  return { xml: nfeProc(documentOf(bodyWith({ informacoesAdicionais: `DANFE ${at}` }))).xml, isCancelled: false };
});

/** Processor time of this thread until that is done, in milliseconds. */
async function costHere(work: () => Promise<unknown>): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

test('a DANFE comes out as it is drawn, whoever draws it', async () => {
  for (const input of inputs) expect((await drawn(input)).equals(await danfePdf(input))).toBe(true);
});

test('drawing takes next to nothing of the thread that answers requests', async () => {
  const all = (draw: (input: DanfeInput) => Promise<Buffer>) => () => Promise.all(inputs.map(draw));
  expect(await costHere(all(drawn))).toBeLessThan((await costHere(all(danfePdf))) / 4);
});

test('what can not be drawn keeps nobody else waiting', async () => {
  const [broken, sound] = [drawn({ xml: Buffer.from('<a/>'), isCancelled: false }), drawn(inputs[0] ?? never())];
  await expect(broken).rejects.toThrow('nfeProc');
  expect((await sound).subarray(0, 5).toString()).toBe('%PDF-');
});

function never(): never {
  throw new Error('there are inputs');
}
