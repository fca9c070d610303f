import type { SettingKind } from './setting-kinds.ts';
import { settingsTable, type Setting } from './settings-table.ts';
import { readFileSync } from 'node:fs';
import { parse } from 'dotenv';
import { fileErrorCode } from '../command-line/argument-error.ts';

/** Names and texts of settings, wherever they come from. */
export type Environment = Readonly<Record<string, string | undefined>>;

type Table = typeof settingsTable;

type ValueOf<Row> = Row extends { takes: SettingKind<infer Value> }
  ? Row extends { default: string } | { defaultIn: object }
    ? Value
    : Value | undefined
  : never;

/** What every setting says: a field for each row of the table, `undefined` where it is unset and has no default. */
export type Settings = { readonly [Field in keyof Table]: ValueOf<Table[Field]> };

/** Every setting, by its field. */
const rows: readonly (readonly [string, Setting])[] = Object.entries(settingsTable);

/** Settings that cannot stand together, each with what to do about it. */
const contradictions: readonly { readonly found: (settings: Settings) => boolean; readonly message: string }[] = [
  {
    found: ({ target, baseUrl }) => target !== 'sandbox' && baseUrl !== undefined,
    message:
      'NFE_BASE_URL is set while NFE_TARGET is `embedded` or `container`: unset one of them, or set NFE_TARGET to `sandbox`',
  },
  {
    found: ({ target, baseUrl }) => target === 'sandbox' && baseUrl === undefined,
    message: `NFE_BASE_URL is unset while NFE_TARGET is \`sandbox\`: it takes ${settingsTable.baseUrl.takes.text}`,
  },
  {
    found: ({ baseUrl }) => baseUrl !== undefined && /\/openapi$/i.test(baseUrl),
    message: 'NFE_BASE_URL takes the address up to the place where /openapi begins: leave /openapi off',
  },
  {
    found: ({ controlUrl, controlToken }) => controlUrl !== undefined && controlToken === undefined,
    message: 'NFE_CONTROL_URL is set without NFE_CONTROL_TOKEN: a control API takes both',
  },
  {
    found: ({ controlUrl, controlToken }) => controlUrl === undefined && controlToken !== undefined,
    message: 'NFE_CONTROL_TOKEN is set without NFE_CONTROL_URL: a control API takes both',
  },
  {
    found: ({ target, appSecret, controlUrl }) =>
      target === 'sandbox' && appSecret === undefined && controlUrl === undefined,
    message:
      'NFE_APP_SECRET is unset: a sandbox takes the secret of an active application, or NFE_CONTROL_URL with NFE_CONTROL_TOKEN',
  },
];

/**
 * The settings of a run; an empty text counts as unset.
 * @throws {SettingError} for a setting that is unknown, malformed or at odds with another.
 */
export function readSettings(environment: Environment): Settings {
  refuseUnknownSettings(Object.keys(environment).filter((name) => environment[name]));
  const target = environment['NFE_TARGET'] || (environment['NFE_BASE_URL'] ? 'sandbox' : 'embedded');
  const values = Object.fromEntries(rows.map(([field, row]) => [field, valueOf(row, environment, target)]));
  if (!isWhole(values)) throw new Error('a row of the table of settings was not read');
  const contradiction = contradictions.find(({ found }) => found(values));
  if (contradiction) throw new SettingError(contradiction.message);
  return values;
}

/** The secrets among the settings, each with the text that takes its place: `$` and the name of the setting. */
export function namedSecrets(settings: Settings): ReadonlyMap<string, string> {
  const values = new Map<string, unknown>(Object.entries(settings));
  const secrets = rows.filter(([, row]) => row.secret);
  return new Map(
    secrets.flatMap(([field, { name }]) => {
      const secret = values.get(field);
      return typeof secret === 'string' ? [[secret, `$${name}`] as const] : [];
    }),
  );
}

/** What a text says, or the default; the text itself never gets into the error, since it may be a misplaced secret. */
function valueOf({ name, takes, ...row }: Setting, environment: Environment, target: string): unknown {
  const ofTarget = { sandbox: row.sandboxDefault, container: row.containerDefault }[target];
  const used = environment[name] || ofTarget || row.default || row.defaultIn?.text(environment);
  if (used === undefined) return undefined;
  const value = takes.parse(used);
  if (value === undefined) throw new SettingError(`${name} takes ${takes.text}`);
  return value;
}

/** Whether every row was read; each row's own parser has made its value, so the types hold with it. */
function isWhole(values: object): values is Settings {
  return rows.every(([field]) => field in values);
}

/** Variables that are no settings of the suite, but that its HTTP clients heed: a `.env` file may hold them too. */
const networkVariables: ReadonlySet<string> = new Set(['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS']);

/**
 * The process environment, with the settings and network variables of a `.env` file below it: what the process
 * environment has, even as an empty text, hides the file's. A file that does not exist adds nothing.
 * @throws {SettingError} when the file exists but can't be read, or a setting in it is not written as `NAME=value`.
 */
export function loadEnvironment(dotenvPath: string, processEnvironment: Environment): Record<string, string> {
  const own = definedOnly(processEnvironment);
  const taken = new Set(Object.keys(own).map(sameVariable));
  const file = readDotenv(dotenvPath);
  const added = Object.entries(file).filter(([name]) => isPassedOn(name) && !taken.has(sameVariable(name)));
  return { ...Object.fromEntries(added), ...own };
}

function definedOnly(environment: Environment): Record<string, string> {
  const entries = Object.entries(environment);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function isPassedOn(name: string): boolean {
  return networkVariables.has(sameVariable(name)) || isMeantAsSetting(name);
}

/** One name for both letter cases of a proxy variable: programs heed either, some the lower-case one first. */
function sameVariable(name: string): string {
  return name.toLowerCase().endsWith('_proxy') ? name.toUpperCase() : name;
}

function readDotenv(path: string): Record<string, string> {
  const text = readIfPresent(path);
  if (text.includes('\0')) throw new SettingError(`${path} is written in UTF-16, or is no text: save it as UTF-8`);
  const parsed = parse(text);
  const lines = text.matchAll(/^[\t ]*(?:export[\t ]+)?(NFE_[\w.-]*)/gim);
  const lost = [...lines].map(([, name = '']) => name).find((name) => !(name in parsed));
  if (lost) throw new SettingError(`${lost} in ${path} is not written as ${lost}=value`);
  return parsed;
}

function readIfPresent(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = fileErrorCode(error);
    if (code === 'ENOENT') return '';
    throw new SettingError(`${path} can't be read (${code}): it takes lines of NAME=value, or its absence`);
  }
}

/** The public names of all settings, in the order of the table. */
export const settingNames: readonly string[] = Object.values(settingsTable).map(({ name }) => name);

/** How many letters must be changed, added or dropped to make one text of the other. */
function editDistance(one: string, other: string): number {
  let distances = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [row, letter] of Array.from(one).entries()) {
    const next = [row + 1];
    for (const [column, otherLetter] of Array.from(other).entries()) {
      const [diagonal = 0, above = 0] = distances.slice(column, column + 2);
      const left = next[column] ?? 0;
      next.push(Math.min(diagonal + (letter === otherLetter ? 0 : 1), above + 1, left + 1));
    }
    distances = next;
  }
  return distances.at(-1) ?? 0;
}

/** The candidate that `text` is most likely a misspelling of, letter case aside; `undefined` when none is near. */
export function nearest(text: string, candidates: readonly string[], mostEdits: number): string | undefined {
  const lengthOf = (one: string): number => Array.from(one).length;
  // Of texts that differ more in length nothing needs to be reckoned: each command asks this of its whole environment.
  const near = candidates
    .filter((candidate) => Math.abs(lengthOf(candidate) - lengthOf(text)) <= mostEdits)
    .map((candidate) => ({ candidate, edits: editDistance(text.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ edits }) => edits <= mostEdits)
    .sort((one, other) => one.edits - other.edits);
  return near[0]?.candidate;
}

/** Whether a name claims to be a setting: by its prefix, or because it is a slip away from one (`NEF_TARGET`). */
function isMeantAsSetting(name: string): boolean {
  return /^nfe_/i.test(name) || nearest(name, settingNames, 2) !== undefined;
}

/** Refuses a name that is meant as a setting and is none: otherwise it would go unheeded. */
export function refuseUnknownSettings(names: readonly string[]): void {
  for (const name of names) {
    if (settingNames.includes(name) || !isMeantAsSetting(name)) continue;
    const meant = nearest(name, settingNames, Math.floor(name.length / 3));
    throw new SettingError(
      `${name} is not a setting: ${meant ? `did you mean ${meant}?` : '.env.example lists them all'}`,
    );
  }
}

/** A setting that is malformed, unknown or at odds with another: one line that names it and says what it takes. Carries no value of a setting. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}
