import { endpoint } from '../contract/endpoints.ts';
import type { RetiredEndpoint } from '../contract/retired.ts';

/** The endpoint that replaces a retired one, as its method and its path. */
export function replacementOf({ replacement }: RetiredEndpoint): string {
  const { method, path } = endpoint(replacement);
  return `${method} ${path}`;
}

/**
 * Whether a text names the endpoint that replaces a retired one: its path stands there, variables in any spelling, bounded by
 * what can't belong to a segment and not as the start of a longer path.
 */
export function namesReplacement(text: string, { replacement }: RetiredEndpoint): boolean {
  return pathInText(endpoint(replacement).path).test(text);
}

/** What stands for a path variable: a placeholder in brackets of any kind or behind a colon, or a value. */
const variable = String.raw`(?:\{[^{}/]+\}|<[^<>/]+>|\[[^[\]/]+\]|:?[\w.~%-]+)`;

function pathInText(template: string): RegExp {
  const segments = template
    .split('/')
    .slice(1)
    .map((part) => (part.startsWith('{') ? variable : RegExp.escape(part)))
    .join('/');
  return new RegExp(String.raw`/${segments}(?![\w~%-]|/[\w~%{<:[-])`);
}
