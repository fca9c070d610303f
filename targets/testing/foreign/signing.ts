import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** What a request is signed with: all of it texts, as this server reads them. */
export interface Signed {
  readonly token: string;
  readonly path: string;
  readonly bodyText: string;
  readonly timestamp: string;
}

/** The `sign` of a request. Section 5.2. */
export function requestSign({ token, path, bodyText, timestamp }: Signed): string {
  const body = bodyText.split(/[\r\n]/).join('');
  return createHash('md5').update([token, path, body, timestamp].join(''), 'utf8').digest('hex');
}

/** The signature of a delivery. Section 6.1. */
export function deliverySignature(secret: string, timestamp: string, rawBody: Buffer): string {
  return createHmac('sha256', secret)
    .update(Buffer.concat([Buffer.from(`${timestamp}.`), rawBody]))
    .digest('hex');
}

/** Whether two texts are the same, in a time that does not tell where they differ. */
export function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
