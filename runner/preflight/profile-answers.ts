import { jsonOf as jsonOfBody, quotedOf, type Exchange } from '../../trace/exchange.ts';
import { member } from '../../schemas/values.ts';
import { beforeBody } from '../../targets/empresa.ts';

/** What an answer to a part of a profile comes to: taken, refused for what it holds, or nothing that tells of the profile. */
export function classOf({ response }: Exchange): 'accepted' | 'refused' | 'broken' {
  const status = response?.status ?? 0;
  if (status >= 200 && status < 300) return 'accepted';
  return status >= 400 && status < 500 && !beforeBody.has(status) ? 'refused' : 'broken';
}

/** The text that stands in a JSON answer under these names, one in another; `undefined` where there is none. */
export function memberText(exchange: Exchange, ...names: readonly string[]): string | undefined {
  const value = member(jsonOf(exchange), ...names);
  return typeof value === 'string' ? value : undefined;
}

/** An answer with the start of its body: it is shortened further once it is masked. */
export function said({ response, error }: Exchange): string {
  if (!response) return `no response (${error ?? 'unknown reason'})`;
  const bodyText = quotedOf(response);
  return bodyText === '' ? `${response.status} without a body` : `${response.status}: ${bodyText}`;
}

/** The JSON value that an answer is; `undefined` for none. */
export function jsonOf({ response }: Exchange): unknown {
  return response && jsonOfBody(response);
}
