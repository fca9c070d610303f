import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { catalogue, isJudged } from '../../contract/catalogue.ts';
import { jsonIn } from '../../trace/exchange.ts';
import { toldOf } from '../../judge/tally.ts';
import { openJudge } from '../../judge/judge.ts';
import { makePartsFolder, removePartsFolder } from '../../runner/judging/trace-file.ts';
import { examine } from '../../runner/preflight/examine.ts';
import { keyOf, type CallingWay } from '../../runner/plan/costs.ts';
import { openBeforeChecks } from '../../runner/run/before-checks.ts';
import { runSpecs } from '../../runner/run/run-specs.ts';
import { withSharedReceiver } from '../../runner/run/shared-receiver.ts';
import { readSettings } from '../../runner/settings/settings.ts';
import { sandboxAddress } from '../../runner/settings/target-address.ts';
import { member } from '../../schemas/values.ts';
import type { CheckOutcome } from '../../schemas/results.ts';
import type { Run } from '../../targets/address.ts';
import type { EmbeddedWish } from '../../targets/container.ts';
import { ledgerMemory } from '../../targets/traffic/ledger.ts';
import { completeAt, recordOfLine, type RecordLine } from '../../trace/lines.ts';
import { equipSandbox, type EquippedSandbox } from './measure.ts';
import { plainRun } from '../../targets/plain-run.ts';

/** Which checks see that a server is wrong when each of them makes one case. */
export interface Lesson {
  /** The mutant's id. */
  readonly server: string;
  /** Names of checks as the table of costs has them; `before` for what shows before the first check. */
  readonly seenBy: readonly string[];
}

/** A server to learn from. */
interface Teacher {
  readonly id: string;
  readonly rules: EmbeddedWish['rules'];
}

const clauses = catalogue.filter(isJudged).map(({ id }) => id);
/** Servers that are up at a time, so that vitest starts once for several. */
const atOnce = 8;
const beforeChecks = 'before';

/**
 * Lets each check make one case on each server, called in that way, and adds what came of it to a file, a line a server; those that
 * the file tells of already are passed over.
 */
export async function learn(teachers: readonly Teacher[], way: CallingWay, file: string): Promise<readonly Lesson[]> {
  const known = new Set(lessonsIn(file).map(({ server }) => server));
  const left = teachers.filter(({ id }) => !known.has(id));
  for (let at = 0; at < left.length; at += atOnce) {
    const lessons = await taught(left.slice(at, at + atOnce), way);
    appendFileSync(file, lessons.map((lesson) => `${JSON.stringify(lesson)}\n`).join(''));
    process.stderr.write(`${Math.min(at + atOnce, left.length)} of ${left.length} servers\n`);
  }
  return lessonsIn(file);
}

/** The lessons that a file tells of. */
export function lessonsIn(file: string): readonly Lesson[] {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return text.split('\n').flatMap((line) => {
    const value = line === '' ? undefined : jsonIn(line);
    const [server, seenBy] = [member(value, 'server'), member(value, 'seenBy')];
    return typeof server === 'string' && Array.isArray(seenBy) ? [{ server, seenBy: seenBy.map(String) }] : [];
  });
}

async function taught(teachers: readonly Teacher[], way: CallingWay): Promise<readonly Lesson[]> {
  const stops: (() => Promise<void>)[] = [];
  try {
    const runs = new Map<string, Run | undefined>();
    for (const { id, rules } of teachers) runs.set(id, await preparedRun(id, rules, way, stops));
    const { outcomes, lines, faults } = await runSpecs([...runs.values()].filter((run) => run !== undefined));
    if (faults.length > 0) throw new Error(`the suite broke: ${faults.join(' | ')}`);
    return [...runs].map(([server, run]) => ({
      server,
      // No run comes so far: what is wrong shows by then.
      seenBy: run ? [...seers(outcomes.get(server) ?? [], lines.get(server) ?? [])] : [beforeChecks],
    }));
  } finally {
    for (const stop of stops.toReversed()) await stop();
  }
}

/** A run of one case a check at a fresh server; `undefined` where that server is found out before the first check. */
async function preparedRun(
  name: string,
  rules: EmbeddedWish['rules'],
  way: CallingWay,
  stops: (() => Promise<void>)[],
): Promise<Run | undefined> {
  try {
    const { environment, stop } = await equipSandbox(way, rules);
    stops.push(stop);
    const known = way === 'oneApplication' ? secretAlone(environment) : environment;
    const settings = readSettings({ ...known, NFE_MAX_RPS: '1000000', NFE_SETTLE_TIMEOUT: '3' });
    const traffic = { memory: ledgerMemory(), budget: 0 };
    const before = openBeforeChecks();
    const wish = { clauses, listener: before.listener };
    const examined = await examine(settings, sandboxAddress(settings, {}), traffic, undefined, wish);
    if (examined.findings.some(({ state }) => state === 'problem')) return undefined;
    const shared = await withSharedReceiver(examined.address, settings, traffic, clauses);
    stops.push(shared.stop);
    const trace = { directory: makePartsFolder(), key: 'lessons' };
    stops.push(() => removePartsFolder(trace.directory));
    const { secrets, appSecret } = examined;
    before.write(trace, { address: shared.address, secrets, appSecret });
    return plainRun(shared.address, { name, clauses, mostExamples: 1, traffic, trace, secrets });
  } catch {
    return undefined;
  }
}

/** Who looks first has a secret, and mostly no more. */
function secretAlone({ NFE_BASE_URL = '', NFE_APP_SECRET = '' }: EquippedSandbox['environment']) {
  return { NFE_BASE_URL, NFE_APP_SECRET };
}

/** The checks that see something broken: of their own, or in what came to them. */
function seers(outcomes: readonly CheckOutcome[], lines: readonly RecordLine[]): Set<string> {
  const failed = outcomes.filter(({ result }) => result.state === 'failed' && !result.inPassing);
  const seers = new Set(failed.map(({ clause, result }) => keyOf(clause, result.name)));
  const judge = openJudge();
  for (const line of lines.toSorted((one, other) => completeAt(one) - completeAt(other))) {
    const record = recordOfLine(line);
    if (record && judge.see(record, toldOf(line, record)).some(({ broken }) => broken)) seers.add(checkOf(line));
  }
  return seers;
}

function checkOf({ check }: RecordLine): string {
  return /^specs\/\S+ (.*)$/s.exec(check)?.[1] ?? beforeChecks;
}
