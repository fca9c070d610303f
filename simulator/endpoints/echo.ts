import { parseJsonObject } from '../http/json.ts';
import type { Reply } from '../http/reply.ts';
import type { RequestFacts } from '../http/request-facts.ts';
import type { Refusal } from '../rules/refusal.ts';
import type { Call } from './call.ts';

/** Returns the message with the caller's identity and time; 400 for a body without one. Sections 2.5 and 5.4. */
export function echoEndpoint(request: RequestFacts, call: Call): Reply {
  const { echo, envelope, language } = call.rules;
  const chosen = language.choose(request.headers);
  const sent = parseJsonObject(request.rawBody)?.['message'];
  if (typeof sent !== 'string') return call.refuse(withoutMessage);
  const data = echo.data({
    echo: echo.message(sent),
    appKey: call.caller.appKey,
    appName: call.caller.appName,
    serverTime: echo.serverTime(new Date(call.nowMs)),
  });
  return { status: echo.status, body: envelope.ok(data, language.text('success', chosen)) };
}

const withoutMessage: Refusal = {
  code: 'SIM-ECHO-WITHOUT-MESSAGE',
  message: {
    zh: '请求体必须是 JSON 对象，且 message 为字符串',
    en: 'The body is to be a JSON object whose message is a string',
    pt: 'O corpo deve ser um objeto JSON em que message é um texto',
    es: 'El cuerpo debe ser un objeto JSON en el que message es un texto',
  },
};
