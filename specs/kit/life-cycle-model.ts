import fc from 'fast-check';
import { type NfeOutcome, isHttpUrl } from '../../contract/values.ts';
import { pathCall } from '../../generators/calls.ts';
import { freshId } from '../../generators/nfe-ids.ts';
import type { Exchange } from '../../trace/exchange.ts';
import {
  danfeLinkOf,
  isSuccess,
  query,
  queryWhenSettled,
  sendIssuance,
  statusOf,
  xmlLinkOf,
  type Issuer,
  isRefusedByEndpoint,
} from './life-cycle.ts';
import type { Trial } from './trial.ts';

/** The companies that a run of the model plays with, and how minutes pass for them. */
export interface ModelStage {
  readonly issuers: readonly Issuer[];
  /** Moves the clock of all of them; absent where none can be moved. */
  readonly advance?: (seconds: number) => Promise<void>;
  /** A company of an integrator of its own; absent where none can be made. */
  readonly newcomer?: () => Promise<Issuer>;
  /** Whether the profile has an issuance that is denied. */
  readonly canDeny: boolean;
  /** How much may be left behind where it stays: invoices by each sequence of steps, cancellations by all that are to come. */
  readonly most?: { readonly invoices: number; cancellations: number };
}

/** What was seen last of an invoice that was issued. */
interface Seen {
  readonly issuer: Issuer;
  readonly nfeId: string;
  /** How it is not to end by what the profile promises; absent where only a check of its own can tell whose fault that is. */
  readonly notAs?: NfeOutcome;
  status: string | undefined;
  /** The last links that it gave. */
  links: readonly string[];
}

/** What was done so far: enough to tell which steps can be taken. Whether the target answers rightly is for the judge. */
interface Model {
  readonly invoices: Map<string, Seen>;
  readonly most: NonNullable<ModelStage['most']>;
  places: number;
}

interface Real {
  readonly t: Trial;
  readonly stage: ModelStage;
  readonly issuers: Issuer[];
  /** The ids of this run, so that the same number is the same id in every company. */
  readonly ids: readonly string[];
}

type Step = fc.AsyncCommand<Model, Real>;

const settleSeconds = 60;
const idsInPlay = 3;
const mostPlaces = 3;
/** Companies of a run that can make no further ones. */
const keptPlaces = 2;
const mostSteps = 16;
const mostLinks = 4;

/** How long after its issuance an application of the model has its invoices settled. */
export const modelSettleSeconds = settleSeconds;

/** What sequences of steps are made for. */
interface Making {
  /** Which of the steps of a failure that is repeated ran. */
  readonly replayPath: string | undefined;
  /** Whether what is issued stays, so that the sequences are few: then no step is spent on what only a control API can do. */
  readonly isKept: boolean;
}

/** Sequences of steps of the life cycle. */
export function lifeCycles({ replayPath, isKept }: Making): fc.Arbitrary<Iterable<Step>> {
  // The first ones most often: an invoice that nothing more happens to tells little.
  const nearly = (most: number): fc.Arbitrary<number> =>
    fc.oneof({ arbitrary: fc.constant(0), weight: 3 }, { arbitrary: fc.nat({ max: most - 1 }), weight: 2 });
  const place = nearly(isKept ? keptPlaces : mostPlaces);
  const slot = nearly(idsInPlay);
  const at = fc.record({ place, slot });
  const issuing = fc
    .record({ place, slot, isDenied: fc.boolean() })
    .map(({ isDenied, ...where }) => issueAt(where, isDenied));
  const settling = at.map(settleAt);
  const cancelling = fc
    .record({ place, slot, asked: fc.nat({ max: 2 }) })
    .map(({ asked, ...where }) => cancelAt(where, asked));
  const always = [issuing, issuing, settling, settling, cancelling, cancelling, at.map(queryAt), fc.constant(download)];
  const others = isKept ? [issuing, cancelling] : [fc.constant(register), fc.constantFrom(9, 11).map(waitMinutes)];
  // An empty path would be followed as well: no step could be left out then.
  const replay = replayPath === undefined ? {} : { replayPath };
  return fc.commands([...always, ...others], { maxCommands: mostSteps, size: 'max', ...replay });
}

const [first, second, third]: readonly [Where, Where, Where] = [
  { place: 0, slot: 0 },
  { place: 0, slot: 1 },
  { place: 0, slot: 2 },
];

/** Sequences that go from each state to each that follows it, so that every run meets all of them; for each run its own. */
export const wholeLives = (): readonly (readonly Step[])[] => [
  [
    issueAt(first, false),
    // What is refused while the invoice waits has no part in what is decided of it.
    issueAt(first, true),
    // It stays as it is when the other one is cancelled.
    issueAt(second, false),
    settleAt(first),
    cancelAt(first, 2),
    settleAt(first),
    issueAt(first, false),
    download,
  ],
  [
    issueAt(first, true),
    settleAt(first),
    issueAt(first, false),
    issueAt(second, false),
    // Nor does a later one that is cancelled take this one along.
    issueAt(third, false),
    settleAt(third),
    cancelAt(third, 0),
    settleAt(second),
    cancelAt(second, 0),
  ],
];

/** Takes the steps at the target, and after each of them asks for what it may have touched. */
export async function playLifeCycle(t: Trial, stage: ModelStage, steps: Iterable<Step>): Promise<void> {
  const ids = Array.from({ length: idsInPlay }, () => freshId());
  const { issuers, most = { invoices: Infinity, cancellations: Infinity } } = stage;
  const model: Model = { invoices: new Map(), most, places: issuers.length };
  await fc.asyncModelRun(() => ({ model, real: { t, stage, issuers: [...issuers], ids } }), steps);
  for (const seen of model.invoices.values()) await look(t, seen);
  const [[issuer], [nfeId]] = [issuers, ids];
  // Of steps that issued nothing there is nothing else to be said.
  if (model.invoices.size === 0 && issuer && nfeId !== undefined)
    isRefusedByEndpoint(t, await query(t, issuer, nfeId), 'nothing was issued there');
}

interface Where {
  readonly place: number;
  readonly slot: number;
}

const register: Step = {
  toString: () => 'Register()',
  check: ({ places }) => places < mostPlaces,
  async run(model, { stage, issuers }) {
    if (!stage.newcomer) return;
    issuers.push(await stage.newcomer());
    model.places += 1;
  },
};

/**
 * An id that is taken may always be sent again: that is to be refused. Of one that was denied the contract says nothing, but what
 * is answered holds: where nothing that is issued stays, it is sent again as well.
 */
function issueAt(where: Where, isDenied: boolean): Step {
  const outcome = isDenied ? 'Negada' : 'Autorizada';
  const mayBeIssued = ({ most, invoices }: Model, seen: Seen | undefined): boolean =>
    seen ? seen.status !== 'Negada' || most.invoices === Infinity : invoices.size < most.invoices;
  return step(`Issue(${nameOf(where)}, ${outcome})`, where, mayBeIssued, async (model, { t, stage }, issuer, nfeId) => {
    if (isDenied && !stage.canDeny) return;
    const isNew = isSuccess(await sendIssuance(t, issuer, { outcome, nfeId }));
    if (!isNew) return;
    const isAgain = model.invoices.has(nameOf(where));
    const notAs = stage.advance && !isAgain ? { notAs: isDenied ? ('Autorizada' as const) : ('Negada' as const) } : {};
    model.invoices.set(nameOf(where), { issuer, nfeId, ...notAs, status: undefined, links: [] });
  });
}

function settleAt(where: Where): Step {
  return step(`Settle(${nameOf(where)})`, where, isIssued, async (_, { t, stage }, issuer, nfeId) => {
    return stage.advance ? stage.advance(settleSeconds) : queryWhenSettled(t, issuer, nfeId);
  });
}

function queryAt(where: Where): Step {
  const always = (): boolean => true;
  return step(`Query(${nameOf(where)})`, where, always, async (model, { t }, issuer, nfeId) => {
    if (!model.invoices.has(nameOf(where))) await query(t, issuer, nfeId);
  });
}

/**
 * Cancels, and asks for the invoice so often at the same time. What the contract says nothing of is not tried: cancelling what waits,
 * was denied or is cancelled already.
 */
function cancelAt(where: Where, asked: number): Step {
  const mayBeCancelled = ({ most }: Model, seen: Seen | undefined): boolean =>
    !seen || (seen.status === 'Autorizada' && most.cancellations > 0);
  const name = `Cancel(${nameOf(where)}${asked > 0 ? `, asked for ${asked} times at once` : ''})`;
  return step(name, where, mayBeCancelled, async (model, { t }, { caller, empresaId }, nfeId) => {
    const cancelling = pathCall('nfe-cancellation', { empresaId, nfeId });
    const asking = Array.from({ length: asked }, () => pathCall('nfe-query', { empresaId, nfeId }));
    await (asked > 0 ? t.sendAtOnce(caller, [cancelling, ...asking]) : t.send(caller, cancelling));
    if (model.invoices.has(nameOf(where))) model.most.cancellations -= 1;
  });
}

const download: Step = {
  toString: () => 'Download()',
  check: ({ invoices }) => [...invoices.values()].some(({ links }) => links.length > 0),
  async run({ invoices }, { t }) {
    for (const { links } of invoices.values()) for (const link of links) await t.download(link);
  },
};

function waitMinutes(minutes: number): Step {
  return {
    toString: () => `Wait(${minutes} min)`,
    check: ({ invoices }) => invoices.size > 0,
    async run({ invoices }, { t, stage }) {
      if (!stage.advance) return;
      await stage.advance(minutes * 60);
      for (const seen of invoices.values()) await look(t, seen);
    },
  };
}

/** A step at one invoice: after it, the invoice of that id is asked for in every company, unless the step was to ask for it. */
function step(
  name: string,
  where: Where,
  isPossible: (model: Model, seen: Seen | undefined) => boolean,
  take: (model: Model, real: Real, issuer: Issuer, nfeId: string) => Promise<Exchange | void>,
): Step {
  return {
    toString: () => name,
    check: (model) => where.place < model.places && isPossible(model, model.invoices.get(nameOf(where))),
    async run(model, real) {
      const issuer = real.issuers[where.place];
      const nfeId = real.ids[where.slot];
      if (!issuer || nfeId === undefined) return;
      const told = await take(model, real, issuer, nfeId);
      for (const seen of model.invoices.values()) {
        if (seen.nfeId === nfeId) await look(real.t, seen, seen.issuer === issuer && told ? told : undefined);
      }
    },
  };
}

function isIssued(_: Model, seen: Seen | undefined): boolean {
  return seen !== undefined;
}

/** Asks for an invoice, unless it was just told of, and keeps what comes. */
async function look(t: Trial, seen: Seen, told?: Exchange): Promise<void> {
  const exchange = told ?? (await query(t, seen.issuer, seen.nfeId));
  const links = [danfeLinkOf(exchange), xmlLinkOf(exchange)].filter(isHttpUrl);
  seen.status = statusOf(exchange);
  t.holds(seen.status === undefined || seen.status !== seen.notAs, {
    expected: 'the state of this invoice, and not that of another one',
    actual: `status ${seen.status}`,
  });
  seen.links = [...new Set([...seen.links, ...links])].slice(-mostLinks);
}

function nameOf({ place, slot }: Where): string {
  return `company ${place}, id ${slot}`;
}
