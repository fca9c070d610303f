import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ArgumentError } from '../command-line/argument-error.ts';
import { fileErrorCode } from '../results/file-error.ts';
import { openDeliveryLog, readDeliveries, type DeliveryLog, type LoggedDelivery } from './receiver-log.ts';

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
    return (await readDeliveries(join(out, 'deliveries.jsonl'))).deliveries;
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
