import type { Results } from '../../../schemas/results.ts';
import type { ObservedOrder } from '../../../schemas/observed.ts';
import { figure, type Say } from '../../language.ts';
import { markup, type Markup } from '../markup.ts';
import { said, saidFigure, clauseLink, statementSaid } from '../words.ts';
import type { ClauseId } from '../../../contract/catalogue.ts';
import type { PlatformCode } from '../../../contract/values.ts';
import { refusalsInOrder, refusalWith, statedOrder } from '../../../contract/precedence.ts';

/** An agreement in sign, colour and words. */
interface Look {
  readonly sign: string;
  readonly colour: 'passed' | 'failed' | 'warned' | 'open';
  readonly english: string;
  readonly portuguese: string;
}

const looks: Readonly<Record<Agreement, Look>> = {
  stated: {
    sign: '✓',
    colour: 'passed',
    english: 'the order that the contract states',
    portuguese: 'a ordem que o contrato determina',
  },
  implied: {
    sign: '(✓)',
    colour: 'passed',
    english: 'the order that it only implies',
    portuguese: 'a ordem que ele apenas sugere',
  },
  'against-stated': {
    sign: '✗',
    colour: 'failed',
    english: 'against the order that it states',
    portuguese: 'contra a ordem que ele determina',
  },
  'against-implied': {
    sign: '(✗)',
    colour: 'warned',
    english: 'against the order that it only implies',
    portuguese: 'contra a ordem que ele apenas sugere',
  },
  open: {
    sign: '○',
    colour: 'open',
    english: 'the contract leaves it open',
    portuguese: 'o contrato deixa em aberto',
  },
};

/** The part with the grid of which flaw was answered before which. */
export function precedencePart({ order = [], clauses }: Results, inPortuguese: Say): Markup {
  const pairs = order.map(seenPair);
  return markup`<h3 id="observed-precedence">${said('Which flaw was answered first', 'Qual defeito foi respondido primeiro')}</h3>
${pairs.length === 0 ? nothingTried() : [intro(pairs), legend(pairs), grid(seenFlaws(order), pairs, inPortuguese), against(pairs, clauses, inPortuguese)]}`;
}

function nothingTried(): Markup {
  return markup`<p>${said('No request with two flaws was answered for one of them in this run.', 'Nesta execução, nenhuma requisição com dois defeitos foi respondida por um deles.')}</p>`;
}

function intro(pairs: readonly SeenPair[]): Markup {
  return markup`<p>${said(
    `Each request had two flaws and was answered for one of them; orders seen: ${figure(pairs.length)}. A row is the flaw that was answered, a column the one beside it.`,
    `Cada requisição tinha dois defeitos e foi respondida por um deles; ordens observadas: ${figure(pairs.length, 'pt-BR')}. A linha é o defeito respondido; a coluna, o que estava ao lado.`,
  )}</p>
`;
}

function legend(pairs: readonly SeenPair[]): Markup {
  const used = agreements.filter((agreement) => pairs.some((pair) => pair.agreement === agreement));
  const item = (agreement: Agreement): Markup => {
    const { english, portuguese } = looks[agreement];
    const count = saidFigure(pairs.filter((pair) => pair.agreement === agreement).length);
    return markup`<li>${swatch(agreement)} <span>${said(english, portuguese)}: ${count}</span></li>`;
  };
  return markup`<ul class="legend">${used.map(item)}<li><span class="sign blank" aria-hidden="true"></span> ${said(
    'empty: not seen; some flaws share a code or exclude each other',
    'vazio: não observado; alguns defeitos têm o mesmo código ou se excluem',
  )}</li></ul>
`;
}

function swatch(agreement: Agreement): Markup {
  const { sign, colour } = looks[agreement];
  return markup`<span class="sign ${colour} ${agreement}" aria-hidden="true">${sign}</span>`;
}

function grid(flaws: readonly SeenFlaw[], pairs: readonly SeenPair[], inPortuguese: Say): Markup {
  const cells = new Map(pairs.map((pair) => [JSON.stringify([pair.first, pair.second]), pair]));
  const groups = groupsOf(flaws);
  const cell = (first: SeenFlaw, second: SeenFlaw): Markup => {
    const pair = cells.get(JSON.stringify([first.name, second.name]));
    return pair ? filledCell(pair) : markup`<td${first === second ? markup` class="self"` : undefined}></td>`;
  };
  const row = (first: SeenFlaw, groupHead?: Markup): Markup =>
    markup`<tr>${groupHead}<th scope="row">${flawName(first, inPortuguese)}</th>${flaws.map((second) => cell(first, second))}</tr>
`;
  return markup`<div class="wide" role="region" aria-labelledby="observed-precedence" tabindex="0"><table class="grid">
<thead><tr><td colspan="2" rowspan="2"></td>${groups.map(({ head, flaws: own }) => markup`<th scope="colgroup" colspan="${own.length}">${head}</th>`)}</tr>
<tr>${flaws.map(({ name }) => markup`<th scope="col"><span class="upright">${statementSaid(name, inPortuguese)}</span></th>`)}</tr></thead>
${groups.map(
  ({ head, flaws: own }) => markup`<tbody>${own.map((flaw, at) =>
    row(flaw, at === 0 ? markup`<th scope="rowgroup" rowspan="${own.length}">${head}</th>` : undefined),
  )}</tbody>
`,
)}</table></div>
`;
}

function filledCell({ agreement }: SeenPair): Markup {
  const { sign, colour, english, portuguese } = looks[agreement];
  return markup`<td class="${colour} ${agreement}"><span aria-hidden="true">${sign}</span><span class="heard">${said(english, portuguese)}</span></td>`;
}

function flawName({ name, refusal }: SeenFlaw, inPortuguese: Say): Markup {
  return markup`${statementSaid(name, inPortuguese)}${refusal && markup` <code>${String(refusal.code)}</code>`}`;
}

interface Group {
  readonly head: string;
  readonly flaws: readonly SeenFlaw[];
}

/** Neighbours of one status. */
function groupsOf(flaws: readonly SeenFlaw[]): Group[] {
  const groups = Map.groupBy(flaws, ({ refusal }) => refusal?.status);
  return [...groups].map(([status, own]) => ({ head: status === undefined ? '?' : String(status), flaws: own }));
}

/** The orders that are not those of the contract, in words. */
function against(pairs: readonly SeenPair[], clauses: Results['clauses'], inPortuguese: Say): Markup | undefined {
  const odd = pairs.filter(({ agreement }) => agreement.startsWith('against'));
  if (odd.length === 0) return undefined;
  const ids = new Set(clauses.map(({ id }) => id));
  const clause = (id: string): Markup => (ids.has(id) ? clauseLink(id) : markup`<code>${id}</code>`);
  const item = ({ first, second, agreement, clause: id }: SeenPair): Markup =>
    markup`<li>${swatch(agreement)} <b>${statementSaid(first, inPortuguese)}</b> ${said('was answered before', 'foi respondido antes de')} <b>${statementSaid(second, inPortuguese)}</b>${id && markup`: ${clause(id)}`}</li>
`;
  return markup`<ul class="against">${odd.map(item)}</ul>
`;
}

/** How an observed order stands to the contract: as it states or implies it, against that, or left open there. */
const agreements = ['stated', 'implied', 'against-stated', 'against-implied', 'open'] as const;

type Agreement = (typeof agreements)[number];

/** Two flaws of one request: the one that was answered, and the one that stood beside it. */
interface SeenPair {
  readonly first: string;
  readonly second: string;
  readonly agreement: Agreement;
  /** The clause that has the order. */
  readonly clause?: ClauseId;
}

/** A flaw with the refusal that it gets when it is alone; a code that the contract does not know is none. */
interface SeenFlaw {
  readonly name: string;
  readonly refusal?: PlatformCode;
}

/** An observed order beside what the contract says of it. */
export function seenPair({ first, second, firstCode, secondCode }: ObservedOrder): SeenPair {
  const [answered, other] = [refusalOf(firstCode), refusalOf(secondCode)];
  const order = answered && other && statedOrder(answered, other);
  if (!order) return { first, second, agreement: 'open' };
  const strength = order.level === 'must' ? 'stated' : 'implied';
  const agrees = order.first.code === answered.code;
  return { first, second, agreement: agrees ? strength : `against-${strength}`, clause: order.clause };
}

/** The flaws of these pairs: in the order in which the contract has their refusals answered, the unknown ones last. */
function seenFlaws(order: readonly ObservedOrder[]): SeenFlaw[] {
  const named = order.flatMap(({ first, second, firstCode, secondCode }) => [
    { name: first, refusal: refusalOf(firstCode) },
    { name: second, refusal: refusalOf(secondCode) },
  ]);
  const flaws = [...Map.groupBy(named, ({ name }) => name)].map(([name, same]): SeenFlaw => {
    // A part of the run may come from an earlier suite, which recorded no codes.
    const refusal = same.find((one) => one.refusal !== undefined)?.refusal;
    return refusal ? { name, refusal } : { name };
  });
  return flaws.sort((a, b) => placeOf(a) - placeOf(b) || (a.name < b.name ? -1 : 1));
}

function refusalOf(code: number | undefined): PlatformCode | undefined {
  return code === undefined ? undefined : refusalWith(code);
}

function placeOf({ refusal }: SeenFlaw): number {
  const place = refusalsInOrder.findIndex(({ code }) => code === refusal?.code);
  return place === -1 ? refusalsInOrder.length : place;
}
