import type { Exchange } from '../../trace/exchange.ts';

/** What a check holds of the bodies of its case; what is older is cut to its start. */
const mostHeldBytes = 8 * 1024 * 1024;
/** As much of a body as evidence may want to show. */
const startBytes = 32 * 1024;

/** Bytes of the bodies of exchanges. */
function bytesOf({ response }: Exchange): number {
  return response?.rawBody.length ?? 0;
}

/** Adds an exchange to those of a case. `cut` is told which exchange has been replaced by which. */
export function hold(exchanges: Exchange[], exchange: Exchange, cut: (whole: Exchange, start: Exchange) => void): void {
  exchanges.push(exchange);
  let heldBytes = 0;
  for (const each of exchanges) heldBytes += bytesOf(each);
  for (let at = 0; heldBytes > mostHeldBytes && at < exchanges.length - 1; at++) {
    const whole = exchanges[at];
    if (!whole || bytesOf(whole) <= startBytes) continue;
    const start = startOf(whole, startBytes);
    exchanges[at] = start;
    heldBytes -= bytesOf(whole) - bytesOf(start);
    cut(whole, start);
  }
}

/** The exchange with no more than the start of the body of its response. */
export function startOf(exchange: Exchange, mostBytes: number): Exchange {
  const { response } = exchange;
  if (!response || response.rawBody.length <= mostBytes) return exchange;
  // A copy: a part of a buffer keeps the whole of it.
  const rawBody = Buffer.from(wholeCharacters(response.rawBody, mostBytes));
  return {
    ...exchange,
    response: { ...response, rawBody, wholeBytes: response.wholeBytes ?? response.rawBody.length },
  };
}

/** The first bytes of a text, cut between two characters of UTF-8. */
export function wholeCharacters(bytes: Buffer, mostBytes: number): Buffer {
  let end = Math.min(bytes.length, mostBytes);
  while (end < bytes.length && end > mostBytes - 4 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end);
}
