import { loadEnvironment, readSettings } from '../runner/settings/settings.ts';
import { readProfileArguments } from './profile/arguments.ts';
import { checkProfile } from './profile/check.ts';
import { initProfile } from './profile/init.ts';

export { usage } from './profile/arguments.ts';

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** What `npm run profile` does; gives the exit status: 0 every part was found or held, 1 some were not, 2 an error. */
export async function run(words: readonly string[]): Promise<number> {
  const asked = readProfileArguments(words);
  const environment = loadEnvironment('.env', process.env);
  const settings = readSettings(environment);
  if (asked.command === 'init') return initProfile(asked, settings, environment, print);
  return checkProfile(
    asked.folder === undefined ? settings : { ...settings, profile: asked.folder },
    environment,
    print,
  );
}
