import { maskFor } from '../../trace/mask.ts';
import { loadEnvironment, type Environment } from '../settings/settings.ts';
import { secretsAround } from '../settings/webhook-receiver.ts';
import { visible } from '../../reports/visible.ts';

/** What is printed where a command breaks that is at fault itself: where it did, without the secrets of the settings. */
export function lastWord(error: unknown, processEnvironment: Environment): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `the suite broke: ${withoutSecrets(text, processEnvironment)}`;
}

/** A text for the terminal, without the secrets of the settings and without control characters. */
export function withoutSecrets(text: string, processEnvironment: Environment): string {
  return visible(maskFor(secretsIn(processEnvironment))(text), '\n');
}

/** Where the settings themselves can't be read, those of the process are known all the same. */
function secretsIn(processEnvironment: Environment): ReadonlyMap<string, string> {
  for (const read of [() => loadEnvironment('.env', processEnvironment), () => processEnvironment]) {
    try {
      return secretsAround(read());
    } catch {
      continue;
    }
  }
  return new Map();
}
