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

/** What a placeholder stands in. */
const brackets = ['{}', '<>', '[]', '()', '（）', '【】', '「」', '＜＞'].map((pair) => {
  const [open = '', close = ''] = pair.split('').map((each) => RegExp.escape(each));
  return `${open}+[^/${open}${close}]+${close}+`;
});

/**
 * What stands for a path variable: a placeholder in brackets or behind a sign, or a value; not the word that another endpoint
 * has in that place. It is taken whole: what is left of it is not another name.
 */
const variable = String.raw`(?!xml(?![\w-]))(?=((?:[$#:]?(?:${brackets.join('|')}))|[\p{L}\p{N}_.~%*$#:@-]+))`;

function pathInText(template: string): RegExp {
  const segments = template.split('/').slice(1);
  const variables = segments.filter((part) => part.startsWith('{'));
  const parts = segments.map((part) =>
    part.startsWith('{') ? `${variable}\\${variables.indexOf(part) + 1}` : RegExp.escape(part),
  );
  return new RegExp(String.raw`/${parts.join('/')}(?![\w~%\-]|/[\w~%\{<:\[$\-])`, 'u');
}
