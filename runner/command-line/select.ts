import { catalogue, findClause, isJudged, topicOf, topics } from '../../contract/catalogue.ts';
import type { Clause } from '../../contract/clause.ts';
import { ArgumentError } from './argument-error.ts';
import type { Arguments } from './arguments.ts';
import { clausesOfShard, shardText } from '../shards/shards.ts';
import { nearest } from '../settings/unknown-settings.ts';

/** The clauses that the filters leave; all of them without a filter. Throws an ArgumentError where a filter matches nothing. */
export function selectClauses({ clauses, topics: wanted, check, shard }: Arguments): readonly Clause[] {
  const ids = catalogue.map(({ id }) => id);
  for (const id of clauses) if (!ids.includes(id)) throw unknown('--clause', id, ids, 'clause');
  for (const topic of wanted) if (!topics.includes(topic)) throw unknown('--topic', topic, topics, 'topic');
  const isWanted = ({ id }: Clause): boolean => clauses.includes(id) || wanted.includes(topicOf(id));
  const selected = clauses.length + wanted.length === 0 ? catalogue : catalogue.filter(isWanted);
  if (!selected.some(isJudged)) {
    throw new ArgumentError(`no check judges ${selected.map(({ id }) => id).join(', ')}: --explain says why`);
  }
  if (check !== undefined && (clauses.length !== 1 || wanted.length > 0)) {
    throw new ArgumentError('--check names a check of one clause: it takes one --clause beside it');
  }
  return shard === undefined ? selected : clausesOfShard(selected, shard);
}

/** The filter in words, for the results; `undefined` for a whole run. */
export function filterText({ clauses, topics: wanted, check, path, shard, repeat }: Arguments): string | undefined {
  if (repeat !== undefined) return '--repeat';
  const words = [
    ...clauses.map((id) => `--clause ${id}`),
    ...wanted.map((topic) => `--topic ${topic}`),
    ...(check === undefined ? [] : [`--check "${check}"`]),
    ...(path === undefined ? [] : [`--path ${path}`]),
    ...(shard === undefined ? [] : [`--shard ${shardText(shard)}`]),
  ];
  return words.length === 0 ? undefined : words.join(' ');
}

/** The clause of that id. Throws an ArgumentError that proposes the nearest. */
export function clauseToExplain(id: string): Clause {
  const ids = catalogue.map((clause) => clause.id);
  const clause = findClause(id);
  if (!clause) throw unknown('--explain', id, ids, 'clause');
  return clause;
}

/** The error for a word that is none of those known; it proposes the nearest of them, or says what prints them. */
export function unknown(
  option: string,
  word: string,
  known: readonly string[],
  kind: string,
  printedBy = 'npm test -- --list prints them',
): ArgumentError {
  const proposal = nearest(word, known, Math.ceil(word.length / 3));
  const hint = proposal === undefined ? printedBy : `did you mean ${proposal}?`;
  return new ArgumentError(`${option} ${word}: no ${kind} is called that; ${hint}`);
}
