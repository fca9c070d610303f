import type { Exchange } from '../client/transport.ts';
import { secretsReceived, type ReceivedMessage } from '../trace/links.ts';

/** Puts what is received and lets its readers in among the secrets. */
export interface Learned {
  fromExchange(exchange: Exchange): void;
  fromMessage(message: ReceivedMessage): void;
}

/** Secrets that are received and remembered, the last ones: more than any evidence holds. */
const mostRemembered = 1_000;

/** Learns links and cookies into a map of secrets, each with what takes its place. */
export function learned(secrets: Map<string, string>): Learned {
  const remembered: string[] = [];
  const learn = (message: ReceivedMessage, sent: string): void => {
    for (const [secret, stand] of secretsReceived(message, sent)) {
      if (secrets.has(secret)) continue;
      secrets.set(secret, stand);
      remembered.push(secret);
    }
    for (const old of remembered.splice(0, Math.max(0, remembered.length - mostRemembered))) secrets.delete(old);
  };
  return {
    fromExchange({ request, response }) {
      if (!response) return;
      const body = response.rawBody.toString('utf8');
      learn({ headers: response.headers, body }, `${request.target} ${request.rawBody?.toString('utf8') ?? ''}`);
    },
    fromMessage: (message) => learn(message, ''),
  };
}
