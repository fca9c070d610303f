import type { ObservedType } from '../../../schemas/observed.ts';
import type { Phrase } from '../../language.ts';
import { shortened, visible } from '../../visible.ts';
import type { Markup } from '../markup.ts';
import { saidBy } from '../said.ts';

/** What is shown at most, so that no target can fill the page. */
const most = { contentTypes: 6, characters: 120 };

/** The words of the suite among the names of types; the others are those of JSON. */
const typeWords: ReadonlyMap<ObservedType, Phrase> = new Map([
  ['empty', { en: 'empty', 'pt-BR': 'vazio' }],
  ['text', { en: 'text', 'pt-BR': 'texto' }],
]);

/** The types of a field or a body, in words. */
export function saidTypes(types: readonly ObservedType[]): Markup {
  return saidBy((language) => types.map((type) => typeWords.get(type)?.[language] ?? type).join(' / '));
}

/** What the suite writes down where an answer has no content type that can be told. */
const contentTypeWords: ReadonlyMap<string, Phrase> = new Map([
  ['(none)', { en: '(none)', 'pt-BR': '(nenhum)' }],
  ['(malformed)', { en: '(malformed)', 'pt-BR': '(malformado)' }],
]);

/** The content types of answers, the first ones. */
export function saidContentTypes(types: readonly string[]): Markup {
  return saidBy((language) =>
    types
      .slice(0, most.contentTypes)
      .map((type) => contentTypeWords.get(type)?.[language] ?? shortened(visible(type), most.characters))
      .join(', '),
  );
}
