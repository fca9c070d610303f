import { expect, test } from 'vitest';
import { ArgumentError } from './argument-error.ts';
import { namedClauses, readArguments } from './arguments.ts';
import { lastWord, withoutSecrets } from './last-word.ts';

test.each([
  [['--budget', '600'], 600],
  [['--first-look'], 150],
  [[], undefined],
])('%j asks for a budget of %s requests', (words, budget) => {
  expect(readArguments(words).budget).toBe(budget);
});

test('--at-most asks for a run that is so sure, 95 times in 100 where nothing else is told', () => {
  expect(readArguments(['--at-most', '0.05']).bound).toEqual({ atMost: 0.05, confidence: 0.95 });
  expect(readArguments(['--at-most', '.01', '--confidence', '0.99']).bound).toEqual({ atMost: 0.01, confidence: 0.99 });
});

test('--list prints what --topic and --clause name, and all where neither is there', () => {
  const listed = (...words: string[]) => namedClauses(readArguments(['--list', ...words])).map(({ id }) => id);
  expect(listed('--topic', 'subscription')).toEqual(listed().filter((id) => id.startsWith('subscription.')));
  expect(listed('--clause', 'echo.status')).toEqual(['echo.status']);
  expect(() => listed('--topic', 'ecko')).toThrow('did you mean echo?');
});

test.each([
  [['--budget', '49'], /--budget takes a number of requests, 50 or more, not 49/],
  [['--budget', 'many'], /--budget takes a number of requests/],
  [['--at-most', '5'], /--at-most takes a number from 0.001 to 0.5, such as 0.05, not 5/],
  [['--at-most', '0.05', '--confidence', '1'], /--confidence takes a number from 0.5 to 0.999/],
  [['--confidence', '0.9'], /--confidence says how surely a rate is excluded: it takes --at-most/],
  [['--at-most', '0.05', '--shard', '1/2'], /--at-most goes on where a whole run would end/],
  [['--budget', '600', '--first-look'], /--first-look is --budget 150: give one of them/],
  [['nfe-verification'], /Unexpected argument 'nfe-verification'; say npm test -- --topic nfe-verification$/],
  [['--seed', '1', 'echo.status'], /Unexpected argument 'echo.status'; say npm test -- --clause echo.status$/],
])('%j is refused, and says what to write', (words, why) => {
  expect(() => readArguments(words)).toThrow(ArgumentError);
  expect(() => readArguments(words)).toThrow(why);
});

const environment = { NFE_APP_SECRET: 'canary-0123456789', HTTPS_PROXY: 'http://somebody:canary-of-the-proxy@proxy:1' };

test('a command that breaks says where, and none of the secrets', () => {
  const error = new Error(
    `no URL: https://canary-0123456789/${Buffer.from('canary-0123456789').toString('hex')}\u001b[2J`,
  );
  const said = lastWord(error, environment);
  expect(said).toMatch(/^the suite broke: Error: no URL: https:\/\/\$NFE_APP_SECRET\/\$NFE_APP_SECRET/);
  expect(said).toContain('arguments.test.ts');
  expect(said).not.toContain('\u001b');
  expect(lastWord('by canary-of-the-proxy', environment)).not.toContain('canary');
});

test('what is wrong with a setting is told without the secret in it', () => {
  const told = withoutSecrets('NFE_PROFILE: /profiles/canary-0123456789 is no folder', environment);
  expect(told).toBe('NFE_PROFILE: /profiles/$NFE_APP_SECRET is no folder');
});
