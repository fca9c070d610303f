import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ledgerMemory } from '../../targets/traffic/ledger.ts';
import type { Mask } from '../../trace/people/words-mask.ts';
import type { TargetAddress } from '../../targets/address.ts';
import { maskAt, withoutPeople } from '../../targets/mask.ts';
import { NotExercised } from '../../targets/not-exercised.ts';
import type { Profile } from '../../targets/profile.ts';
import { findingLine, shown } from '../doctor/doctor-lines.ts';
import { asApplication } from '../../runner/preflight/profile.ts';
import { secretsAt } from '../../runner/preflight/diagnose.ts';
import { examine } from '../../runner/preflight/examine.ts';
import { refuseUnfair, TargetError } from '../../runner/preflight/finding.ts';
import { SettingError, namedSecrets, type Environment, type Settings } from '../../runner/settings/settings.ts';
import { settingsTable } from '../../runner/settings/settings-table.ts';
import { startTarget } from '../../runner/run/start-target.ts';
import { suiteFacts } from '../../runner/run/run-facts.ts';
import type { InitArguments } from './arguments.ts';
import { readSources } from './candidates.ts';
import { refuseUnfitFolder, writeFolder } from './folder.ts';
import { gatherProfile } from './gather.ts';
import { leftText, planLines, summaryLines } from './lines.ts';
import { recordBytes, recordFile } from './record.ts';
import { openSearch, type Gathered, type Spent } from './search.ts';

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
      const gathered = await gatherProfile(openSearch({ sources, address, acting }, spent, report));
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
