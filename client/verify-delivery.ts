import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a receiver has of a delivery: its headers, as name and value, and the bytes of its body. */
export interface ReceivedDelivery {
  readonly headers: readonly (readonly [string, string])[];
  readonly rawBody: Buffer;
  /** As it was received, where `rawBody` is without its content codings. */
  readonly codedBody?: Buffer;
}

/** The bytes of a delivery that are signed: its body as it was received. */
export function signedBytesOf({ rawBody, codedBody = rawBody }: ReceivedDelivery): Buffer {
  return codedBody;
}

/** What a receiver judges a delivery by. */
export interface VerificationOptions {
  readonly appSecret: string;
  /** The brand in the five header names, such as `X-Service`. */
  readonly headerPrefix: string;
  /** The receiver's clock, in Unix seconds. */
  readonly nowSeconds: number;
  /** Largest age of a timestamp; section 6.2 suggests 5 minutes. */
  readonly toleranceSeconds?: number;
}

/** The five headers of a delivery. Section 6.1. */
const deliveryHeaders = ['Event', 'Event-Id', 'Delivery-Id', 'Timestamp', 'Signature'] as const;

export type DeliveryHeader = (typeof deliveryHeaders)[number];

const suggestedToleranceSeconds = 300;

/** The value of one of the five headers; `undefined` where it is missing. */
export function deliveryHeader(
  { headers }: ReceivedDelivery,
  headerPrefix: string,
  header: DeliveryHeader,
): string | undefined {
  return headerOf(headers, `${headerPrefix}-${header}`);
}

/** Lowercase hex of the HMAC-SHA256 of timestamp, a dot and the raw body. Section 6.1. */
export function deliverySignature(appSecret: string, timestamp: string, rawBody: Buffer): string {
  return createHmac('sha256', appSecret).update(`${timestamp}.`).update(rawBody).digest('hex');
}

/**
 * Whether a delivery is genuine and fresh: `undefined`, or why it is not. The signature is made of the bytes as received and
 * compared in constant time. Section 6.2.
 */
export function deliveryFault(delivery: ReceivedDelivery, options: VerificationOptions): string | undefined {
  const { appSecret, headerPrefix, nowSeconds, toleranceSeconds = suggestedToleranceSeconds } = options;
  const timestamp = deliveryHeader(delivery, headerPrefix, 'Timestamp');
  const signature = deliveryHeader(delivery, headerPrefix, 'Signature');
  if (timestamp === undefined || !/^\d{1,15}$/.test(timestamp)) return 'it has no timestamp in Unix seconds';
  if (signature === undefined) return 'it has no signature';
  if (!isSameText(signature, deliverySignature(appSecret, timestamp, signedBytesOf(delivery)))) {
    return 'its signature does not fit its bytes';
  }
  const ageSeconds = nowSeconds - Number(timestamp);
  return Math.abs(ageSeconds) > toleranceSeconds ? `its timestamp is ${ageSeconds} s old` : undefined;
}

/** Whether an issuance callback carries the token that was registered, compared in constant time. Section 6.2. */
export function hasToken(delivery: ReceivedDelivery, registered: string): boolean {
  return isSameText(tokenOf(delivery) ?? '', registered);
}

/** The token that came with an issuance callback. Section 6.2. */
export function tokenOf({ headers }: ReceivedDelivery): string | undefined {
  return headerOf(headers, 'token');
}

function headerOf(headers: ReceivedDelivery['headers'], name: string): string | undefined {
  return headers.find(([found]) => found.toLowerCase() === name.toLowerCase())?.[1];
}

/** Compares in a time that does not tell where two texts of one length differ. */
function isSameText(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one, 'utf8'), Buffer.from(other, 'utf8')];
  return left.length === right.length && timingSafeEqual(left, right);
}
