import type { DatabaseSync } from 'node:sqlite';

/** Kept at most, before it begins anew. */
const mostKept = 1_000;

/** What was read of a table, by its key, until something is written there. */
export class Remembered<T extends object> {
  readonly #database: DatabaseSync;
  readonly #known = new Map<string, T>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** What is known of that key, or else what is read now; kept where it may be. */
  of(key: string, read: () => T | undefined, mayBeKept: (found: T) => boolean = () => true): T | undefined {
    const known = this.#known.get(key);
    if (known) return known;
    const found = read();
    // What a transaction has written may be undone yet.
    if (found && !this.#database.isTransaction && mayBeKept(found)) {
      if (this.#known.size >= mostKept) this.forget();
      this.#known.set(key, found);
    }
    return found;
  }

  /** To be called with each write. */
  forget(): void {
    this.#known.clear();
  }
}
