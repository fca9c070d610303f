import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve, dirname } from 'node:path';
import { ledgerMemory } from '../../targets/traffic/ledger.ts';
import type { Mask } from '../../trace/people/words-mask.ts';
import type { TargetAddress } from '../../targets/address.ts';
import { maskAt, withoutPeople } from '../../targets/mask.ts';
import { NotExercised } from '../../targets/not-exercised.ts';
import { type Profile, profileFiles } from '../../targets/profile.ts';
import { findingLine, shown } from '../doctor-lines.ts';
import { empresaMemoryAt } from '../../runner/results/remembered-empresas.ts';
import { asApplication } from '../../runner/preflight/profile.ts';
import { secretsAt } from '../../runner/preflight/diagnose.ts';
import { examine } from '../../runner/preflight/examine.ts';
import { refuseUnfair, TargetError } from '../../runner/preflight/finding.ts';
import { SettingError, namedSecrets, type Environment, type Settings } from '../../runner/settings/settings.ts';
import { settingsTable } from '../../runner/settings/settings-table.ts';
import { startTarget } from '../../runner/run/start-target.ts';
import { suiteFacts } from '../../runner/run/run-facts.ts';
import {
  readSources,
  bodiesIn,
  filesIn,
  recordBytes,
  recordFile,
  openSearch,
  type Gathered,
  type Spent,
  together,
  type Search,
  limits,
  mostDraws,
  mostUploads,
  type Lacking,
} from './search.ts';
import { findCompanies } from './companies.ts';
import { findDocuments } from './documents.ts';
import { findIssuances, withoutIssuances, type FoundIssuances } from './issuances.ts';
import { findNumbers } from './numbers.ts';
import { ArgumentError, fileErrorCode } from '../../runner/command-line/argument-error.ts';
import { counted } from '../../reports/language.ts';

/** What is asked of a search for a profile. */
export interface InitArguments {
  readonly command: 'init';
  readonly folder: string;
  /** Folders whose files are tried first. */
  readonly from: readonly string[];
  readonly isForced: boolean;
  /** Only to say what would be tried. */
  readonly isPlan: boolean;
}

/** Takes lines of output. */
export type Print = (line: string) => void;

/**
 * Finds a profile that suits the target of the settings and writes it; gives the exit status: 0 every part was found, 1 some
 * were not. Refuses settings by which anything could reach production, and a target that can't be tested.
 */
export async function initProfile(
  { folder, from, isForced, isPlan }: InitArguments,
  settings: Settings,
  environment: Environment,
  print: Print,
): Promise<number> {
  if (settings.allowProducao) {
    throw new SettingError('NFE_ALLOW_PRODUCAO is set, and a profile is sought in Homologacao only: unset it');
  }
  refuseUnfitFolder(folder, isForced);
  const isOwn = existsSync(folder) && isForced;
  // Who has named the folder in NFE_PROFILE already has nothing there yet.
  const isNamed = resolve(settings.profile) === resolve(folder);
  const known = isNamed ? { ...settings, profile: settingsTable.profile.default } : settings;
  const sources = readSources([...from, ...(isOwn ? [folder] : []), known.profile, settingsTable.profile.default]);
  for (const line of planLines(known, sources)) print(line);
  if (isPlan) return 0;
  const { gathered, spent, baseUrl, mask } = await search(sources, known, environment, print);
  const files = new Map<string, Buffer>(gathered.files);
  const by = { baseUrl, suite: suiteFacts(), at: new Date().toISOString() };
  if (files.size > 0) writeFolder(folder, files.set(recordFile, recordBytes(gathered, by, mask)));
  const kept = gathered.lacking.filter(({ file }) => !files.has(file) && existsSync(join(folder, file)));
  for (const line of summaryLines(folder, gathered, spent, kept)) print(mask(line));
  return gathered.lacking.length === 0 ? 0 : 1;
}

/** What a search has come to, and where. */
interface Searched {
  readonly gathered: Gathered;
  readonly spent: Spent;
  readonly baseUrl: string;
  readonly mask: Mask;
}

async function search(
  sources: readonly Profile[],
  settings: Settings,
  environment: Environment,
  print: Print,
): Promise<Searched> {
  const traffic = { memory: ledgerMemory(), budget: 0 };
  const spent = { companies: 0, invoices: 0 };
  const { address: start, stop } = await startTarget(settings, environment);
  try {
    const { address, findings, secrets } = await examine(settings, start, traffic, undefined, { isHarmless: true });
    refuseUnfair(findings);
    const known = new Map([...secretsOf(settings, start, sources), ...secrets]);
    return await asApplication(address, traffic, async (acting) => {
      const secretsMask = maskAt(address, new Map([...known, ...acting.target.secrets]));
      const mask = withoutPeople(secretsMask, acting.target.people);
      const report = (finding: Parameters<typeof shown>[0]): void => print(findingLine(shown(finding, mask), false));
      const memory = empresaMemoryAt(settings, address);
      const given = { sources, address, acting, ...(memory ? { memory } : {}) };
      const gathered = await gatherProfile(openSearch(given, spent, report));
      return { gathered, spent, baseUrl: address.baseUrl, mask };
    });
  } catch (error) {
    if (!(error instanceof NotExercised)) throw error;
    throw new TargetError(() => `${error.message}; nothing was written, and ${leftText(spent)}`, error.trouble);
  } finally {
    await stop();
  }
}

/** Everything secret that is known before the first request, each with the text that takes its place. */
function secretsOf(
  settings: Settings,
  address: TargetAddress,
  sources: readonly Profile[],
): ReadonlyMap<string, string> {
  const ofProfiles = sources.flatMap((source) => [...source.secrets()]);
  return new Map([...ofProfiles, ...secretsAt(address), ...namedSecrets(settings)]);
}

/** Finds every part of a profile that suits the target: companies first, since invoices are issued for one. */
async function gatherProfile(search: Search): Promise<Gathered> {
  const companies = await findCompanies(search);
  const { empresaId } = companies;
  const issuances: FoundIssuances =
    empresaId === undefined ? withoutIssuances() : await findIssuances(search, empresaId);
  const documents = await findDocuments(search, issuances.authorised);
  return together([companies, issuances, documents, await findNumbers(search)]);
}

/**
 * Refuses a folder that a profile can't be written to, before anything is sent for it. Files that are there are only
 * overwritten by force. Throws an ArgumentError.
 */
function refuseUnfitFolder(folder: string, isForced: boolean): void {
  const names = new Set([...Object.keys(profileFiles), recordFile]);
  const taken = orRefused(folder, () => (existsSync(folder) ? readdirSync(folder) : [])).filter((name) =>
    names.has(name),
  );
  if (taken.length > 0 && !isForced) {
    throw new ArgumentError(`${folder} has a ${taken[0]}: name another folder, or let --force overwrite what is there`);
  }
  orRefused(folder, () => {
    const { isNew, place } = placeOf(folder);
    if (isNew) mkdirSync(place, { recursive: true });
    rmSync(mkdtempSync(join(place, '.profile-')), { recursive: true });
  });
}

/** Writes files into a folder: all of them or none, each readable by its owner only. Throws an ArgumentError. */
export function writeFolder(folder: string, files: ReadonlyMap<string, Buffer>): void {
  orRefused(folder, () => {
    const { isNew, place } = placeOf(folder);
    const stage = mkdtempSync(join(place, '.profile-'));
    try {
      for (const [name, bytes] of files) writeFileSync(join(stage, name), bytes, { mode: 0o600, flush: true });
      if (isNew) renameSync(stage, folder);
      else for (const name of files.keys()) renameSync(join(stage, name), join(folder, name));
    } finally {
      rmSync(stage, { recursive: true, force: true });
    }
  });
}

/** Where files are put until all are there: on the same disk as the folder, inside it once it exists. */
function placeOf(folder: string): { readonly isNew: boolean; readonly place: string } {
  const isNew = !existsSync(folder);
  return { isNew, place: isNew ? dirname(resolve(folder)) : folder };
}

function orRefused<T>(folder: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw new ArgumentError(`${folder} can't be written (${fileErrorCode(error)}): name a folder that can be`);
  }
}

/** What a search will try and the most that it will send, before it sends anything. */
function planLines(
  { baseUrl, target, maxRps, settleTimeoutSeconds, empresaId }: Settings,
  sources: readonly Profile[],
): string[] {
  const bodies = (file: Parameters<typeof bodiesIn>[1]): number => bodiesIn(sources, file).length;
  const documents = ['verificacao.autorizada.xml', 'verificacao.rejeitada.xml'] as const;
  const xmls = documents.reduce((count, file) => count + filesIn(sources, file).length, 2);
  const numbers = sources.filter(({ consultas }) => consultas).length;
  const pace = maxRps === 0 ? 'as fast as it answers' : `at ${maxRps} requests a second at most`;
  return [
    `Searches for a profile that suits ${baseUrl ?? `the ${target} simulator`}, ${pace}, in Homologacao only.`,
    `Tries the files of ${sources.map(({ folder }) => folder).join(', ')}: ${counted(bodies('empresa.json') + bodies('outra-empresa.json'), 'company', 'companies')}, ` +
      `${counted(bodies('nf-e.autorizada.json') + bodies('nf-e.negada.json') + bodies('nf-e.invalida.json'), 'issuance')}, ${counted(xmls, 'document')}, ${counted(2 * (2 * numbers + mostDraws), 'number')} at most.`,
    ...(empresaId === undefined ? [] : ['NFE_EMPRESA_ID names the company to issue for: none is sought in its place.']),
    `At most ${limits.companies} companies (${mostUploads} certificate uploads each) and ${limits.invoices} invoices stay at the target; nothing is cancelled, no address is registered.`,
    `An invoice that does not settle is waited for ${settleTimeoutSeconds} s, once.`,
  ];
}

/**
 * What a search has come to: what is missing with what to do, what stays at the target, and what comes next. Raw.
 * @param kept What was there before and nothing better was found for.
 */
function summaryLines(
  folder: string,
  { files, found, lacking }: Gathered,
  spent: Spent,
  kept: readonly Lacking[],
): string[] {
  const named = ({ file, part }: Pick<Lacking, 'file' | 'part'>): string =>
    part === undefined ? file : `${file} ${part}`;
  const missing = new Set(lacking.map(named));
  const proved = new Set(found.map(named));
  const all = new Set([...proved, ...missing]);
  const written = `${counted(files.size, 'file')} and ${recordFile} written to ${folder}`;
  return [
    '',
    ...lacking.map((one) => `${proved.has(named(one)) ? '! partly ' : '✗ missing'}  ${named(one)} → ${one.todo}`),
    `Found ${all.size - missing.size} of ${counted(all.size, 'part')}; ${leftText(spent)}.`,
    ...(kept.length === 0 ? [] : [`Left as they were, unproven: ${kept.map(({ file }) => file).join(', ')}.`]),
    files.size === 0 ? 'Nothing was written.' : `${written}: set NFE_PROFILE=${folder}, then npm run doctor.`,
  ];
}

/** What a search has left behind. */
function leftText({ companies, invoices }: Spent): string {
  return `${counted(companies, 'company', 'companies')} and ${counted(invoices, 'invoice')} (Homologacao) were left at the target`;
}
