import { readFileSync, writeFileSync } from 'node:fs';
import { ArgumentError } from '../runner/command-line/argument-error.ts';
import { needsTable, profileTable } from '../runner/preflight/clauses.ts';
import { answerFaults, deliveryFaults } from '../schemas/faults-on-demand.ts';
import { isWithin, mustJudged, catalogue } from '../contract/catalogue.ts';
import { assuranceLevels, type AssuranceLevel } from '../contract/clause.ts';
import { boundaries, parts, type Part } from '../boundaries.ts';
import { readings } from '../contract/readings.ts';
import { settingsTable, type Setting } from '../runner/settings/settings-table.ts';
import { spawnSync } from 'node:child_process';
import projectPackage from '../package.json' with { type: 'json' };
import lockfile from '../package-lock.json' with { type: 'json' };

/** What `--help` prints. */
export const usage = `npm run docs

Writes those parts of the documents anew that the catalogue, the settings and the commands decide. They stand between two
comments; a test holds them to what this would write.

  --help   print this`;

/** What `npm run docs` does; gives the exit status. */
export function run(words: readonly string[]): number {
  if (words.length > 0) throw new ArgumentError('npm run docs takes no words');
  for (const file of new Set(generatedParts.map((part) => part.file))) {
    const text = readFileSync(file, 'utf8');
    const renewed = withGenerated(file, text);
    if (renewed !== text) writeFileSync(file, renewed);
    process.stdout.write(`${file}: ${renewed === text ? 'as it was' : 'renewed'}\n`);
  }
  return 0;
}

/** A part of a document that is made, not written: it stands between `<!-- name -->` and `<!-- /name -->`. */
interface GeneratedPart {
  readonly file: string;
  readonly name: string;
  readonly text: () => string;
}

/** Every generated part of every document. */
export const generatedParts: readonly GeneratedPart[] = [
  { file: 'docs/settings.md', name: 'settings', text: settingsText },
  { file: 'docs/settings.md', name: 'needs', text: needsTable },
  { file: 'docs/profile.md', name: 'profile', text: profileTable },
  { file: 'docs/verdicts.md', name: 'levels', text: levelsTable },
  { file: 'docs/readings.md', name: 'readings', text: readingsText },
  { file: 'docs/simulator.md', name: 'faults', text: faultsTable },
  { file: 'docs/dependencies.md', name: 'dependencies', text: dependenciesTable },
  { file: 'docs/architecture.md', name: 'parts', text: partsPicture },
  { file: 'docs/commands.md', name: 'commands', text: commandsText },
];

/** The text of a document with its generated parts as they are to be. Throws where the place of one is missing. */
export function withGenerated(file: string, text: string): string {
  return generatedParts
    .filter((part) => part.file === file)
    .reduce((whole, part) => {
      const [start, end] = [`<!-- ${part.name} -->`, `<!-- /${part.name} -->`];
      const [from, to] = [whole.indexOf(start), whole.indexOf(end)];
      if (from < 0 || to < from) throw new Error(`${file} has no place for ${part.name}: ${start} … ${end}`);
      return `${whole.slice(0, from + start.length)}\n\n${part.text()}\n\n${whole.slice(to)}`;
    }, text);
}

/** The faults on demand, with what an integrator does so as to survive each, as docs/ shows them. */
function faultsTable(): string {
  const rows = Object.entries({ ...answerFaults, ...deliveryFaults }).map(
    ([kind, { happens, remedy }]) => `| \`${kind}\` | ${happens} | ${remedy} |`,
  );
  return ['| fault | what happens | how to survive it |', '|---|---|---|', ...rows].join('\n');
}

const means: Readonly<Record<AssuranceLevel, string>> = {
  secret: 'an address and an App Secret',
  credentials: 'all secrets, and a profile that has proved itself',
  receiver:
    'deliveries that reach the suite; minutes that pass (`NFE_SLOW`), a night (`--received`) for the ladder of retries',
  control: 'a control API, which also lifts what is withheld',
};

/** The levels of assurance with how many must clauses each can exercise, as the table that docs/ shows. */
function levelsTable(): string {
  const rows = assuranceLevels.map((level) => {
    const clauses = mustJudged(catalogue, level === 'control').filter((clause) => isWithin(clause, level));
    return `| *${level}* | ${means[level]} | ${clauses.length} |`;
  });
  return ['| level | means | must clauses, with those of the levels below |', '|---|---|---|', ...rows].join('\n');
}

const importsOf = (part: Part): readonly Part[] =>
  parts.filter((other) => boundaries[part].some((name) => name === other));

/** All that a part may import, and what that may import in turn. */
function reach(part: Part): Set<Part> {
  const direct = importsOf(part);
  return new Set([...direct, ...direct.flatMap((other) => [...reach(other)])]);
}

/** What a part may import and none of its imports may: the arrows that a picture needs. */
const arrowsOf = (part: Part): Part[] =>
  importsOf(part).filter((other) => !importsOf(part).some((third) => third !== other && reach(third).has(other)));

/** The parts as a picture: an arrow leads to what may be imported, there and from there on. */
function partsPicture(): string {
  const arrows = parts.flatMap((part) => arrowsOf(part).map((other) => `  ${part} --> ${other}`));
  return ['```mermaid', 'graph TD', ...arrows, '```'].join('\n');
}

/** How doubtful places of the contract are read, each with its clauses, as docs/ shows it. */
function readingsText(): string {
  return readings
    .map(({ number, text, clauses }) => `**${number}.** ${text}\n<br>${clauses.map((id) => `\`${id}\``).join(', ')}`)
    .join('\n\n');
}

/** Every setting with what it takes and what holds without it, as the table that docs/ shows. */
function settingsText(): string {
  const rows = Object.values<Setting>(settingsTable).map((setting) => {
    const { name, takes, description, secret } = setting;
    const masked = secret ? ' Masked everywhere.' : '';
    return `| \`${name}\` | ${description}${masked} | ${takes.text} | ${defaultText(setting)} |`;
  });
  return ['| setting | what it says | takes | default |', '|---|---|---|---|', ...rows].join('\n');
}

/** What holds without it, and where that is otherwise. */
function defaultText({ default: usual, defaultIn, sandboxDefault, containerDefault }: Setting): string {
  const code = (text: string): string => `\`${text}\``;
  return [
    ...(defaultIn === undefined ? [] : [defaultIn.words]),
    ...(usual === undefined ? [] : [code(usual)]),
    ...(sandboxDefault === undefined ? [] : [`${code(sandboxDefault)} on a server`]),
    ...(containerDefault === undefined ? [] : [`${code(containerDefault)} for the container`]),
  ].join('; ');
}

/** A command of the project for people who use it. */
interface ExplainedCommand {
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
function commandsText(): string {
  const all = commands();
  const helps = helpsOf(all);
  return all
    .map(({ call }, at) => {
      const help = helps[at] ?? '';
      if (!help.startsWith(call)) throw new Error(`${call} does not explain itself: ${help}`);
      return `## ${call}\n\n\`\`\`\n${help.trimEnd()}\n\`\`\``;
    })
    .join('\n\n');
}

/** Runs programs with `--help` one after the other as if each had the process for itself, and parts what they print by NUL. */
const helper = `
  for (const [at, words] of JSON.parse(process.argv[1]).entries()) {
    process.argv = [process.execPath, ...words, '--help'];
    await import(new URL(words[0] + '?' + at, 'file://' + process.cwd() + '/').href);
    if (process.exitCode) throw new Error(words + ' ends with ' + process.exitCode);
    process.stdout.write('\\0');
  }`;

/** A command that does something else instead is stopped, with all others. */
const mostMs = 240_000;

function helpsOf(all: readonly ExplainedCommand[]): readonly string[] {
  const programs = all.map(({ words }) => words.filter((word) => !word.startsWith('--')));
  const env = { ...process.env, NODE_NO_WARNINGS: '1' };
  const words = ['--input-type=module', '--eval', helper, JSON.stringify(programs)];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8', env, timeout: mostMs });
  if (status !== 0 || stderr !== '') throw new Error(`a command does not explain itself: status ${status} ${stderr}`);
  return stdout.split('\0');
}

/** Why each library is there that the suite or the simulator loads; the compiler misses the reason of a new one. */
const reasons: Readonly<Record<keyof typeof projectPackage.dependencies, string>> = {
  '@faker-js/faker': 'names, addresses and goods of generated invoices',
  ajv: 'checks bodies, results and traces by their JSON Schemas',
  busboy: 'parses the multipart upload of a certificate, in the simulator',
  'bwip-js': 'draws the bar code of a DANFE',
  dotenv: 'reads the settings of a .env file',
  entities: 'reads the escapes of HTML and XML in which a secret might hide',
  'fast-check': 'draws the cases of properties, and makes a failing one smaller',
  'jsonc-parser': 'says at which line the JSON of a profile is wrong',
  'libxml2-wasm': 'parses and canonicalises XML, in the simulator',
  negotiator: 'reads Accept-Language, in the simulator',
  'node-forge': 'opens PKCS#12 files of every age, in the simulator',
  open: 'opens the report in the browser',
  'p-limit': 'keeps requests that are under way at once to NFE_BURST',
  pdfkit: 'writes the PDF of a DANFE',
  rolldown: 'puts the script of the report into its page',
  saxes: 'reads XML as a stream, where a document may be hostile or broken',
  undici: 'sends requests, and shows each connection and byte of them',
  vitest: 'runs the checks of a run',
};

/** What a package says of its licence in the lockfile; old ones say it in a form that npm leaves out there. */
const oldForm: Readonly<Record<string, string>> = { busboy: 'MIT' };

function licenceOf(name: string): string {
  const entry = Object.entries(lockfile.packages).find(([path]) => path === `node_modules/${name}`)?.[1];
  const licence = entry && 'license' in entry ? entry.license : undefined;
  return licence ?? oldForm[name] ?? 'unknown';
}

/** The libraries that the suite or the simulator loads, as the table that docs/ shows. */
function dependenciesTable(): string {
  const rows = Object.entries(reasons).map(([name, reason]) => {
    const version = Object.entries(projectPackage.dependencies).find(([one]) => one === name)?.[1] ?? '';
    return `| ${name} | ${version} | ${licenceOf(name)} | ${reason} |`;
  });
  return ['| library | version | licence | why |', '|---|---|---|---|', ...rows].join('\n');
}
