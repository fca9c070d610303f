import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from './transaction.ts';

/**
 * Ends the attempts that nobody saw the end of, because the simulator ended first, and makes each due again that its delivery
 * still needs. Whether the receiver got it is unknown: it counts as no failure, and no retry is used up. Section 6.
 */
export function resumeInterrupted(database: DatabaseSync): void {
  inTransaction(database, () => {
    database.exec(resumed);
    database.exec(ended);
  });
}

const resumed = `
  INSERT INTO attempts (delivery, app_key, target, kind, due_ms)
  SELECT a.delivery, a.app_key, a.target, a.kind, a.started_ms FROM attempts a JOIN deliveries d ON d.id = a.delivery
  WHERE a.started_ms IS NOT NULL AND a.ended_ms IS NULL AND (a.kind = 'manual' OR d.state = 'pending')
`;

const ended = `
  UPDATE attempts SET ended_ms = started_ms, error = 'the simulator ended before the attempt did'
  WHERE started_ms IS NOT NULL AND ended_ms IS NULL
`;
