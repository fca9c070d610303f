import type { Language } from '../../contract/languages.ts';
import type { Call } from '../../contract/request.ts';
import type { Exchange } from '../../client/transport.ts';
import { member } from '../../schemas/member.ts';
import { jsonBody } from './reply.ts';

/** The `message` of an answer; empty where there is none. */
export function messageOf(exchange: Exchange): string {
  const message = member(jsonBody(exchange), 'message');
  return typeof message === 'string' ? message : '';
}

/** The call with a header that asks for a language. */
export function inLanguage(call: Call, header: string, language: Language): Call {
  return { ...call, headers: [...(call.headers ?? []), [header, language]] };
}
