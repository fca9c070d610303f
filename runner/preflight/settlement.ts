import type { Exchange } from '../../trace/exchange.ts';
import { memberText } from './profile-answers.ts';

/** Lets some time pass before a question is asked again: whether there was any left. */
export type Pause = () => Promise<boolean>;

/** How often in a row an answer without a state is asked for again: an invoice may show a little after its issuance. */
const mostBlanks = 3;

/** The first answer to a query that no longer says that the invoice waits; the last one when time is up. */
export async function settled(query: () => Promise<Exchange>, pause: Pause): Promise<Exchange> {
  for (let blanks = 0; ;) {
    const exchange = await query();
    const status = memberText(exchange, 'status');
    if (status === undefined) blanks += 1;
    const isDone = status !== 'AguardandoAutorizacao' && (status !== undefined || blanks === mostBlanks);
    if (isDone || !(await pause())) return exchange;
  }
}
