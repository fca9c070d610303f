import { request } from 'node:http';
import { expect, test } from 'vitest';
import { type SignatureVector, signatureVectors, vectorBody } from '../../contract/testing/vector.ts';
import type { RequestFacts } from '../http/request-facts.ts';
import { listen } from '../http/server.ts';
import { signatureRules } from './signature.ts';

/** Sends a vector over HTTP and gives the request as the simulator receives it. */
async function received(vector: SignatureVector): Promise<RequestFacts | undefined> {
  let facts: RequestFacts | undefined;
  const server = await listen('127.0.0.1', 0, (incoming) => {
    facts = incoming;
    return Promise.resolve({ status: 200 });
  });
  const { method, path, query, contentType } = vector;
  const rawBody = vectorBody(vector);
  await new Promise<void>((resolve, reject) => {
    const { hostname, port } = new URL(server.origin);
    const headers = contentType === undefined ? {} : { 'content-type': contentType };
    const target = query === undefined ? path : `${path}?${query}`;
    request({ hostname, port, method, path: target, headers }, (answer) => answer.resume().on('end', resolve))
      .on('error', reject)
      .end(rawBody);
  });
  await server.close(0);
  return facts;
}

test.each(signatureVectors)('the simulator computes the sign of $name as md5sum and openssl do', async (vector) => {
  const facts = await received(vector);
  if (!facts) throw new Error('nothing was received');
  const { join, digest, signedPath, signedBody } = signatureRules;
  const { token, timestamp } = vector;
  expect(digest(join({ token, path: signedPath(facts), body: signedBody(facts), timestamp }))).toBe(vector.sign);
});
