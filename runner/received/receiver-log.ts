import { open, readFile, type FileHandle } from 'node:fs/promises';
import { receiverLimits, withoutCodings } from '../../targets/receiver/receiver.ts';
import type { Arrival } from '../../trace/exchange.ts';
import { signedBytesOf } from '../../client/verify-delivery.ts';

/** A delivery as the log has it. */
export interface LoggedDelivery extends Arrival {
  /** The path segment of the address at which it arrived. */
  readonly pathName: string;
  /** With which status it was to be answered. */
  readonly answeredStatus: number;
}

/** A file to which deliveries are added, a line of JSON each. Its `token` headers are kept: it is readable by its owner only. */
export interface DeliveryLog {
  /** Resolves when the delivery is on the disk; deliveries are written in the order of the calls. Rejects with the system's error. */
  append(delivery: LoggedDelivery): Promise<void>;
  /** Closes the file behind what is still being written. */
  close(): Promise<void>;
}

/** Only its owner: it holds secrets that a later run has to compare. */
const fileMode = 0o600;

const newline = 0x0a;

/** Opens the log, or makes one; what an earlier receiver left unfinished stays as a line of its own. Rejects with the system's error. */
export async function openDeliveryLog(path: string): Promise<DeliveryLog> {
  const file = await open(path, 'a+', fileMode);
  let isTorn = await preparedAndTorn(file);
  const write = async (text: string): Promise<void> => {
    const separated = isTorn ? `\n${text}` : text;
    isTorn = true;
    await file.appendFile(separated);
    await file.datasync();
    isTorn = false;
  };
  const { put, idle } = batched(write);
  return {
    append: (delivery) => put(`${JSON.stringify(lineOf(delivery))}\n`),
    async close() {
      await idle();
      await file.close();
    },
  };
}

/** Closes the file to others; tells whether it ends inside a line. */
async function preparedAndTorn(file: FileHandle): Promise<boolean> {
  const stats = await file.stat();
  // A link to a device stays as it is: its mode is everybody's.
  if (stats.isFile()) await file.chmod(fileMode);
  if (stats.size === 0) return false;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, stats.size - 1);
  return buffer[0] !== newline;
}

/** Puts texts out in their order; what comes while a write is under way goes out together in the next one. */
function batched(write: (text: string) => Promise<void>): {
  put: (text: string) => Promise<void>;
  idle: () => Promise<void>;
} {
  let last: Promise<void> = Promise.resolve();
  let next: { readonly texts: string[]; readonly written: Promise<void> } | undefined;
  const writeNext = (texts: readonly string[]): Promise<void> => {
    next = undefined;
    return write(texts.join(''));
  };
  const put = (text: string): Promise<void> => {
    if (!next) {
      const texts: string[] = [];
      next = { texts, written: last.then(() => writeNext(texts)) };
      last = next.written.catch(() => {});
    }
    next.texts.push(text);
    return next.written;
  };
  return { put, idle: () => last };
}

/** The deliveries of a log, oldest first, and how many of its lines were torn by a receiver that was killed. Rejects with the system's error. */
export async function readDeliveries(path: string): Promise<{ deliveries: LoggedDelivery[]; tornLines: number }> {
  const lines = linesOf(await readFile(path));
  const read = await Promise.all(lines.map((line) => deliveryOf(line.toString('utf8'))));
  const deliveries = read.filter((delivery) => delivery !== undefined);
  return { deliveries, tornLines: read.length - deliveries.length };
}

/** The lines that are not empty. */
function linesOf(content: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0; start < content.length;) {
    const end = content.indexOf(newline, start);
    const line = content.subarray(start, end === -1 ? content.length : end);
    if (line.length > 0) lines.push(line);
    start += line.length + 1;
  }
  return lines;
}

/** The fields of a line, in their order. */
interface Line {
  /** ISO 8601, UTC. */
  readonly time: string;
  readonly pathName: string;
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
  readonly bodyEncoding: 'utf8' | 'base64';
  readonly isTooLarge: boolean;
  readonly answeredStatus: number;
}

function lineOf(delivery: LoggedDelivery): Line {
  const { arrivedAtMs, pathName, method, target, headers, ...rest } = delivery;
  const received = signedBytesOf(delivery);
  const text = received.toString('utf8');
  const bodyEncoding = Buffer.from(text, 'utf8').equals(received) ? 'utf8' : 'base64';
  const { isTooLarge, answeredStatus } = rest;
  const body = received.toString(bodyEncoding);
  const time = new Date(arrivedAtMs).toISOString();
  return { time, pathName, method, target, headers, body, bodyEncoding, isTooLarge, answeredStatus };
}

async function deliveryOf(text: string): Promise<LoggedDelivery | undefined> {
  const line = parsed(text);
  if (!isLine(line)) return undefined;
  const { time, body, bodyEncoding, ...rest } = line;
  const rawBody = Buffer.from(body, bodyEncoding);
  return withoutCodings({ ...rest, rawBody, arrivedAtMs: Date.parse(time) }, receiverLimits.bodyBytes);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a value is a line that `lineOf` made: a torn one is no JSON, so that a few fields tell. */
function isLine(value: unknown): value is Line {
  return typeof value === 'object' && value !== null && 'bodyEncoding' in value && 'answeredStatus' in value;
}
