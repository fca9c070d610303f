/** A file whose name is most likely meant to be another. */
export interface Typo {
  readonly name: string;
  readonly meant: string;
}

/**
 * The first of `names` that is none of `known`, but nearly one that is absent. What resembles a file that is there is a
 * copy or a backup of it, and no typo.
 */
export function likelyTypo(names: readonly string[], known: readonly string[]): Typo | undefined {
  const absent = known.filter((file) => !names.includes(file));
  return names
    .filter((name) => !known.includes(name))
    .flatMap((name) => absent.filter((file) => isSlip(bare(name), bare(file))).map((meant) => ({ name, meant })))[0];
}

/** Letters and digits alone: `NFe_Autorizada.JSON` is as good as `nf-e.autorizada.json`. */
function bare(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** Whether a name has something behind the meant one (`.json.txt`), or differs from it in one place by two letters at most. */
function isSlip(name: string, meant: string): boolean {
  if (name.startsWith(meant)) return true;
  const most = Math.min(name.length, meant.length);
  const head = sharedLength(name, meant, most, (text, index) => text[index]);
  const tail = sharedLength(name, meant, most - head, (text, index) => text.at(-1 - index));
  return Math.max(name.length, meant.length) - head - tail <= 2;
}

/** How many letters two texts share, counted from the end that `letterAt` counts from. */
function sharedLength(
  one: string,
  other: string,
  most: number,
  letterAt: (text: string, index: number) => string | undefined,
): number {
  let length = 0;
  while (length < most && letterAt(one, length) === letterAt(other, length)) length += 1;
  return length;
}
