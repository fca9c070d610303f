import { readFileSync } from 'node:fs';
import { parse } from 'dotenv';
import { fileErrorCode } from '../results/file-error.ts';
import { SettingError } from './setting-error.ts';
import type { Environment } from './settings.ts';
import { isMeantAsSetting } from './unknown-settings.ts';

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
