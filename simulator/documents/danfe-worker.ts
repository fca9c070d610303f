import { parentPort } from 'node:worker_threads';
import { type DanfeInput, danfePdf } from './danfe.ts';

/** What the thread is asked. */
export interface Order extends DanfeInput {
  readonly number: number;
}

/** What it answers: the PDF, or why there is none. */
export type Drawn = { readonly number: number } & ({ readonly pdf: Uint8Array } | { readonly error: unknown });

let last: Promise<void> = Promise.resolve();

// One after the other: a hundred at once would all be half drawn, in memory and late.
parentPort?.on('message', (order: Order) => {
  last = last.then(() => draw(order));
});

async function draw({ number, xml, isCancelled }: Order): Promise<void> {
  let drawn: Drawn;
  try {
    drawn = { number, pdf: await danfePdf({ xml: Buffer.from(xml), isCancelled }) };
  } catch (error) {
    drawn = { number, error };
  }
  parentPort?.postMessage(drawn);
}
