import { sign } from '../client/sign.ts';
import type { SignedRequest } from '../client/signed-request.ts';

/** Whether the three headers went out once each, as they are to be for the application that sent them. Section 5.2. */
export function isRightlySigned({ headers, parts, origin }: SignedRequest): boolean {
  if (!origin) return false;
  const right = { token: origin.appSecret, timestamp: String(origin.nowSeconds), sign: sign(parts) };
  return Object.entries(right).every(([name, value]) => {
    const sent = headers.filter(([own]) => own.toLowerCase() === name);
    return sent.length === 1 && sent[0]?.[1] === value;
  });
}
