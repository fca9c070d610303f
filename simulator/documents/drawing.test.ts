import { expect, test } from 'vitest';
import { documentOf } from '../testing/document-input.ts';
import { bodyWith } from '../testing/invoice-bodies.ts';
import { danfePdf, type DanfeInput } from './danfe.ts';
import { drawn } from './drawing.ts';
import { nfeProc } from './nfe-xml.ts';

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
