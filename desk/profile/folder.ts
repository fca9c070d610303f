import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { profileFiles } from '../../targets/profile.ts';
import { ArgumentError, fileErrorCode } from '../../runner/command-line/argument-error.ts';
import { recordFile } from './record.ts';

/**
 * Refuses a folder that a profile can't be written to, before anything is sent for it. Files that are there are only
 * overwritten by force. Throws an ArgumentError.
 */
export function refuseUnfitFolder(folder: string, isForced: boolean): void {
  const names = new Set([...Object.keys(profileFiles), recordFile]);
  const taken = orRefused(folder, () => (existsSync(folder) ? readdirSync(folder) : [])).filter((name) =>
    names.has(name),
  );
  if (taken.length > 0 && !isForced) {
    throw new ArgumentError(`${folder} has a ${taken[0]}: name another folder, or let --force overwrite what is there`);
  }
  orRefused(folder, () => {
    const { isNew, place } = placeOf(folder);
    if (isNew) mkdirSync(place, { recursive: true });
    rmSync(mkdtempSync(join(place, '.profile-')), { recursive: true });
  });
}

/** Writes files into a folder: all of them or none, each readable by its owner only. Throws an ArgumentError. */
export function writeFolder(folder: string, files: ReadonlyMap<string, Buffer>): void {
  orRefused(folder, () => {
    const { isNew, place } = placeOf(folder);
    const stage = mkdtempSync(join(place, '.profile-'));
    try {
      for (const [name, bytes] of files) writeFileSync(join(stage, name), bytes, { mode: 0o600, flush: true });
      if (isNew) renameSync(stage, folder);
      else for (const name of files.keys()) renameSync(join(stage, name), join(folder, name));
    } finally {
      rmSync(stage, { recursive: true, force: true });
    }
  });
}

/** Where files are put until all are there: on the same disk as the folder, inside it once it exists. */
function placeOf(folder: string): { readonly isNew: boolean; readonly place: string } {
  const isNew = !existsSync(folder);
  return { isNew, place: isNew ? dirname(resolve(folder)) : folder };
}

function orRefused<T>(folder: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw new ArgumentError(`${folder} can't be written (${fileErrorCode(error)}): name a folder that can be`);
  }
}
