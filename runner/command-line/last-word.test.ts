import { expect, test } from 'vitest';
import { lastWord } from './last-word.ts';

const environment = { NFE_APP_SECRET: 'canary-0123456789', HTTPS_PROXY: 'http://somebody:canary-of-the-proxy@proxy:1' };

test('a command that breaks says where, and none of the secrets', () => {
  const error = new Error(
    `no URL: https://canary-0123456789/${Buffer.from('canary-0123456789').toString('hex')}\u001b[2J`,
  );
  const said = lastWord('the suite', error, environment);
  expect(said).toMatch(/^the suite broke: Error: no URL: https:\/\/\$NFE_APP_SECRET\/\$NFE_APP_SECRET/);
  expect(said).toContain('last-word.test.ts');
  expect(said).not.toContain('\u001b');
  expect(lastWord('the suite', 'by canary-of-the-proxy', environment)).not.toContain('canary');
});
