import { readings } from '../../contract/readings.ts';

/** How doubtful places of the contract are read, each with its clauses, as docs/ shows it. */
export function readingsText(): string {
  return readings
    .map(({ number, text, clauses }) => `**${number}.** ${text}\n<br>${clauses.map((id) => `\`${id}\``).join(', ')}`)
    .join('\n\n');
}
