import type { Clause } from '../../contract/clause.ts';
import { counted } from '../../reports/language.ts';
import { additions } from './needs-table.ts';
import type { Coverage } from './clauses.ts';

/** Something that would have a run exercise more. */
interface Step {
  readonly what: string;
  readonly clauses: readonly Clause[];
}

/**
 * What would add most to a run, in one sentence; `undefined` where nothing would. A control API comes last: few servers have
 * one, and nobody can give it to a server that has none.
 */
export function nextStep({ lacking }: Coverage): string | undefined {
  const open = new Set([...lacking.values()].flat());
  const unproven = [...lacking]
    .filter(([reason]) => reason.includes("the profile's "))
    .flatMap(([, clauses]) => clauses);
  const bySetting = additions().map(({ settings, clauses }): Step & { isControl: boolean } => ({
    what: settings.join(' with '),
    clauses: clauses.filter((clause) => open.has(clause)),
    isControl: settings.includes('NFE_CONTROL_URL'),
  }));
  const steps: Step[] = [
    { what: 'a profile that suits the target (npm run profile -- init FOLDER)', clauses: unproven },
    ...bySetting.filter(({ isControl }) => !isControl),
  ];
  const largest = steps.toSorted((a, b) => b.clauses.length - a.clauses.length)[0];
  const best = largest && largest.clauses.length > 0 ? largest : bySetting.find(({ isControl }) => isControl);
  if (!best || best.clauses.length === 0) return undefined;
  return `${best.what}: ${counted(best.clauses.length, 'must clause')} more, the largest gain`;
}
