import { expect, test } from 'vitest';
import type { Draft } from '../contract/request.ts';
import { sign, signedBody, partsOf, signedRequest } from './sign.ts';
import vectors from '../contract/vectors/signature.json' with { type: 'json' };

/** A request and its `sign`, made by `md5sum` and `openssl`, never by this project's code. Section 5.2. */
interface SignatureVector {
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
const signatureVectors: readonly SignatureVector[] = vectors;

/** The bytes of a vector's body; `undefined` where the request has none. */
function vectorBody({ body }: SignatureVector): Buffer | undefined {
  if (body?.base64 !== undefined) return Buffer.from(body.base64, 'base64');
  return body?.text === undefined ? undefined : Buffer.from(body.text, 'utf8');
}

function draftOf(vector: (typeof signatureVectors)[number]): Draft {
  const rawBody = vectorBody(vector);
  const { method, path, query, contentType } = vector;
  return {
    call: {
      method,
      path,
      ...(query === undefined ? {} : { query }),
      ...(contentType === undefined ? {} : { contentType }),
      ...(rawBody === undefined ? {} : { rawBody }),
    },
    token: vector.token,
    timestamp: vector.timestamp,
  };
}

test('there are at least 30 vectors', () => {
  expect(signatureVectors.length).toBeGreaterThanOrEqual(30);
});

test.each(signatureVectors)('the client signs $name as md5sum and openssl do', (vector) => {
  expect(sign(partsOf(draftOf(vector)))).toBe(vector.sign);
});

test.each(signatureVectors)('signature.same-bytes-sent: the client sends $name unchanged', (vector) => {
  const request = signedRequest(draftOf(vector));
  expect(request.rawBody).toEqual(vectorBody(vector));
  expect(request.target).toBe(vector.query === undefined ? vector.path : `${vector.path}?${vector.query}`);
  expect(request.headers).toContainEqual(['sign', vector.sign]);
});

test.each(['GET', 'DELETE'])('signature.no-placeholder-signed: %s is signed with an empty body', (method) => {
  expect(signedBody({ method, path: '/openapi/x' })).toHaveLength(0);
});

test('signature.xml-sent-unchanged: an XML document goes out with its line breaks, signed without them', () => {
  const rawBody = Buffer.from('<a>\r\n<b/>\r\n</a>\r\n');
  const call = { method: 'POST', path: '/openapi/v3/consultas/nf-e/xml', contentType: 'application/xml', rawBody };
  expect(signedRequest({ call, token: 't', timestamp: '1' }).rawBody).toEqual(rawBody);
  expect(signedBody(call).toString()).toBe('<a><b/></a>');
});
