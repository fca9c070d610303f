import { expect, test } from 'vitest';
import { childEnvironment, warmly } from './warm.ts';

const env = childEnvironment();

test('a command in a process that has run another has a status, an output and settings of its own', async () => {
  const spoken = await warmly({ command: 'test', words: [], env: { ...env, NFE_LANGUAGE: 'klingon' } });
  expect(spoken).toMatchObject({ status: 2, stdout: '' });
  expect(spoken.stderr).toMatch(/^error: NFE_LANGUAGE[^\n]+\n$/);
  const helped = await warmly({ command: 'test', words: ['--help'], env });
  expect(helped).toMatchObject({ status: 0, stderr: '' });
  expect(helped.stdout).toContain('npm test');
  expect(await warmly({ command: 'test', words: ['--help'], env })).toMatchObject({ stdout: helped.stdout });
});

test('a command that takes longer than it may is ended, without a status, and the next one has another process', async () => {
  expect(await warmly({ command: 'test', words: [], env }, { mostMs: 1 })).toMatchObject({
    status: null,
  });
  expect(await warmly({ command: 'test', words: ['--help'], env })).toMatchObject({ status: 0 });
});
