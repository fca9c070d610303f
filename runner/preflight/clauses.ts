import { isWithheldWithoutLeave, isWithin, mustJudged, catalogue, topicOf } from '../../contract/catalogue.ts';
import { type Clause, remedyFor, type AssuranceLevel, type NeedName, needs, type Need } from '../../contract/clause.ts';
import { counted } from '../../reports/language.ts';
import type { Requirements } from '../results/publish.ts';
import { notSet, ok, skipped, warning, type Remark } from './finding.ts';

/** How much of the contract a run will exercise, as far as settings decide it; counted in must clauses. */
export interface Coverage {
  readonly exercised: number;
  /** Must clauses that a run against this target judges. */
  readonly judged: number;
  /** Those among them that will not be exercised, by what they lack. */
  readonly lacking: ReadonlyMap<string, readonly Clause[]>;
  /** Must clauses that will be withheld, in none of the other numbers. */
  readonly withheld: readonly Clause[];
}

/** Why a target can't meet a need; `undefined` when it can. */
type Missing = (need: NeedName) => string | undefined;

/** The coverage on a target, which may be sent what might issue for real, or not. */
export function coverageOf(missing: Missing, mayIssueForReal: boolean): Coverage {
  const judged = mustJudged(catalogue, mayIssueForReal);
  const lacking = Map.groupBy(judged, (clause) => lackOf(clause, missing));
  const exercised = lacking.get('')?.length ?? 0;
  lacking.delete('');
  const withheld = mayIssueForReal ? [] : mustJudged(catalogue, true).filter(isWithheldWithoutLeave);
  return { exercised, judged: judged.length, lacking, withheld };
}

/** What keeps a clause from being exercised; empty where one of the ways to it is open. */
function lackOf({ needs = [], needsInstead }: Clause, missing: Missing): string {
  if (needsInstead?.every((need) => missing(need) === undefined)) return '';
  return needs.flatMap((need) => missing(need) ?? []).join('; ');
}

/** The coverage as findings: the count, unless a problem hinders the run, then a line for each thing that is lacking, then what is required in vain. */
export function judgeCoverage(coverage: Coverage, required: Requirements, isHindered = false): Remark[] {
  const { exercised, judged, lacking, withheld } = coverage;
  const rest = [...lacking].map(([lack, clauses]) =>
    notSet('clauses', `${counted(clauses.length, 'must clause')} will not be exercised: ${lack}`),
  );
  const apart = `${counted(withheld.length, 'must clause')} withheld, for what might issue a real invoice`;
  const whole = counted(judged, 'must clause');
  return [
    isHindered
      ? skipped('clauses', `${exercised} of ${whole} would be exercised, were it not for what is a problem`)
      : ok('clauses', `${exercised} of ${whole} will be exercised`),
    ...rest,
    ...(withheld.length > 0 ? [notSet('clauses', apart, remedyFor('real-issuance'))] : []),
    ...(required.requireComplete && lacking.size > 0 ? [inVainComplete] : []),
    ...inVainLevel(coverage, required.requireLevel),
  ];
}

const inVainComplete = warning(
  'NFE_REQUIRE_COMPLETE',
  'it is true, and must clauses will not be exercised: npm test will end with 1',
  'set what these clauses need, or NFE_REQUIRE_COMPLETE to false',
);

/** A warning where clauses of the level that is required, or of one below it, will not be exercised. */
function inVainLevel({ lacking }: Coverage, level: AssuranceLevel | undefined): Remark[] {
  if (level === undefined) return [];
  const open = [...lacking.values()].flat().filter((clause) => isWithin(clause, level)).length;
  if (open === 0) return [];
  const found = `it is ${level}, of which ${counted(open, 'must clause')} will not be exercised: npm test will end with 1`;
  return [warning('NFE_REQUIRE_LEVEL', found, 'set what these clauses need, or require a lower level')];
}

/** What settings add to a run that has nothing but an address and an App Secret. */
interface Addition {
  /** Settings that add it together. */
  readonly settings: readonly string[];
  /** The must clauses that are exercised with them and not without. */
  readonly clauses: readonly Clause[];
}

const controlSettings = ['NFE_CONTROL_URL', 'NFE_CONTROL_TOKEN'];

/** With what a sandbox gives no leave for: a setting lifts that. */
const judged = mustJudged(catalogue, true);

/**
 * What each setting adds to a run that has a whole profile, in the order of the needs; the control API comes last: it supplies
 * everything.
 */
export function additions(): readonly Addition[] {
  const byCredential = Object.values<Need>(needs).filter(({ profileFiles }) => !profileFiles);
  const groups = [...new Set(byCredential.map(({ settings }) => settings.join(' ')))].filter(Boolean);
  const alone = groups.map((group) => {
    const settings = group.split(' ');
    return { settings, clauses: judged.filter(isAddedBy((need) => isIn(settings, need.settings))) };
  });
  const byControl = judged.filter(isAddedBy(() => true));
  return [...alone.filter(({ clauses }) => clauses.length > 0), { settings: controlSettings, clauses: byControl }];
}

/** Whether a clause needs something that is supplied, and nothing else but what a profile supplies. */
function isAddedBy(isSupplied: (need: Need) => boolean): (clause: Clause) => boolean {
  return (clause) => {
    const wanted = (clause.needs ?? []).map((name): Need => needs[name]).filter(({ profileFiles }) => !profileFiles);
    return wanted.length > 0 && wanted.every(isSupplied);
  };
}

function isIn(settings: readonly string[], wanted: readonly string[]): boolean {
  return wanted.length > 0 && wanted.every((setting) => settings.includes(setting));
}

/** An addition in words: "2 must clauses more (token 1, echo 1)". */
function additionText({ clauses }: Addition): string {
  const perTopic = Map.groupBy(clauses, ({ id }) => topicOf(id));
  const topics = [...perTopic].map(([topic, ofTopic]) => `${topic} ${ofTopic.length}`).join(', ');
  return `${counted(clauses.length, 'must clause')} more (${topics})`;
}

/** The additions as the table that docs/ shows. */
export function needsTable(): string {
  const rows = additions().map((addition) => {
    return `| ${addition.settings.map((name) => `\`${name}\``).join(' with ')} | ${additionText(addition)} |`;
  });
  return ['| setting | what it adds |', '|---|---|', ...rows].join('\n');
}

/** How many must clauses need each part of the profile, as the table that docs/ shows. */
export function profileTable(): string {
  const groups = Object.entries<Need>(needs).filter(([, { profileFiles }]) => profileFiles !== undefined);
  const rows = groups.flatMap(([name, { text, profileFiles = [], settings }]) => {
    const clauses = judged.filter((clause) => clause.needs?.some((need) => need === name));
    const places = [profileFiles.map((file) => `\`${file}\``).join(', '), ...settings.map((each) => `\`${each}\``)];
    return clauses.length === 0 ? [] : [`| ${text} | ${places.join(' or ')} | ${clauses.length} |`];
  });
  return ['| what is needed | what supplies it | must clauses |', '|---|---|---|', ...rows].join('\n');
}

/** What setting it would add to a run; `undefined` where no clause asks for it. */
export function additionOf(setting: string): string | undefined {
  const found = additions().find(({ settings }) => settings.includes(setting));
  if (!found) return undefined;
  const others = found.settings.filter((other) => other !== setting);
  return `set it${others.length > 0 ? ` with ${others.join(' and ')}` : ''} for ${additionText(found)}`;
}

/** Something that would have a run exercise more. */
interface Step {
  readonly what: string;
  readonly clauses: readonly Clause[];
}

/**
 * What would add most to a run, in one sentence; `undefined` where nothing would. A control API comes last: few servers have
 * one, and nobody can give it to a server that has none.
 */
export function nextStep({ lacking }: Coverage): string | undefined {
  const open = new Set([...lacking.values()].flat());
  const unproven = [...lacking]
    .filter(([reason]) => reason.includes("the profile's "))
    .flatMap(([, clauses]) => clauses);
  const bySetting = additions().map(({ settings, clauses }): Step & { isControl: boolean } => ({
    what: settings.join(' with '),
    clauses: clauses.filter((clause) => open.has(clause)),
    isControl: settings.includes('NFE_CONTROL_URL'),
  }));
  const steps: Step[] = [
    { what: 'a profile that suits the target (npm run profile -- init FOLDER)', clauses: unproven },
    ...bySetting.filter(({ isControl }) => !isControl),
  ];
  const largest = steps.toSorted((a, b) => b.clauses.length - a.clauses.length)[0];
  const best = largest && largest.clauses.length > 0 ? largest : bySetting.find(({ isControl }) => isControl);
  if (!best || best.clauses.length === 0) return undefined;
  return `${best.what}: ${counted(best.clauses.length, 'must clause')} more, the largest gain`;
}
