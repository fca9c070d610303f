import { catalogue, findClause, type KnownDeviation, type KnownDeviations } from '../../contract/catalogue.ts';
import type { Results } from '../../schemas/results.ts';
import { ArgumentError } from '../command-line/argument-error.ts';
import { readResultsFile, jsonInFile } from '../results/report-folder.ts';
import { SettingError, nearest } from './settings.ts';
import { calledEndpoint, endpoints, methodAndPath, retiredEndpoints } from '../../contract/endpoints.ts';
import { isObject } from '../../schemas/values.ts';

/**
 * The results of an earlier run, as far as a report compares with them: the file that NFE_BASELINE names.
 * @throws {SettingError} for a file that can't be read or is not a `results.json` of this format.
 */
export function readBaseline(path: string): Results {
  return fileOf('NFE_BASELINE takes the results.json of an earlier run', () => readResultsFile(path));
}

const setting = 'NFE_KNOWN_DEVIATIONS';
const takes = `${setting} takes a JSON file of the form {"<clause id>": "reason or ticket"}`;
const takesLong = 'an entry takes reason, check, endpoint, case, by and until, each a text; only reason must be there';

/**
 * The deviations that are accepted for now, by clause id: the file that NFE_KNOWN_DEVIATIONS names. An endpoint of it may be
 * given by its name, its path, or its method and path. The titles of checks are not looked at.
 * @throws {SettingError} for a file that can't be read, has another shape, or names what is no clause.
 */
export function readKnownDeviations(path: string): KnownDeviations {
  const content = fileOf(takes, () => jsonInFile(path));
  if (!isObject(content)) throw new SettingError(`${takes}: ${path} holds no JSON object`);
  const unknown = Object.keys(content).find((id) => findClause(id) === undefined);
  if (unknown !== undefined) throw new SettingError(unknownClause(unknown, path));
  return Object.fromEntries(Object.entries(content).map(([id, listed]) => [id, listedOf(id, listed, path)]));
}

/** What is listed of a clause: a reason, one entry, or several. @throws {SettingError} */
function listedOf(id: string, listed: unknown, path: string): string | readonly KnownDeviation[] {
  if (typeof listed === 'string' && listed.trim() !== '') return listed;
  const entries: readonly unknown[] = Array.isArray(listed) ? listed : [listed];
  if (entries.length === 0) throw new SettingError(`${takes}: ${id} in ${path} has no reason`);
  return entries.map((entry, at) => {
    if (!isObject(entry)) throw new SettingError(`${takes}: ${id} in ${path} has no reason`);
    return entryOf(entry, `${path}, ${id}, entry ${at + 1}`);
  });
}

/**
 * Refuses an entry that names a check which its clause has not, by the titles of the checks of each clause.
 * @throws {SettingError}
 */
export function refuseUnknownChecks(known: KnownDeviations, titles: ReadonlyMap<string, readonly string[]>): void {
  for (const [id, entries] of namedChecks(known)) {
    for (const [at, { check }] of entries.entries()) {
      const own = titles.get(id) ?? [];
      if (check === undefined || own.includes(check)) continue;
      const hint = own.length === 0 ? 'the clause has none' : meant(check, own);
      throw new SettingError(`${setting}: ${id}, entry ${at + 1}: no check of it is titled ${quoted(check)}: ${hint}`);
    }
  }
}

/** The clauses of which an entry names a check. */
export function clausesWithChecks(known: KnownDeviations): readonly string[] {
  return namedChecks(known).map(([id]) => id);
}

function namedChecks(known: KnownDeviations): [string, readonly KnownDeviation[]][] {
  return Object.entries(known).flatMap(([id, entries]): [string, readonly KnownDeviation[]][] =>
    typeof entries !== 'string' && entries.some(({ check }) => check !== undefined) ? [[id, entries]] : [],
  );
}

/** What is read of the file that a setting names. @throws {SettingError} that begins with what the setting takes. */
function fileOf<T>(taken: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
    throw new SettingError(`${taken}: ${error.message}`);
  }
}

const fields = ['reason', 'check', 'endpoint', 'case', 'by', 'until'] as const;

/** An entry of the long form. @throws {SettingError} */
function entryOf(entry: Readonly<Record<string, unknown>>, where: string): KnownDeviation {
  const refused = (why: string): SettingError => new SettingError(`${setting}: ${where}: ${why}`);
  const { reason, endpoint, until, ...rest } = textsOf(entry, refused);
  if (reason === undefined) throw refused(`it has no reason: ${takesLong}`);
  if (until !== undefined && !isDate(until)) {
    throw refused(`until takes the last day on which it is accepted, such as 2026-12-31, not ${quoted(until)}`);
  }
  return {
    reason,
    ...rest,
    ...(endpoint === undefined ? {} : { endpoint: endpointOf(endpoint, refused) }),
    ...(until === undefined ? {} : { until }),
  };
}

/** The fields of an entry, all of them texts. @throws {SettingError} */
function textsOf(
  entry: Readonly<Record<string, unknown>>,
  refused: (why: string) => SettingError,
): Partial<Record<(typeof fields)[number], string>> {
  const texts = Object.entries(entry).map(([name, text]): [string, string] => {
    if (!fields.some((field) => field === name)) {
      const hint = nearest(name, fields, Math.max(1, Math.floor(name.length / 3)));
      throw refused(`there is no field ${quoted(name)}: ${hint ? `did you mean ${hint}?` : takesLong}`);
    }
    if (typeof text !== 'string' || text.trim() === '') throw refused(`${name} is no text: ${takesLong}`);
    return [name, text];
  });
  return Object.fromEntries(texts);
}

/** A day of the calendar, as ISO-8601 writes it. */
function isDate(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : new Date(NaN);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
}

/** Method and path template of the endpoint that a text names: by both, by the path alone, or by its short name. */
function endpointOf(text: string, refused: (why: string) => SettingError): string {
  const all = [...endpoints, ...retiredEndpoints];
  const named = all.filter(
    (one) => methodAndPath(one) === text || one.path === text || ('name' in one && one.name === text),
  );
  const [only, other] = named.map(methodAndPath);
  if (only !== undefined && other === undefined) return only;
  if (only !== undefined)
    throw refused(`endpoint ${quoted(text)} stands for ${only} and for ${other}: name one of them`);
  const [method = '', path = ''] = text.split(' ');
  const called = calledEndpoint(method, path);
  const template = called && `; its path is written as a template: ${methodAndPath(called)}`;
  const names = [
    ...all.map(methodAndPath),
    ...retiredEndpoints.map((one) => one.path),
    ...endpoints.map(({ name }) => name),
  ];
  throw refused(`no endpoint is called ${quoted(text)}${template ?? `: ${meant(text, names)}`}`);
}

function meant(text: string, candidates: readonly string[]): string {
  return `did you mean ${nearest(text, candidates, Infinity)}?`;
}

function quoted(text: string): string {
  return JSON.stringify(text);
}

function unknownClause(id: string, path: string): string {
  const ids = catalogue.map((clause) => clause.id);
  const likely = nearest(id, ids, Math.floor(id.length / 3));
  const hint = likely ? `did you mean ${likely}?` : 'it takes ids of the catalogue only';
  return `${setting}: ${path} lists ${quoted(id)}, which is no clause: ${hint}`;
}
