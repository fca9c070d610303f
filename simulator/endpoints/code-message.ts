import type { Context } from '../gateway/stage.ts';
import type { Message } from '../gateway/messages.ts';
import type { Reply } from '../http/reply.ts';
import type { RequestFacts } from '../http/request-facts.ts';
import type { Application } from '../model/application.ts';

/** Why endpoints 8 to 11 don't do what they are asked for. Section 7.3. */
export interface Refusal {
  readonly status: number;
  /** One that starts with `SIM-` is the simulator's own: the contract shows none. Section 7.4. */
  readonly code: string | number;
  readonly message: Message;
}

/** How endpoints 8 to 11 refuse. Section 7.3. */
export interface CodeMessageRules {
  readonly body: (code: string | number, message: string) => unknown;
}

export const codeMessageRules: CodeMessageRules = { body: (code, message) => ({ code, message }) };

/** Refuses in the language that the request asks for. */
export function refuseWith({ status, code, message }: Refusal, { headers }: RequestFacts, { rules }: Context): Reply {
  return { status, body: rules.codeMessage.body(code, message[rules.language.choose(headers)]) };
}

/** The application that calls: the gateway lets nobody else through. */
export function callerOf({ application }: Context): Application {
  if (!application) throw new Error('a request without an application came past the gateway');
  return application;
}

/** What a documented number provokes: the service fails, and tells nothing of why. Section 7.1. */
export const systemError: Refusal = {
  status: 500,
  code: 'SIM-SYSTEM',
  message: { zh: '系统错误', en: 'System error', pt: 'Erro de sistema', es: 'Error de sistema' },
};
