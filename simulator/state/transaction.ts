import type { DatabaseSync } from 'node:sqlite';

/** Runs `work` as one transaction: all of it is kept, or none. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // Where the disk is full SQLite has ended it by itself.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}
