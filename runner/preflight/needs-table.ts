import { mustJudged, catalogue, topicOf } from '../../contract/catalogue.ts';
import { type Clause, needs, type Need } from '../../contract/clause.ts';
import { counted } from '../../reports/figures.ts';

/** What settings add to a run that has nothing but an address and an App Secret. */
export interface Addition {
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
export function additionText({ clauses }: Addition): string {
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
