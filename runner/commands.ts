import { spawnSync } from 'node:child_process';
import projectPackage from '../package.json' with { type: 'json' };

/** A command of the project for people who use it. */
export interface Command {
  /** How it is called: `npm test`, `npm run doctor`. */
  readonly call: string;
  /** What npm runs for it. */
  readonly words: readonly string[];
}

/** Names of the scripts that check the project itself: they take no options. */
const ownChecks: ReadonlySet<string> = new Set(['verify']);

/** The commands among the scripts of package.json, in their order: those that run a program of the project. */
export function commands(): readonly Command[] {
  return Object.entries(projectPackage.scripts).flatMap(([name, script]) => {
    const [program, ...words] = script.split(' ');
    if (program !== 'node' || ownChecks.has(name)) return [];
    return [{ call: name === 'test' ? 'npm test' : `npm run ${name}`, words }];
  });
}

/** What a command comes to when it is asked for help. */
export function helpOf({ words }: Command): { status: number | null; stdout: string; stderr: string } {
  const env = { ...process.env, NODE_NO_WARNINGS: '1' };
  return spawnSync(process.execPath, [...words, '--help'], { encoding: 'utf8', env });
}
