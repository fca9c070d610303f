import type { CheckResult } from '../../schemas/results.ts';
import { exchangeList } from './exchange-list.ts';
import { markup, type Markup } from './markup.ts';
import { said } from './said.ts';
import { statementText } from './words.ts';

/** A check that passed, and the exchanges that are shown as a sample of what it did. */
export interface Sample {
  readonly check: CheckResult;
  readonly shown: readonly Markup[];
}

/** The samples of a clause, folded; nothing without any. */
export function sampleDetails(samples: readonly Sample[]): Markup | undefined {
  if (samples.length === 0) return undefined;
  return markup`<details class="samples"><summary>${said('evidence', 'evidência')}</summary>
${samples.map(({ check, shown }) => markup`<div class="check"><h4>${statementText(check.name)}</h4>${exchangeList(check, shown)}</div>`)}</details>`;
}
