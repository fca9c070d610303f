import { createHash } from 'node:crypto';
import type { DanfeInput } from './danfe.ts';
import { drawn } from './drawing.ts';

/** DANFEs that were rendered last, by what they are drawn from: of many who ask for one at a time it is drawn for the first. */
const rendered = new Map<string, Promise<Buffer>>();
const mostKept = 50;

/** The DANFE of an invoice, drawn once while it is asked for again and again. */
export function renderedDanfe(input: DanfeInput): Promise<Buffer> {
  const key = `${createHash('sha256').update(input.xml).digest('base64')} ${input.isCancelled}`;
  const danfe = rendered.get(key) ?? drawn(input);
  rendered.delete(key);
  rendered.set(key, danfe);
  danfe.catch(() => rendered.delete(key));
  const [oldest] = rendered.keys();
  if (rendered.size > mostKept && oldest !== undefined) rendered.delete(oldest);
  return danfe;
}
