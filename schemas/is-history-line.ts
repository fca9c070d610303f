import { historyLine, type HistoryLine } from './history.ts';
import { validator } from './validate.ts';

const faultsOf = validator(historyLine);

/** Whether a value is one line of a history of this format. */
export function isHistoryLine(value: unknown): value is HistoryLine {
  return faultsOf(value).length === 0;
}
