import { isOfWay } from '../../contract/values.ts';
import { calledEndpoint } from '../../contract/endpoints.ts';
import type { Results } from '../../schemas/results.ts';
import { isPageText } from '../../trace/exchange.ts';
import type { CallLine, RecordLine } from '../../trace/lines.ts';

/** A time in which answers were of one kind that came at no other: something stood before the service then, or it was being replaced. */
type Spell = NonNullable<Results['spell']>;

/** An answer, as far as a spell goes by it. */
interface Answered {
  readonly atMs: number;
  /** A retired path and a link are places like an endpoint. */
  readonly place: string;
  /** `undefined` for what the service may say itself. */
  readonly kind?: Pick<Spell, 'status' | 'isPage'>;
}

/** Fewer answers of a kind, or from fewer places, may be what one defect comes to, which no other request met meanwhile. */
const [fewest, fewestPlaces] = [10, 3];

/** Shorter ones are told apart from nothing by anybody. */
const shortestMs = 2000;

/** Of all that was answered in a spell the least that is of its kind: what was under way at its ends may be otherwise. */
const leastShare = 0.9;

/** The spell of a run with the most answers; `undefined` where there was none. */
export function spellIn(lines: readonly RecordLine[]): Spell | undefined {
  const answers = lines.flatMap((line) => (line.kind === 'exchange' ? answeredIn(line) : []));
  const ofKinds = Map.groupBy(
    answers.filter(({ kind }) => kind),
    ({ kind }) => JSON.stringify(kind),
  );
  const spells = [...ofKinds.values()].flatMap((own) => spellOf(own, answers));
  return spells.toSorted((one, other) => other.answers - one.answers)[0];
}

function answeredIn({ at, evidence: { request, response, durationMs } }: CallLine): Answered[] {
  if (!response) return [];
  const { status, body } = response;
  const called = calledEndpoint(request.method, request.target);
  const place = called === undefined ? request.target : 'name' in called ? called.name : called.path;
  const isPage = isPageText(body.text);
  const isForeign = isPage || (status >= 300 && status <= 399) || (status >= 500 && !isOfWay(status));
  const kind = { status, ...(isPage ? { isPage } : {}) };
  return [{ atMs: at + durationMs, place, ...(isForeign ? { kind } : {}) }];
}

/** What came of one kind, where that is a spell among all answers. */
function spellOf(own: readonly Answered[], all: readonly Answered[]): Spell[] {
  const times = own.map(({ atMs }) => atMs);
  const [fromMs, toMs] = [Math.min(...times), Math.max(...times)];
  const meanwhile = all.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs).length;
  const isSpell =
    own.length >= Math.max(fewest, leastShare * meanwhile) &&
    all.length - meanwhile >= fewest &&
    toMs - fromMs >= shortestMs &&
    new Set(own.map(({ place }) => place)).size >= fewestPlaces;
  const [first] = own;
  if (!isSpell || !first?.kind) return [];
  const [from, to] = [fromMs, toMs].map((ms) => new Date(ms).toISOString());
  return from && to ? [{ from, to, ...first.kind, answers: own.length, of: meanwhile }] : [];
}
