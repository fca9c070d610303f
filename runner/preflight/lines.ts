import type { Mask } from '../../client/mask.ts';
import { counted } from '../../reports/figures.ts';
import { shortened, visible } from '../../reports/visible.ts';
import type { Examination } from './examine.ts';
import type { Finding } from './finding.ts';

const longestText = 300;
const mostWarnings = 6;

/** What `npm test` prints of its preflight: what is in order in one line, then a line for each warning, a few of them. */
export function preflightLines({ findings, address }: Pick<Examination, 'findings' | 'address'>, mask: Mask): string[] {
  if (address.kind !== 'sandbox') return [];
  const clean = (text: string): string => shortened(visible(mask(text)), longestText);
  const inOrder = [...new Set(findings.filter(({ state }) => state === 'ok').map(({ examined }) => examined))];
  const warnings = findings.filter(({ state }) => state === 'warning');
  const shown = warnings.slice(0, mostWarnings);
  const rest = warnings.length - shown.length;
  return [
    clean(`Preflight: in order are ${inOrder.join(', ')}.`),
    ...shown.map((finding) => `! ${clean(textOf(finding))}`),
    ...(rest > 0 ? [`! ${counted(rest, 'warning')} more: npm run doctor tells them`] : []),
  ];
}

function textOf({ examined, found, advice }: Finding): string {
  return `${examined}: ${found}${advice === undefined ? '' : ` → ${advice}`}`;
}
