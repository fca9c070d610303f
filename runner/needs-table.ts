import { catalogue, isJudged, topicOf } from '../contract/catalogue.ts';
import type { Clause } from '../contract/clause.ts';
import { needs, type Need, type NeedName } from '../contract/needs.ts';

/** What settings add to a run that has nothing but an address and an App Secret. */
export interface Addition {
  /** Settings that add it together. */
  readonly settings: readonly string[];
  /** The clauses that are exercised with them and not without. */
  readonly clauses: readonly Clause[];
}

const controlSettings = ['NFE_CONTROL_URL', 'NFE_CONTROL_TOKEN'];

/** What each setting adds, in the order of the needs; the control API, which supplies everything, comes last. */
export function additions(): readonly Addition[] {
  const needy = catalogue.filter((clause) => isJudged(clause) && clause.needs !== undefined);
  const groups = [...new Set(Object.values<Need>(needs).map(({ settings }) => settings.join(' ')))].filter(Boolean);
  const alone = groups.map((group) => {
    const settings = group.split(' ');
    return { settings, clauses: needy.filter(({ needs: wanted = [] }) => wanted.every(suppliedBy(settings))) };
  });
  return [...alone.filter(({ clauses }) => clauses.length > 0), { settings: controlSettings, clauses: needy }];
}

function suppliedBy(settings: readonly string[]): (name: NeedName) => boolean {
  return (name) => {
    const { settings: wanted }: Need = needs[name];
    return wanted.length > 0 && wanted.every((setting) => settings.includes(setting));
  };
}

/** An addition in words: "2 clauses more (token 1, echo 1)". */
export function additionText({ clauses }: Addition): string {
  const perTopic = Map.groupBy(clauses, ({ id }) => topicOf(id));
  const topics = [...perTopic].map(([topic, ofTopic]) => `${topic} ${ofTopic.length}`).join(', ');
  return `${clauses.length} ${clauses.length === 1 ? 'clause' : 'clauses'} more (${topics})`;
}

/** The additions as the table that the README shows. */
export function needsTable(): string {
  const rows = additions().map((addition) => {
    return `| ${addition.settings.map((name) => `\`${name}\``).join(' with ')} | ${additionText(addition)} |`;
  });
  return ['| setting | what it adds |', '|---|---|', ...rows].join('\n');
}
