import type { Results } from '../../schemas/results.ts';
import { leakTexts } from '../leaks.ts';
import { markup, type Markup } from './markup.ts';
import { saidBy } from './said.ts';

/** What went wrong in the suite itself and touched no verdict; nothing in most runs. */
export function defectsNote({ defects = [] }: Results): Markup | undefined {
  if (defects.length === 0) return undefined;
  return markup`<p class="defects" role="status">${saidBy((language) => leakTexts(defects, language).join(' '))}</p>`;
}
