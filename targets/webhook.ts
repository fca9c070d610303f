import { endpoint } from '../contract/endpoints.ts';
import type { Exchange } from '../trace/exchange.ts';
import type { SendCall } from './empresa.ts';
import { webhookBody } from './profile.ts';

/** What came of registering an address for callbacks. */
export interface RegisteredWebhook {
  readonly exchange: Exchange;
  /** Why it is not registered, in one sentence. */
  readonly refusal?: string;
}

/** Registers an address for issuance callbacks. Section 4.1, endpoint 4. */
export async function registerWebhook(
  send: SendCall,
  fields: { readonly uri: string; readonly token: string },
): Promise<RegisteredWebhook> {
  const { method, path } = endpoint('webhook-registration');
  const rawBody = Buffer.from(JSON.stringify(webhookBody(fields)), 'utf8');
  const exchange = await send({ method, path, contentType: 'application/json', rawBody });
  const { response, error } = exchange;
  if (response && response.status >= 200 && response.status < 300) return { exchange };
  const answer = response ? `HTTP ${response.status}` : String(error);
  return { exchange, refusal: `the address for callbacks was not registered: ${answer}` };
}
