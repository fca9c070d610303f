import vectors from '../vectors/signature.json' with { type: 'json' };

/** A request and its `sign`, made by `md5sum` and `openssl`, never by this project's code. Section 5.2. */
export interface SignatureVector {
  readonly name: string;
  readonly note: string;
  readonly method: string;
  readonly path: string;
  readonly query?: string;
  readonly contentType?: string;
  readonly body?: { readonly text?: string; readonly base64?: string };
  readonly token: string;
  readonly timestamp: string;
  readonly sign: string;
}

/** All vectors; `make-signature-vectors.sh` says how they were made. */
export const signatureVectors: readonly SignatureVector[] = vectors;

/** The bytes of a vector's body; `undefined` where the request has none. */
export function vectorBody({ body }: SignatureVector): Buffer | undefined {
  if (body?.base64 !== undefined) return Buffer.from(body.base64, 'base64');
  return body?.text === undefined ? undefined : Buffer.from(body.text, 'utf8');
}
