import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { Drawn, Order } from './danfe-worker.ts';
import type { DanfeInput } from './danfe.ts';

/** DANFEs that were rendered last, by what they are drawn from: of many who ask for one at a time it is drawn for the first. */
const rendered = new Map<string, Promise<Buffer>>();
const mostKept = 50;

/** The DANFE of an invoice, drawn once while it is asked for again and again. */
export function renderedDanfe(input: DanfeInput): Promise<Buffer> {
  const key = `${createHash('sha256').update(input.xml).digest('base64')} ${input.isCancelled}`;
  const danfe = rendered.get(key) ?? drawn(input);
  rendered.delete(key);
  rendered.set(key, danfe);
  danfe.catch(() => rendered.delete(key));
  const [oldest] = rendered.keys();
  if (rendered.size > mostKept && oldest !== undefined) rendered.delete(oldest);
  return danfe;
}

interface Waiting {
  readonly resolve: (pdf: Buffer) => void;
  readonly reject: (error: unknown) => void;
}

/** The thread that draws; there is none until the first DANFE is asked for. */
let thread: { readonly worker: Worker; readonly waiting: Map<number, Waiting> } | undefined;
let orders = 0;

/** Draws a DANFE in a thread of its own, one after the other: it takes tens of milliseconds, in which others are answered. */
export function drawn({ xml, isCancelled }: DanfeInput): Promise<Buffer> {
  const { worker, waiting } = (thread ??= begun());
  const number = (orders += 1);
  return new Promise((resolve, reject) => {
    waiting.set(number, { resolve, reject });
    worker.ref();
    worker.postMessage({ number, xml, isCancelled } satisfies Order);
  });
}

function begun(): NonNullable<typeof thread> {
  // The flags of this process are for this process. What a drawing leaves behind is collected early: it would take 64 MiB else.
  const resourceLimits = { maxYoungGenerationSizeMb: 16 };
  const worker = new Worker(new URL('danfe-worker.ts', import.meta.url), { execArgv: [], resourceLimits });
  const waiting = new Map<number, Waiting>();
  worker.on('message', (answer: Drawn) => {
    const asker = waiting.get(answer.number);
    waiting.delete(answer.number);
    // Nothing keeps the process from ending while nobody waits.
    if (waiting.size === 0) worker.unref();
    if ('pdf' in answer) asker?.resolve(Buffer.from(answer.pdf.buffer, answer.pdf.byteOffset, answer.pdf.byteLength));
    else asker?.reject(answer.error);
  });
  const end = (error: unknown): void => {
    if (thread?.worker === worker) thread = undefined;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  worker.on('error', end);
  worker.on('exit', () => end(new Error('the thread that draws DANFEs has ended')));
  return { worker, waiting };
}
