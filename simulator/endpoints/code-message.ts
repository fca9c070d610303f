import type { Reply } from '../http/reply.ts';
import type { RequestFacts } from '../http/request-facts.ts';
import type { Refusal } from '../rules/code-message.ts';
import type { Call } from './call.ts';

/** Refuses in the language that the request asks for. */
export function refuseWith({ status, code, message }: Refusal, { headers }: RequestFacts, { rules }: Call): Reply {
  return { status, body: rules.codeMessage.body(code, message[rules.language.choose(headers)]) };
}
