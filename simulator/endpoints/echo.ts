import type { EchoData } from '../../schemas/echo.ts';
import type { Context } from '../gateway/stage.ts';
import type { Reply } from '../http/reply.ts';
import type { RequestFacts } from '../http/request-facts.ts';
import { parseJsonObject } from '../http/json.ts';
import { endpointError } from './errors.ts';

/** What the echo endpoint answers. Section 2.5. */
export interface EchoRules {
  readonly status: number;
  /** `echo`, of the message that was sent. */
  readonly message: (sent: string) => string;
  readonly serverTime: (now: Date) => string;
  readonly data: (data: EchoData) => unknown;
}

export const echoRules: EchoRules = {
  status: 200,
  message: (sent) => sent,
  serverTime: (now) => now.toISOString(),
  data: (data) => data,
};

/** Returns the message with the caller's identity and time; 400 for a body without one. Sections 2.5 and 5.4. */
export function echoEndpoint(request: RequestFacts, context: Context): Reply {
  const { echo, envelope, language } = context.rules;
  const chosen = language.choose(request.headers);
  const sent = parseJsonObject(request.rawBody)?.['message'];
  if (typeof sent !== 'string') return endpointError('echoWithoutMessage', 'code-message', chosen);
  const data = echo.data({
    echo: echo.message(sent),
    appKey: context.application?.appKey ?? '',
    appName: context.application?.appName ?? '',
    serverTime: echo.serverTime(new Date(context.nowMs)),
  });
  return { status: echo.status, body: envelope.ok(data, language.text('success', chosen)) };
}
