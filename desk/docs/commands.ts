import { spawnSync } from 'node:child_process';
import projectPackage from '../../package.json' with { type: 'json' };

/** A command of the project for people who use it. */
export interface ExplainedCommand {
  /** How it is called: `npm test`, `npm run doctor`. */
  readonly call: string;
  /** What npm runs for it. */
  readonly words: readonly string[];
}

/** Names of the scripts that check the project itself: they take no options. */
const ownChecks: ReadonlySet<string> = new Set(['verify']);

/** The commands among the scripts of package.json, in their order: those that run a program of the project. */
export function commands(): readonly ExplainedCommand[] {
  return Object.entries(projectPackage.scripts).flatMap(([name, script]) => {
    const [program, ...words] = script.split(' ');
    if (program !== 'node' || ownChecks.has(name)) return [];
    return [{ call: name === 'test' ? 'npm test' : `npm run ${name}`, words }];
  });
}

/**
 * What every command prints when it is asked for help, a heading and a block each, as docs/ shows it. Throws where one does not
 * explain itself, with status 0 and nothing but its text.
 */
export function commandsText(): string {
  return commands()
    .map((command) => `## ${command.call}\n\n\`\`\`\n${helpOf(command)}\n\`\`\``)
    .join('\n\n');
}

/** A command that does something else instead is stopped. */
const mostMs = 60_000;

function helpOf({ call, words }: ExplainedCommand): string {
  const env = { ...process.env, NODE_NO_WARNINGS: '1' };
  const options = { encoding: 'utf8', env, timeout: mostMs } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [...words, '--help'], options);
  if (status !== 0 || stderr !== '' || !stdout.startsWith(call))
    throw new Error(`${call} does not explain itself: status ${status} ${stderr}`);
  return stdout.trimEnd();
}
