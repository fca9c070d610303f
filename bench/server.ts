import { hash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startSimulator } from '../simulator/start.ts';

/*
 * A server in a process of its own, so that its processor time is its own: the simulator, or one that reads a body, takes its MD5
 * and answers a constant of so many bytes.
 */

/** What the process is asked. */
export type Asked = 'usage' | { readonly answerBytes: number };

/** What it answers: where it listens, and later what it has used. */
export interface Told {
  readonly baseUrl: string;
  readonly controlToken: string;
  /** Of the processor, all threads together. */
  readonly cpuMs: number;
  readonly memoryBytes: number;
}

const [, , kind, dataFile] = process.argv;
let answer = Buffer.alloc(0);

async function started(): Promise<Pick<Told, 'baseUrl' | 'controlToken'>> {
  if (kind === 'simulator') {
    const { baseUrl, controlToken = '' } = await startSimulator(dataFile === undefined ? {} : { dataFile });
    return { baseUrl, controlToken };
  }
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const sign = hash('md5', Buffer.concat(chunks), 'hex');
      response.writeHead(200, { 'content-length': answer.length, sign }).end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return { baseUrl: `http://127.0.0.1:${isAddress(address) ? address.port : 0}`, controlToken: '' };
}

function isAddress(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}

const where = await started();
const tell = (): void => {
  const { user, system } = process.cpuUsage();
  process.send?.({ ...where, cpuMs: (user + system) / 1000, memoryBytes: process.memoryUsage.rss() } satisfies Told);
};
process.on('message', (asked: Asked) => {
  if (asked !== 'usage') answer = Buffer.alloc(asked.answerBytes, 'a');
  tell();
});
process.on('disconnect', () => process.exit());
tell();
