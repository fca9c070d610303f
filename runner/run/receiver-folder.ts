import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ArgumentError, fileErrorCode } from '../command-line/argument-error.ts';
import { open, readFile, type FileHandle } from 'node:fs/promises';
import pLimit from 'p-limit';
import { jsonIn, type Arrival } from '../../trace/exchange.ts';
import { receiverLimits, withoutCodings } from '../../targets/receiver/receiver.ts';
import { signedBytesOf } from '../../client/verify-delivery.ts';

/** The out folder of a receiver, which outlives it. */
export interface ReceiverFolder {
  /** The path of the address at the last start. */
  readonly keptPathName: string | undefined;
  readonly logPath: string;
  readonly log: DeliveryLog;
  /** Keeps a path for the next starts; after a crash either the old or the new one is there. */
  keepPathName(pathName: string): void;
}

/** Opens an out folder, and makes what is missing of it. Throws an ArgumentError that names the flag. */
export async function openReceiverFolder(out: string): Promise<ReceiverFolder> {
  const pathFile = join(out, 'path');
  const logPath = join(out, 'deliveries.jsonl');
  try {
    mkdirSync(out, { recursive: true });
    const keptPathName = readPathName(pathFile);
    return {
      keptPathName,
      logPath,
      log: await openDeliveryLog(logPath),
      keepPathName(pathName) {
        if (pathName === keptPathName) return;
        writeFileSync(`${pathFile}.new`, `${pathName}\n`, { mode: 0o600, flush: true });
        renameSync(`${pathFile}.new`, pathFile);
      },
    };
  } catch (error) {
    if (error instanceof ArgumentError) throw error;
    throw new ArgumentError(`--out takes a folder that may be written: ${out} can't be used (${fileErrorCode(error)})`);
  }
}

/** The deliveries in the out folder of a receiver, oldest first. Throws an ArgumentError for a folder without any. */
export async function readStored(out: string): Promise<LoggedDelivery[]> {
  try {
    return await readDeliveries(join(out, 'deliveries.jsonl'));
  } catch (error) {
    throw new ArgumentError(
      `--received takes the folder of a receiver: ${out} can't be read (${fileErrorCode(error)})`,
    );
  }
}

function readPathName(path: string): string | undefined {
  const text = readIfPresent(path)?.trim();
  if (text === undefined || isPathName(text)) return text;
  throw new ArgumentError(`--out: ${path} holds no path of an address; remove it, and save the new address`);
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (fileErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Whether a text can be the path of an address: as long as 128 bits in base64url at least. */
export function isPathName(text: string): boolean {
  return /^[\w-]{22,200}$/.test(text);
}

/** A delivery as the log has it. */
export interface LoggedDelivery extends Arrival {
  /** The path segment of the address at which it arrived. */
  readonly pathName: string;
  /** With which status it was to be answered. */
  readonly answeredStatus: number;
}

/** A file to which deliveries are added, a line of JSON each. Its `token` headers are kept: it is readable by its owner only. */
interface DeliveryLog {
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
  const inTurn = pLimit(1);
  return {
    append: (delivery) => inTurn(() => write(`${JSON.stringify(lineOf(delivery))}\n`)),
    close: () => inTurn(() => file.close()),
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

/** The deliveries of a log, oldest first, without lines that were torn by a receiver that was killed. Rejects with the system's error. */
export async function readDeliveries(path: string): Promise<LoggedDelivery[]> {
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '');
  const read = await Promise.all(lines.map(deliveryOf));
  return read.filter((delivery) => delivery !== undefined);
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
  const line = jsonIn(text);
  if (!isLine(line)) return undefined;
  const { time, body, bodyEncoding, ...rest } = line;
  const rawBody = Buffer.from(body, bodyEncoding);
  return withoutCodings({ ...rest, rawBody, arrivedAtMs: Date.parse(time) }, receiverLimits.bodyBytes);
}

/** Whether a value is a line that `lineOf` made: a torn one is no JSON, so that a few fields tell. */
function isLine(value: unknown): value is Line {
  return typeof value === 'object' && value !== null && 'bodyEncoding' in value && 'answeredStatus' in value;
}
