import { isUtf8 } from 'node:buffer';
import type { Response, Exchange } from '../../trace/exchange.ts';
import type { Trial } from './trial.ts';

/** Fails where an XML document says that it is UTF-8, or says nothing of it, which means the same, and is not. */
export function isInItsEncoding(t: Trial, { response }: Exchange): void {
  if (!response) return;
  t.holds(isAsItSays(response), {
    expected: 'a document in UTF-8, as it says',
    actual: 'bytes that are no UTF-8',
  });
}

const marksOfUtf16 = new Set(['feff', 'fffe']);

/** Whether bytes are in the encoding of their document, as far as UTF-8 goes. A charset outside of it goes first. XML 1.0, 4.3.3; RFC 7303, 3. */
export function isAsItSays({ headers, rawBody }: Pick<Response, 'headers' | 'rawBody'>): boolean {
  const contentType = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  const outside = /charset=["']?([\w-]{1,40})/i.exec(contentType)?.[1];
  const inside = /encoding=["']([\w-]{1,40})["']/.exec(rawBody.toString('latin1', 0, 200))?.[1];
  const isOther = marksOfUtf16.has(rawBody.toString('hex', 0, 2)) || !/^utf-?8$/i.test(outside ?? inside ?? 'UTF-8');
  return isOther || isUtf8(rawBody);
}
