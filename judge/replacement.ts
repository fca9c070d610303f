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
  return isPathIn(text, endpoint(replacement).path);
}

/**
 * What stands for a path variable: a placeholder in brackets or behind a sign, or a value; not the word that another endpoint
 * has in that place. It is taken whole: what is left of it is not another name.
 */
const variable =
  /(?!xml(?![\w-]))(?:[$#:]?(?:\{{1,3}[^/{}]{1,99}\}{1,3}|<{1,3}[^/<>]{1,99}>{1,3}|\[{1,3}[^/[\]]{1,99}\]{1,3}|\({1,3}[^/()]{1,99}\){1,3}|（[^/（）]{1,99}）|【[^/【】]{1,99}】|「[^/「」]{1,99}」|＜[^/＜＞]{1,99}＞)|[\p{L}\p{N}_.~%*$#:@-]{1,200})/uy;

/** What belongs to the segment that ends there, or to a longer path. */
const continued = /^(?:[\w~%-]|\/[\w~%{<:[$-])/;

function isPathIn(text: string, template: string): boolean {
  const segments = template.split('/').slice(1);
  for (let at = text.indexOf('/'); at >= 0; at = text.indexOf('/', at + 1)) {
    const end = endOfPath(text, at, segments);
    if (end !== undefined && !continued.test(text.slice(end, end + 2))) return true;
  }
  return false;
}

/** Where the path ends that begins there; `undefined` where none does. */
function endOfPath(text: string, start: number, segments: readonly string[]): number | undefined {
  let at = start;
  for (const segment of segments) {
    if (text[at] !== '/') return undefined;
    const length = segment.startsWith('{')
      ? variableAt(text, at + 1)
      : text.startsWith(segment, at + 1) && segment.length;
    if (length === undefined || length === false) return undefined;
    at += 1 + length;
  }
  return at;
}

/** How long what stands for a variable there is. */
function variableAt(text: string, at: number): number | undefined {
  variable.lastIndex = at;
  return variable.exec(text)?.[0].length;
}
