import type { ClauseResult } from '../../schemas/results.ts';
import { isBroken, isStale } from '../stale.ts';
import type { Markup } from './markup.ts';
import { said } from './said.ts';

/** What kind of clause a section of what did not hold is about. */
export interface FailureKind {
  /** Whether a clause is of that kind. */
  readonly isOf: (clause: ClauseResult) => boolean;
  readonly id: string;
  readonly title: Markup;
  readonly note: Markup;
}

/** The kinds in the order of the page. */
export const failureKinds: readonly FailureKind[] = [
  {
    isOf: isBroken,
    id: 'failures',
    title: said('Failures', 'Falhas'),
    note: said('Each of these breaks the contract.', 'Cada uma destas quebra o contrato.'),
  },
  {
    isOf: isStale,
    id: 'stale',
    title: said('Stale known deviations', 'Desvios conhecidos vencidos'),
    note: said(
      'Only the list of known deviations fails these: an entry names what holds now, or has run out. Correct the list.',
      'Só a lista de desvios conhecidos reprova estas: uma entrada cita o que agora é cumprido, ou venceu. Corrija a lista.',
    ),
  },
  {
    isOf: ({ verdict }) => verdict === 'warned',
    id: 'warnings',
    title: said('Warnings', 'Avisos'),
    note: said(
      'Recommended or only implied by the contract; the run stays conformant.',
      'Recomendado ou apenas implícito no contrato; a execução continua conforme.',
    ),
  },
  {
    isOf: ({ verdict }) => verdict === 'known',
    id: 'known',
    title: said('Known deviations', 'Desvios conhecidos'),
    note: said(
      'Listed as accepted for now; the run stays conformant.',
      'Listados como aceitos por ora; a execução continua conforme.',
    ),
  },
];
