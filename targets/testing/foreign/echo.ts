import { randomUUID } from 'node:crypto';
import { objectIn, type Answer, type Received } from './messages.ts';
import { textFor } from './platform-texts.ts';
import type { Application, World } from './world.ts';

/** Returns a message, and says who sent it. Endpoint 1. */
export function echo(request: Received, { key, name }: Application, world: World): Answer {
  const message = objectIn(request.rawBody)?.get('message');
  const requestId = randomUUID();
  if (typeof message !== 'string') {
    return { status: 422, json: { success: false, errorType: 3, code: 422000, message: 'message?', requestId } };
  }
  const serverTime = new Date(world.nowMs()).toISOString().replace('Z', '+00:00');
  const data = { serverTime, ambiente: 'sandbox', appName: name, appKey: key, echo: message };
  return {
    status: 200,
    headers: { 'set-cookie': `SERVERID=n${requestId.slice(0, 2)}; Path=/` },
    json: { requestId, data, message: textFor('success', request), success: true, errorType: 0, code: 0 },
  };
}
