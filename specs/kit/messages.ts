import { languages, type Language } from '../../contract/values.ts';
import type { Call } from '../../contract/request.ts';
import type { Exchange } from '../../trace/exchange.ts';
import { member } from '../../schemas/values.ts';
import { jsonBody } from './reply.ts';

/** The `message` of an answer; empty where there is none. */
export function messageOf(exchange: Exchange): string {
  const message = member(jsonBody(exchange), 'message');
  return typeof message === 'string' ? message : '';
}

/** What a request may say of the language: nothing, or any of them. */
export const saidLanguages: readonly (Language | undefined)[] = [undefined, ...languages];

/** The call with a header that asks for a language; as it is where none is asked for. */
export function inLanguage(call: Call, header: string, language: Language | undefined): Call {
  if (language === undefined) return call;
  return { ...call, headers: [...(call.headers ?? []), [header, language]] };
}
