import { expect, test } from 'vitest';
import { foreignAddress } from '../../targets/testing/server.ts';
import { missing } from './missing.ts';
import { newRecord } from './trial-record.ts';
import { trialOf } from './trial.ts';
import { targetAt } from './testing/runs.ts';

test.each([
  [undefined, 'see whether the target reaches https://example.org'],
  ['tls', 'what came speaks TLS, and the receiver plain HTTP; have TLS end before it'],
  ['other-path', 'what came was sent to a path that is no address of the receiver; see what stands before it'],
] as const)('where nothing arrives, what came in its place says why: %s', async (stray, why) => {
  const { webhook } = foreignAddress('');
  const address = foreignAddress('http://127.0.0.1:9', { webhook: { ...webhook, publicUrl: 'https://example.org' } });
  const target = targetAt(address);
  if (stray) target.ledger.noteStray(stray);
  const { message } = missing(trialOf(target, newRecord()), 'a callback');
  expect(message).toBe(`no delivery of any kind has arrived in this run: ${why}`);
  await target.close();
});
