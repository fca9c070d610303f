import { describe, expect, test } from 'vitest';
import { commands, helpOf } from './commands.ts';

describe('every command', () => {
  test.each(commands())('$call explains itself with --help, ends with 0 and does nothing else', (command) => {
    const { status, stdout, stderr } = helpOf(command);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const [usage = '', blank, about = ''] = stdout.split('\n');
    expect(usage.split(/ --| [A-Z]/)[0]).toBe(command.call);
    expect(blank).toBe('');
    expect(about).toMatch(/^[A-Z ]/);
    expect(stdout).toMatch(/^ {2}--help +print this$/m);
  });

  test('is a program of the project: the tools and its own checks are none', () => {
    const calls = commands().map(({ call }) => call);
    expect(calls).toContain('npm test');
    expect(calls).toContain('npm run simulator');
    expect(calls).not.toContain('npm run verify');
    expect(calls).not.toContain('npm run lint');
  });
});
