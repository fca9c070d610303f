import { hash } from 'node:crypto';
import { test } from 'vitest';
import { sign } from '../client/sign.ts';
import { signatureRules } from '../simulator/rules/signature.ts';

const body = Buffer.from(JSON.stringify({ message: 'x'.repeat(8000) }));
const parts = { token: 't'.repeat(43), path: '/openapi/demo/echo', body, timestamp: '1790000000' };

test('signing a body of 8 kB, compared with MD5 alone', async ({ bench }) => {
  await bench.compare(
    bench('MD5 alone', () => void hash('md5', body, 'hex')),
    bench('client', () => void sign(parts)),
    bench('simulator', () => void signatureRules.digest(signatureRules.join(parts))),
  );
});
