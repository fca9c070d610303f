import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TargetAddress } from '../../targets/address.ts';
import type { EmpresaMemory } from '../../targets/empresa.ts';
import { readLines } from '../../reports/history.ts';
import { isFileError } from '../command-line/argument-error.ts';
import { isRememberedEmpresa, type RememberedEmpresa } from '../../schemas/stored.ts';
import { namedSecrets, type Settings } from '../settings/settings.ts';
import { historyPath } from './history-file.ts';
import type { JsonObject } from '../../schemas/values.ts';

/**
 * The companies that this machine has had registered at that sandbox, in a file beside the history: a provider may refuse a
 * company that is there, and a second run needs its `empresaId`. None of a simulator that a run starts itself, nor where a
 * control API makes applications anew. Section 4.1, endpoint 2.
 */
export function empresaMemoryAt(
  settings: Settings,
  { kind, control, baseUrl }: TargetAddress,
): EmpresaMemory | undefined {
  if (kind !== 'sandbox' || control) return undefined;
  const path = join(dirname(historyPath(settings)), 'empresas.jsonl');
  const recall = (body: JsonObject): string | undefined => {
    const { read } = readLines(unlessFileError(() => readFileSync(path, 'utf8')) ?? '', isRememberedEmpresa);
    return read.findLast((line) => line.baseUrl === baseUrl && line.body === digestOf(body))?.empresaId;
  };
  return {
    recall,
    keep(body, empresaId) {
      // What a target calls an id may be what it was sent.
      const isSecret = [...namedSecrets(settings).keys()].some((secret) => empresaId.includes(secret));
      if (!isSecret && recall(body) !== empresaId) add(path, { baseUrl, body: digestOf(body), empresaId });
    },
  };
}

function digestOf(body: JsonObject): string {
  return createHash('sha256').update(JSON.stringify(body)).digest('hex');
}

function add(path: string, line: RememberedEmpresa): void {
  unlessFileError(() => {
    mkdirSync(dirname(path), { recursive: true });
    appendFileSync(path, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  });
}

/** What can't be kept costs a later run its company, and this one nothing. */
function unlessFileError<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (isFileError(error)) return undefined;
    throw error;
  }
}
