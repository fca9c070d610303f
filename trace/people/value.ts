import { shownExplanation, shownWords } from './explaining.ts';
import { kindOfField } from './fields.ts';
import { shownLink } from './links.ts';
import { looksLike } from './looks.ts';
import type { View } from './veil.ts';

/** Where a value stands: the name of its field, and that of the field around it. */
export interface FieldOf {
  readonly name: string | undefined;
  readonly parent?: string | undefined;
  /** The text ends within the value: it may be the start of anything. */
  readonly isCut?: boolean;
}

/** The text of a value as it is shown, by the field that it stands in. */
export function shownValue(value: string, { name, parent, isCut = false }: FieldOf, view: View): string {
  if (value.trim() === '' || view.stands.has(value)) return value;
  if (view.isOwn(value)) return value;
  const kind = kindOfField(name, parent);
  if (kind === undefined || isCut) return view.hide(value);
  if (kind === 'explaining') return shownExplanation(value, view);
  if (kind === 'phrase') return shownWords(value, view);
  if (kind === 'link') return shownLink(value, view);
  return looksLike(kind, value) ? value : view.hide(value);
}
