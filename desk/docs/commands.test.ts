import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { commands } from './commands.ts';

/** What each prints with --help, which generated-docs.test.ts holds this document to. */
const helps = readFileSync('docs/commands.md', 'utf8').split(/^## /m).slice(1);

describe('every command', () => {
  test.each(commands())('$call explains itself with --help', ({ call }) => {
    const help = helps.find((text) => text.startsWith(`${call}\n`));
    const [, usage = '', blank] = (help ?? '').split(/\n+```\n|\n/);
    expect(usage.split(/ --| [A-Z]/)[0]).toBe(call);
    expect(blank).toBe('');
    expect(help).toMatch(/^ {2}--help +print this$/m);
  });

  test('is a program of the project: the tools and its own checks are none', () => {
    const calls = commands().map(({ call }) => call);
    expect(calls).toContain('npm test');
    expect(calls).toContain('npm run simulator');
    expect(calls).not.toContain('npm run verify');
    expect(calls).not.toContain('npm run lint');
  });
});
