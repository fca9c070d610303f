import { parseJsonObject } from '../http/json.ts';
import type { Reply } from '../http/reply.ts';
import type { RequestFacts } from '../http/request-facts.ts';
import type { Call } from './call.ts';
import { endpointError } from './errors.ts';

/** Returns the message with the caller's identity and time; 400 for a body without one. Sections 2.5 and 5.4. */
export function echoEndpoint(request: RequestFacts, call: Call): Reply {
  const { echo, envelope, language } = call.rules;
  const chosen = language.choose(request.headers);
  const sent = parseJsonObject(request.rawBody)?.['message'];
  if (typeof sent !== 'string') return endpointError('echoWithoutMessage', 'code-message', chosen);
  const data = echo.data({
    echo: echo.message(sent),
    appKey: call.caller.appKey,
    appName: call.caller.appName,
    serverTime: echo.serverTime(new Date(call.nowMs)),
  });
  return { status: echo.status, body: envelope.ok(data, language.text('success', chosen)) };
}
