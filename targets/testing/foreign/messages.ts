import { randomUUID } from 'node:crypto';

/** A request, as the gateway and the endpoints see it. */
export interface Received {
  readonly method: string;
  /** From `/openapi` on as it stands on the request line, without the query. */
  readonly path: string;
  readonly rawBody: Buffer;
  header(name: string): string | undefined;
}

/** What is answered: JSON, bytes of a type, or nothing at all. */
export interface Answer {
  readonly status: number;
  readonly json?: unknown;
  readonly bytes?: { readonly type: string; readonly content: Buffer };
  readonly headers?: Readonly<Record<string, string>>;
}

/** A text without JSON around it. */
export function plain(status: number, text: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, headers, bytes: { type: 'text/plain; charset=utf-8', content: Buffer.from(`${text}\n`) } };
}

/** A refusal by issuance, query or cancellation. Section 7.3. */
export function refusedWithArray(status: 400 | 404, codigo: number, mensagem: string): Answer {
  return { status, json: [{ codigo, mensagem: `${mensagem} (${randomUUID()})`, campo: null }] };
}

/** A refusal by the endpoints that report a code and a message. Section 7.3. */
export function refusedWithCode(status: number, code: number | string, message: string): Answer {
  return { status, json: { code, message, requestId: randomUUID() } };
}

/** The object in a body; `undefined` for any other JSON, and for none. */
export function objectIn(rawBody: Buffer): Map<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(rawBody.toString('utf8'));
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? new Map(Object.entries(value)) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a value is an object with members. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** JSON in ASCII: every other character is escaped. */
export function asciiJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replaceAll(
    /[\u007F-\uFFFF]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
