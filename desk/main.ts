import { ArgumentError } from '../runner/command-line/argument-error.ts';
import { keepCompiledCode } from '../runner/run/own-process.ts';
import { lastWord, withoutSecrets } from '../runner/command-line/last-word.ts';
import { TargetError } from '../runner/preflight/finding.ts';
import { SettingError } from '../runner/settings/settings.ts';

/** A command of the project. */
interface Command {
  /** What it prints when it is asked for help. */
  readonly usage: string;
  /** Does its work; gives the exit status. @throws {ArgumentError} that says what to write instead */
  readonly run: (words: readonly string[]) => number | Promise<number>;
}

/** A command, as the list of all has it. */
interface Listed {
  readonly does: string;
  /** Loads what it needs, and nothing that the others need. */
  readonly load: () => Promise<Command>;
}

/** All commands by their names, those that people need first. */
const commands: ReadonlyMap<string, Listed> = new Map([
  ['test', { does: 'judge the target of the settings, clause by clause', load: () => import('./test.ts') }],
  ['doctor', { does: 'examine settings, network and target before a run', load: () => import('./doctor.ts') }],
  ['profile', { does: 'find, or try, documents and numbers that suit a target', load: () => import('./profile.ts') }],
  ['receiver', { does: 'keep a webhook receiver up between two runs', load: () => import('./receiver.ts') }],
  ['report', { does: 'write or open the reports of runs made before', load: () => import('./report.ts') }],
  ['compare', { does: 'tell where two runs differ', load: () => import('./compare.ts') }],
  ['history', { does: 'add a run to a history, and print its last runs', load: () => import('./history.ts') }],
  ['schemas', { does: 'write the JSON Schemas of the contract', load: () => import('./schemas.ts') }],
  [
    'mutants',
    { does: 'judge the suite itself, by services that are wrong on purpose', load: () => import('../mutants/main.ts') },
  ],
  ['costs', { does: 'measure what each check sends', load: () => import('./costs.ts') }],
  [
    'bench',
    { does: 'measure speed and growth, against limits of the same run', load: () => import('../bench/main.ts') },
  ],
  ['docs', { does: 'write the generated parts of the documents', load: () => import('./docs.ts') }],
  ['verify', { does: 'run everything that must pass before a change is taken', load: () => import('./verify.ts') }],
]);

const usage = `node desk/main.ts COMMAND [options]

${[...commands].map(([name, { does }]) => `  ${name.padEnd(10)}${does}`).join('\n')}

Each is a script of npm as well: npm test, npm run doctor, and so on; after COMMAND, --help lists its options.
The simulator is a program of its own: npm run simulator.`;

/** What to do where no command is named. */
const overview: Command = {
  usage,
  run: ([name]) => {
    throw new ArgumentError(`${name ?? 'nothing'} is no command: ${[...commands.keys()].join(', ')} are`);
  },
};

/** Why `error` ended a command, in a line; where the project itself is at fault, the place where it broke. */
function reason(error: unknown): string {
  const isExpected = error instanceof SettingError || error instanceof ArgumentError || error instanceof TargetError;
  return isExpected ? withoutSecrets(error.message, process.env) : lastWord(error, process.env);
}

/** Runs a command, or prints its help; the process ends with its status, with 2 and one line that says why where it can't be followed. */
async function runCommand({ usage, run }: Command, words: readonly string[]): Promise<void> {
  if (words.includes('--help')) {
    process.stdout.write(`${usage}\n`);
    process.exitCode = 0;
    return;
  }
  try {
    process.exitCode = await run(words);
  } catch (error) {
    process.stderr.write(`error: ${reason(error)}\n`);
    process.exitCode = 2;
  }
}

keepCompiledCode();
const [name = '--help', ...words] = process.argv.slice(2);
const asked = commands.get(name);
await runCommand(asked ? await asked.load() : overview, asked ? words : [name]);
