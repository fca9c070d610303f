import { SettingError } from './setting-error.ts';
import { settingsTable } from './settings-table.ts';

/** The public names of all settings, in the order of the table. */
export const settingNames: readonly string[] = Object.values(settingsTable).map(({ name }) => name);

/** How many letters must be changed, added or dropped to make one text of the other. */
export function editDistance(one: string, other: string): number {
  let distances = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [row, letter] of Array.from(one).entries()) {
    const next = [row + 1];
    for (const [column, otherLetter] of Array.from(other).entries()) {
      const [diagonal = 0, above = 0] = distances.slice(column, column + 2);
      const left = next[column] ?? 0;
      next.push(Math.min(diagonal + (letter === otherLetter ? 0 : 1), above + 1, left + 1));
    }
    distances = next;
  }
  return distances.at(-1) ?? 0;
}

/** The candidate that `text` is most likely a misspelling of, letter case aside; `undefined` when none is near. */
export function nearest(text: string, candidates: readonly string[], mostEdits: number): string | undefined {
  const lengthOf = (one: string): number => Array.from(one).length;
  // Of texts that differ more in length nothing needs to be reckoned: each command asks this of its whole environment.
  const near = candidates
    .filter((candidate) => Math.abs(lengthOf(candidate) - lengthOf(text)) <= mostEdits)
    .map((candidate) => ({ candidate, edits: editDistance(text.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ edits }) => edits <= mostEdits)
    .sort((one, other) => one.edits - other.edits);
  return near[0]?.candidate;
}

/** Whether a name claims to be a setting: by its prefix, or because it is a slip away from one (`NEF_TARGET`). */
export function isMeantAsSetting(name: string): boolean {
  return /^nfe_/i.test(name) || nearest(name, settingNames, 2) !== undefined;
}

/** Refuses a name that is meant as a setting and is none: otherwise it would go unheeded. */
export function refuseUnknownSettings(names: readonly string[]): void {
  for (const name of names) {
    if (settingNames.includes(name) || !isMeantAsSetting(name)) continue;
    const meant = nearest(name, settingNames, Math.floor(name.length / 3));
    throw new SettingError(
      `${name} is not a setting: ${meant ? `did you mean ${meant}?` : '.env.example lists them all'}`,
    );
  }
}
