import { isUtf8 } from 'node:buffer';
import type { Exchange } from '../../client/transport.ts';
import type { Trial } from './trial.ts';

/** Fails where an XML document says that it is UTF-8, or says nothing of it, which means the same, and is not. XML 1.0, 4.3.3. */
export function isInItsEncoding(t: Trial, { response }: Exchange): void {
  if (!response) return;
  const { rawBody } = response;
  const said = /encoding=["']([\w-]{1,40})["']/.exec(rawBody.toString('latin1', 0, 200))?.[1] ?? 'UTF-8';
  t.holds(said.toUpperCase() !== 'UTF-8' || isUtf8(rawBody) || isUtf16(rawBody), {
    expected: 'a document in UTF-8, as it says',
    actual: 'bytes that are no UTF-8',
  });
}

/** Whether it begins with a mark of one of the two orders of bytes. */
function isUtf16([first = 0, second = 0]: Buffer): boolean {
  return first + second === 0xfe + 0xff && first >= 0xfe;
}
