import { catalogue, isJudged } from '../../contract/catalogue.ts';
import { needs, type Need, type NeedName } from '../../contract/clause.ts';
import type { TargetAddress, Traffic } from '../../targets/address.ts';
import { lackAt, mayIssueForReal } from '../../targets/needs-met.ts';
import type { TargetListener } from '../../targets/target.ts';
import type { Settings } from '../settings/settings.ts';
import { coverageOf, judgeCoverage, type Coverage } from './clauses.ts';
import { examineControl } from './control.ts';
import { hasProblem, warning, type Remark, type Report } from './finding.ts';
import { examineProfile, provenAt } from './profile.ts';
import type { Proof } from './profile-proof.ts';
import { examineService, skipService } from './service.ts';
import { openSession } from './session.ts';
import { examineWay } from './way.ts';
import { examineWebhook } from './webhook.ts';

/** What is asked of an examination. */
export interface ExaminationWish {
  /** Ids of the clauses that are to be judged: only what they need is tried. All when absent. */
  readonly clauses?: readonly string[];
  /** Whether nothing may be left behind at somebody's server: no company is registered there and no invoice issued. */
  readonly isHarmless?: boolean;
  /** Is told of all that is sent, and done to the target. */
  readonly listener?: TargetListener;
}

/** What is known of a target before its first clause is judged. */
export interface Examination {
  readonly findings: readonly Remark[];
  /** The target's address with all that was learned of it. */
  readonly address: TargetAddress;
  readonly proofs: readonly Proof[];
  /** The clauses that a run will exercise. */
  readonly coverage: Coverage;
  /** Milliseconds that an answer took on the median. */
  readonly latencyMs: number;
  /** Secrets of applications that were made for it, each with the text that takes its place. */
  readonly secrets: ReadonlyMap<string, string>;
  /** Secret of the application that asked, where there is one that may call everything. */
  readonly appSecret?: string;
}

/**
 * Examines a target once, for everybody who is about to judge it: the way there, the control API, the echo endpoint, the
 * clock, every secret, the endpoints, the receiver and the profile. A problem keeps a run from being fair; what comes after
 * it is left out as far as it rests on it.
 */
export async function examine(
  settings: Settings,
  start: TargetAddress,
  traffic: Traffic,
  report: Report = () => undefined,
  { clauses, isHarmless = false, listener }: ExaminationWish = {},
): Promise<Examination> {
  const session = openSession(start, traffic, listener);
  const findings: Remark[] = [];
  const told = (...found: readonly Remark[]): void => {
    findings.push(...found);
    report(found);
  };
  try {
    const isOurs = start.kind !== 'sandbox';
    const way = isOurs ? [] : await examineWay(start);
    told(...way, ...examineShow(start));
    const control = await examineControl(session, start);
    const secret = start.control ? control.secret : start.credentials.active;
    const service = hasProblem(way)
      ? { findings: skipService("the server can't be reached") }
      : await examineService(session, start, secret);
    told(...service.findings, ...control.findings);
    if (!isOurs) told(await examineWebhook(settings, start));
    const address = learned(start, { implementation: control.implementation, ...service });
    const isNeeded = neededBy(clauses);
    const isWanted = (need: NeedName): boolean => isNeeded(need) && !(isHarmless && !isOurs && leavesSomething(need));
    const profile = await examineProfile(session, address, settings, hasProblem(findings) ? undefined : isWanted);
    told(...profile.findings);
    const proven = provenAt(address, profile);
    const coverage = coverageOf((need) => lackAt(proven, need)?.reason, mayIssueForReal(proven));
    told(...judgeCoverage(coverage, settings));
    return {
      findings,
      address: proven,
      proofs: profile.proofs,
      coverage,
      latencyMs: session.latencyMs(),
      secrets: session.target.secrets,
      ...(secret === undefined ? {} : { appSecret: secret }),
    };
  } finally {
    await session.target.close();
  }
}

/** Says that reports show whatever a server sends, where that is so. */
function examineShow({ kind, shows }: TargetAddress): Remark[] {
  if (kind !== 'sandbox' || shows !== 'all') return [];
  return [
    warning(
      'NFE_SHOW',
      'reports show whatever the server sends, whoever it tells of; only secrets and links are hidden',
      'unset it where the server knows real people',
    ),
  ];
}

/** What was learned of the target itself. */
interface Learned {
  readonly implementation?: string | undefined;
  /** Target clock minus own clock, in seconds. */
  readonly skewSeconds?: number | undefined;
}

function learned(address: TargetAddress, { implementation, skewSeconds }: Learned): TargetAddress {
  const known = address.kind === 'embedded' ? 0 : wholeSeconds(skewSeconds);
  return {
    ...address,
    ...(implementation === undefined ? {} : { implementation }),
    clockSkewSeconds: known ?? 0,
    ...(known === undefined ? {} : { knownSkewSeconds: known }),
  };
}

/** A little less than none is none: `Math.round` would give -0, which a report shows as "-0 s". */
function wholeSeconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : Math.round(seconds) || 0;
}

/** Whether trying what supplies a need leaves a company or an invoice at the target. */
function leavesSomething(need: NeedName): boolean {
  const { profileFiles = [] }: Need = needs[need];
  return profileFiles.some((file) => file.includes('empresa') || file.startsWith('nf-e.'));
}

/** Whether one of the clauses needs something. */
function neededBy(ids: readonly string[] | undefined): (need: NeedName) => boolean {
  const asked = catalogue.filter((clause) => isJudged(clause) && (ids === undefined || ids.includes(clause.id)));
  const needed = new Set(asked.flatMap(({ needs = [] }) => needs));
  return (need) => needed.has(need);
}
