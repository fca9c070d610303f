import fc from 'fast-check';
import { freshId } from '../../generators/nfe-ids.ts';
import type { Exchange } from '../../client/transport.ts';
import { isHttpUrl } from '../../contract/xml-link.ts';
import { NotExercised } from '../../targets/not-exercised.ts';
import {
  answerText,
  cancel,
  danfeLinkOf,
  endedOtherwise,
  fileEndingAs,
  isSuccess,
  query,
  queryWhenSettled,
  sendIssuance,
  statusOf,
  xmlLinkOf,
  type Issuer,
} from './life-cycle.ts';
import { isRefusedByEndpoint } from './refusal.ts';
import { summary } from './reply.ts';
import type { Trial } from './trial.ts';

/** The companies that a run of the model plays with, and how minutes pass for them. */
export interface Stage {
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

/** What is known of an invoice. */
interface Known {
  readonly issuer: Issuer;
  readonly nfeId: string;
  readonly outcome: 'Autorizada' | 'Negada';
  /** The states in which a query may find it now. */
  states: readonly string[];
  /** Links that a query gave, and when, in seconds of the model. */
  links: readonly { readonly url: string; readonly kind: 'xml' | 'danfe'; readonly atSeconds: number }[];
}

/** What has happened so far: the same in the model and at the target. */
interface Model {
  readonly invoices: Map<string, Known>;
  readonly most: NonNullable<Stage['most']>;
  seconds: number;
  places: number;
}

interface Real {
  readonly t: Trial;
  readonly stage: Stage;
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
  const place = fc.nat({ max: (isKept ? keptPlaces : mostPlaces) - 1 });
  const slot = fc.nat({ max: idsInPlay - 1 });
  const at = fc.record({ place, slot });
  const issuing = fc
    .record({ place, slot, isDenied: fc.boolean() })
    .map(({ isDenied, ...where }) => issueAt(where, isDenied));
  const always = [issuing, at.map(settleAt), at.map(queryAt), at.map(cancelAt), fc.constant(download)];
  const others = isKept
    ? [issuing, at.map(cancelAt)]
    : [fc.constant(register), fc.constantFrom(9, 11).map(waitMinutes)];
  // An empty path would be followed as well: no step could be left out then.
  const replay = replayPath === undefined ? {} : { replayPath };
  return fc.commands([...always, ...others], { maxCommands: mostSteps, size: 'max', ...replay });
}

/** Takes the steps at the target, and after each of them compares what it says with what has happened. */
export async function playLifeCycle(t: Trial, stage: Stage, steps: Iterable<Step>): Promise<void> {
  const ids = Array.from({ length: idsInPlay }, () => freshId());
  const { issuers, most = { invoices: Infinity, cancellations: Infinity } } = stage;
  const model: Model = { invoices: new Map(), most, seconds: 0, places: issuers.length };
  await fc.asyncModelRun(() => ({ model, real: { t, stage, issuers: [...issuers], ids } }), steps);
  for (const known of model.invoices.values()) await agrees(t, model, known);
  if (model.invoices.size === 0) await findsNothing(t, issuers, ids);
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

function issueAt(where: Where, isDenied: boolean): Step {
  const outcome = isDenied ? 'Negada' : 'Autorizada';
  return step(`Issue(${nameOf(where)}, ${outcome})`, mayBeIssued(where), async (model, real, issuer, nfeId) => {
    if (isDenied && !real.stage.canDeny) return;
    const exchange = await sendIssuance(real.t, issuer, fileEndingAs(outcome), nfeId);
    if (model.invoices.has(nameOf(where))) {
      isRefusedByEndpoint(real.t, exchange, 'the company has an invoice with this id');
      return;
    }
    real.t.holds(isSuccess(exchange), {
      expected: 'accepted: the id is new in this company',
      actual: answerText(exchange),
    });
    const states = ['AguardandoAutorizacao', outcome];
    model.invoices.set(nameOf(where), { issuer, nfeId, outcome, states, links: [] });
  });
}

function settleAt(where: Where): Step {
  return step(`Settle(${nameOf(where)})`, isKnown(where), async (model, { t, stage }, issuer, nfeId) => {
    if (stage.advance) {
      await stage.advance(settleSeconds);
      pass(model, settleSeconds);
      return;
    }
    const known = model.invoices.get(nameOf(where));
    const exchange = await queryWhenSettled(t, issuer, nfeId);
    const status = statusOf(exchange);
    if (status === 'AguardandoAutorizacao')
      throw new NotExercised('no outcome came in time: NFE_SETTLE_TIMEOUT sets how long to wait', 'settings');
    if (known && !known.states.includes(status ?? '') && known.states.length === 2) {
      throw endedOtherwise(known.outcome, exchange);
    }
  });
}

function queryAt(where: Where): Step {
  return step(`Query(${nameOf(where)})`, isPlace(where), async (model, { t }, issuer, nfeId) => {
    if (!model.invoices.has(nameOf(where)))
      isRefusedByEndpoint(t, await query(t, issuer, nfeId), 'nothing was issued there');
  });
}

function cancelAt(where: Where): Step {
  return step(`Cancel(${nameOf(where)})`, mayBeCancelled(where), async (model, { t }, issuer, nfeId) => {
    const known = model.invoices.get(nameOf(where));
    const exchange = await cancel(t, issuer, nfeId);
    if (!known) {
      isRefusedByEndpoint(t, exchange, 'nothing was issued there');
      return;
    }
    t.holds(isSuccess(exchange), { expected: 'the authorised invoice cancelled', actual: summary(exchange) });
    known.states = ['Autorizada', 'Cancelada'];
    model.most.cancellations -= 1;
  });
}

const download: Step = {
  toString: () => 'Download()',
  check: ({ invoices }) => [...invoices.values()].some(({ links }) => links.length > 0),
  async run(model, { t }) {
    for (const known of model.invoices.values()) await followLinks(t, model, known);
  },
};

/** What a link does between 9 and 11 minutes, or once its invoice is cancelled, is not looked at. */
async function followLinks(t: Trial, model: Model, { links, states }: Known): Promise<void> {
  for (const { url, kind, atSeconds } of links) {
    const ageSeconds = model.seconds - atSeconds;
    const exchange = await t.download(url);
    if (ageSeconds <= 9 * 60 && !states.includes('Cancelada')) {
      t.holds(isSuccess(exchange), { expected: `the ${kind} after ${ageSeconds} s`, actual: summary(exchange) });
    } else if (ageSeconds >= 11 * 60) {
      t.holds(isDead(exchange), { expected: `4xx for the ${kind} after ${ageSeconds} s`, actual: summary(exchange) });
    }
  }
}

function waitMinutes(minutes: number): Step {
  return {
    toString: () => `Wait(${minutes} min)`,
    check: ({ invoices }) => invoices.size > 0,
    async run(model, { t, stage }) {
      if (!stage.advance) return;
      await stage.advance(minutes * 60);
      pass(model, minutes * 60);
      for (const known of model.invoices.values()) await agrees(t, model, known);
    },
  };
}

/** Time that passes settles what was due. */
function pass(model: Model, seconds: number): void {
  model.seconds += seconds;
  for (const known of model.invoices.values()) {
    if (known.states.includes('AguardandoAutorizacao')) known.states = [known.outcome];
  }
}

type Run = (model: Model, real: Real, issuer: Issuer, nfeId: string) => Promise<void>;

/** A step at one invoice: after it, the invoice of that id is compared in every company. */
function step(name: string, { where, check }: { where: Where; check: (model: Model) => boolean }, run: Run): Step {
  return {
    toString: () => name,
    check,
    async run(model, real) {
      const issuer = real.issuers[where.place];
      const nfeId = real.ids[where.slot];
      if (!issuer || nfeId === undefined) return;
      await run(model, real, issuer, nfeId);
      for (const known of model.invoices.values()) if (known.nfeId === nfeId) await agrees(real.t, model, known);
    },
  };
}

/** Fails unless a query finds the invoice in a state that was reached; what it saw is never to be taken back. */
async function agrees(t: Trial, model: Model, known: Known): Promise<void> {
  const exchange = await query(t, known.issuer, known.nfeId);
  const status = statusOf(exchange) ?? '';
  t.holds(exchange.response?.status === 200 && known.states.includes(status), {
    expected: `the invoice found, ${known.states.join(' or ')}`,
    actual: status === '' ? answerText(exchange) : `status ${status}`,
  });
  if (status !== 'AguardandoAutorizacao' && status === known.states.at(-1)) known.states = [status];
  known.links = [...known.links.slice(-2), ...linksIn(exchange, model.seconds)];
}

/** Fails if a query finds an invoice that nobody issued: all that can be said of steps that issued none. */
async function findsNothing(t: Trial, [issuer]: readonly Issuer[], [nfeId]: readonly string[]): Promise<void> {
  if (issuer && nfeId !== undefined) isRefusedByEndpoint(t, await query(t, issuer, nfeId), 'nothing was issued there');
}

function linksIn(exchange: Exchange, atSeconds: number): Known['links'] {
  const danfe = danfeLinkOf(exchange);
  const xml = xmlLinkOf(exchange);
  return [
    ...(isHttpUrl(danfe) ? [{ url: danfe, kind: 'danfe', atSeconds } as const] : []),
    ...(xml === undefined ? [] : [{ url: xml, kind: 'xml', atSeconds } as const]),
  ];
}

function isDead({ response }: Exchange): boolean {
  return response !== undefined && response.status >= 400 && response.status < 500;
}

function nameOf({ place, slot }: Where): string {
  return `company ${place}, id ${slot}`;
}

function isPlace(where: Where) {
  return { where, check: ({ places }: Model) => where.place < places };
}

/** An id that is taken may always be sent again: that is to be refused. */
function mayBeIssued(where: Where) {
  const isIn = isPlace(where).check;
  const check = (model: Model): boolean =>
    isIn(model) && (model.invoices.has(nameOf(where)) || model.invoices.size < model.most.invoices);
  return { where, check };
}

function isKnown(where: Where) {
  return { where, check: ({ invoices }: Model) => invoices.has(nameOf(where)) };
}

/** What the contract says nothing of is not tried: cancelling what waits, was denied or is cancelled already. */
function mayBeCancelled(where: Where) {
  return {
    where,
    check({ invoices, places, most }: Model) {
      const known = invoices.get(nameOf(where));
      const isUnknown = known === undefined && where.place < places;
      const isAuthorised = known?.states.length === 1 && known.states[0] === 'Autorizada';
      return isUnknown || (isAuthorised && most.cancellations > 0);
    },
  };
}
