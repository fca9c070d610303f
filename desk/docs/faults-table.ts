import { answerFaults, deliveryFaults } from '../../schemas/faults-on-demand.ts';

/** The faults on demand, with what an integrator does so as to survive each, as docs/ shows them. */
export function faultsTable(): string {
  const rows = Object.entries({ ...answerFaults, ...deliveryFaults }).map(
    ([kind, { happens, remedy }]) => `| \`${kind}\` | ${happens} | ${remedy} |`,
  );
  return ['| fault | what happens | how to survive it |', '|---|---|---|', ...rows].join('\n');
}
