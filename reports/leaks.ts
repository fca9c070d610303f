/** Looks for the secrets of a run in a text; gives what stands for each that it finds, never the secret. */
export interface SecretSearch {
  /** How many secrets are sought. */
  readonly sought: number;
  readonly foundIn: (text: string) => readonly string[];
}

/** A file that was about to be written with a secret in it. */
export interface Leak {
  readonly file: string;
  /** What stands for the secret: `$` and the name of its setting. */
  readonly stand: string;
}

/** Thrown when a report is withheld since a secret was found in it. */
export class LeakError extends Error {
  override readonly name = 'LeakError';

  constructor(leaks: readonly Leak[]) {
    const files = [...Map.groupBy(leaks, ({ file }) => file)];
    const held = files.map(([file, own]) => `${file} (${own.map(({ stand }) => stand).join(', ')})`);
    super(
      `not written, since a secret was found in it that the mask had missed: ${held.join('; ')}; ` +
        'that is a bug of the suite, unless the secret is a word that any report may hold: then choose another; ' +
        'the files that were written hold none',
    );
  }
}
