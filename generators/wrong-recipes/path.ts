import { withOther, type RecipeFacts, type WrongRecipe, hashing } from './recipe.ts';
import { endpoints } from '../../contract/endpoints.ts';

function templateOf(path: string): string {
  const segments = path.split('/');
  const fits = (template: string): boolean => {
    const parts = template.split('/');
    return parts.length === segments.length && parts.every((part, at) => part.startsWith('{') || part === segments[at]);
  };
  return endpoints.map((endpoint): string => endpoint.path).find(fits) ?? path;
}

/** The path without, or with more of, its `/openapi` prefix. */
export const wrongPrefixes: readonly WrongRecipe[] = [
  withOther('over the path without /openapi', ({ parts }) => ({ path: parts.path.replace('/openapi', '') })),
  withOther('over the path with /openapi twice', ({ parts }) => ({ path: `/openapi${parts.path}` })),
  withOther('without the path', () => ({ path: '' })),
];

/** The path without its variables. */
export const wrongVariables: readonly WrongRecipe[] = [
  withOther('over the path template', ({ parts }) => ({ path: templateOf(parts.path) })),
  withOther('over the path without its last segment', ({ parts }) => ({
    path: parts.path.slice(0, parts.path.lastIndexOf('/')),
  })),
  withOther('over the path with its variables left out', ({ parts }) => ({
    path: templateOf(parts.path).replaceAll(/\{\w+\}/g, ''),
  })),
];

/** The path rewritten. */
export const wrongPathForms: readonly WrongRecipe[] = [
  withOther('over the path in lower case', ({ parts }) => ({ path: parts.path.toLowerCase() })),
  withOther('over the path in upper case', ({ parts }) => ({ path: parts.path.toUpperCase() })),
  withOther('over the path with a slash at its end', ({ parts }) => ({ path: `${parts.path}/` })),
  withOther('over the path without its first slash', ({ parts }) => ({ path: parts.path.slice(1) })),
  withOther('over the path with its slashes percent-encoded', ({ parts }) => ({
    path: encodeURIComponent(parts.path),
  })),
];

function queryOf({ call }: RecipeFacts): string {
  return call.query ?? '';
}

/** The query string signed in one way or another. */
export const wrongQueries: readonly WrongRecipe[] = [
  withOther('over the path with its query string', (facts) => ({ path: `${facts.parts.path}?${queryOf(facts)}` })),
  withOther('over the path and the query string without the question mark', (facts) => ({
    path: facts.parts.path + queryOf(facts),
  })),
  withOther('over the path with its query string sorted', (facts) => ({
    path: `${facts.parts.path}?${queryOf(facts).split('&').sort().join('&')}`,
  })),
  withOther('over the query string as part of the body', (facts) => ({
    body: Buffer.concat([Buffer.from(queryOf(facts)), facts.parts.body]),
  })),
];

/** Scheme and host signed. */
export const wrongHosts: readonly WrongRecipe[] = [
  withOther('over host and path', ({ parts, baseUrl }) => ({ path: new URL(baseUrl).host + parts.path })),
  withOther('over the whole address', ({ parts, baseUrl }) => ({ path: new URL(baseUrl).origin + parts.path })),
  withOther('over the base address and the path', ({ parts, baseUrl }) => ({ path: `${baseUrl}/${parts.path}` })),
];

/** Method and content type signed. */
export const wrongExtras: readonly WrongRecipe[] = [
  hashing('with the method before the rest', ({ parts, call }) => [
    call.method,
    parts.token,
    parts.path,
    parts.body,
    parts.timestamp,
  ]),
  withOther('over method and path', ({ parts, call }) => ({ path: call.method + parts.path })),
  hashing('with the content type behind the rest', ({ parts, call }) => [
    parts.token,
    parts.path,
    parts.body,
    parts.timestamp,
    call.contentType ?? 'application/json',
  ]),
];
