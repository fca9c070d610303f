import type { Context } from '../gateway/stage.ts';
import type { Reply } from '../http/reply.ts';
import type { RequestFacts } from '../http/request-facts.ts';
import type { Application } from '../model/application.ts';
import type { Refusal } from '../rules/code-message.ts';

/** Refuses in the language that the request asks for. */
export function refuseWith({ status, code, message }: Refusal, { headers }: RequestFacts, { rules }: Context): Reply {
  return { status, body: rules.codeMessage.body(code, message[rules.language.choose(headers)]) };
}

/** The application that calls: the gateway lets nobody else through. */
export function callerOf({ application }: Context): Application {
  if (!application) throw new Error('a request without an application came past the gateway');
  return application;
}
