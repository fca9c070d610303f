import { endpoint } from '../../contract/endpoints.ts';
import type { Language } from '../../contract/languages.ts';
import type { RetiredEndpoint } from '../../contract/retired.ts';
import type { Call } from '../../contract/request.ts';
import type { Exchange } from '../../client/transport.ts';
import { jsonBody, member } from './reply.ts';

/** The `message` of an answer; empty where there is none. */
export function messageOf(exchange: Exchange): string {
  const message = member(jsonBody(exchange), 'message');
  return typeof message === 'string' ? message : '';
}

/** A message without its digits: ids and times may differ from answer to answer. */
export function wordsOf(exchange: Exchange): string {
  return messageOf(exchange).replaceAll(/\d/g, '');
}

/** The call with a header that asks for a language. */
export function inLanguage(call: Call, header: string, language: Language): Call {
  return { ...call, headers: [...(call.headers ?? []), [header, language]] };
}

/** The endpoint that replaces a retired one, as its method and its path. */
export function replacementOf({ replacement }: RetiredEndpoint): string {
  const { method, path } = endpoint(replacement);
  return `${method} ${path}`;
}

/** Whether a text names the endpoint that replaces a retired one: its path, segment by segment, variables as they like. */
export function namesReplacement(text: string, { replacement }: RetiredEndpoint): boolean {
  const template = endpoint(replacement).path.split('/');
  const paths = text.match(/\/openapi\/[^\s,;()"'`]*/g) ?? [];
  return paths.some((path) => isFormOf(path.replace(/[.:]+$/, '').split('/'), template));
}

function isFormOf(segments: readonly string[], template: readonly string[]): boolean {
  if (segments.length !== template.length) return false;
  return template.every((part, at) => (part.startsWith('{') ? segments[at] !== '' : segments[at] === part));
}
