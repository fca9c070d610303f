import type { Mask } from '../../trace/people/words-mask.ts';
import { counted } from '../../reports/figures.ts';
import { shortened, visible } from '../../reports/visible.ts';
import type { Say } from '../../reports/language.ts';
import type { Examination } from './examine.ts';

const longestText = 300;
const mostWarnings = 6;

/** What `npm test` prints of its preflight: what is in order in one line, then a line for each warning, a few of them. */
export function preflightLines(
  { findings, address }: Pick<Examination, 'findings' | 'address'>,
  mask: Mask,
  say: Say = (english) => english,
): string[] {
  if (address.kind !== 'sandbox') return [];
  const clean = (text: string): string => shortened(visible(mask(text)), longestText);
  const told = (text: string): string => say(clean(text));
  const inOrder = [...new Set(findings.filter(({ state }) => state === 'ok').map(({ examined }) => examined))];
  const warnings = findings.filter(({ state }) => state === 'warning');
  const shown = warnings.slice(0, mostWarnings);
  const rest = warnings.length - shown.length;
  return [
    say(`Preflight: in order are ${inOrder.map(told).join(', ')}.`),
    ...shown.map(({ examined, found, advice }) => {
      return `! ${told(examined)}: ${told(found)}${advice === undefined ? '' : ` → ${told(advice)}`}`;
    }),
    ...(rest > 0 ? [say(`! ${counted(rest, 'warning')} more: npm run doctor tells them`)] : []),
  ];
}
