import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import type { ClauseId } from '../../contract/catalogue.ts';
import { isHttpUrl } from '../../contract/values.ts';
import { jsonIn, type Arrival, type Exchange, epochMs } from '../../trace/exchange.ts';
import type { Answer } from '../../targets/receiver/address.ts';
import { lineOfHeld, toldBy, type Held } from '../../judge/held-line.ts';
import { isStanding, keptOf, observationsOf, openJudge, type Observation } from '../../judge/judge.ts';
import { member } from '../../schemas/values.ts';
import type { AnswerContent, Evidence } from '../../schemas/evidence.ts';
import { messagesOf } from '../../trace/evidence.ts';
import { digestUnder } from '../../trace/lines.ts';
import { type Mask, remembering } from '../../trace/people/words-mask.ts';
import type { Veil } from '../../trace/people/veil.ts';
import {
  deliveryRecord,
  exchangeRecord,
  type AddressFacts,
  type Aim,
  type DeliveryContext,
  type PromiseOfDelivery,
  type SteeringRecord,
  type TraceRecord,
} from '../../trace/records.ts';
import type { TracePlace } from '../../targets/address.ts';
import type { Learning } from '../../targets/mask.ts';
import { Deviation } from './deviation.ts';
import { bounded, deliveryShown } from './shown.ts';

/** Characters of a body that a trace keeps. */
const longestBody = 16_000;
/** Entries that are held before they are written. */
const mostHeld = 500;

/** What a check gathers, in order, and what the judge says of it as it comes. */
export interface Recorder {
  exchange(exchange: Exchange, aim?: Aim): void;
  /** The first exchange of the check whose answer breaks a clause for what it holds, whatever time or the way do. */
  suspect(): Suspect | undefined;
  /** Whether anything in the check has kept that clause. */
  hasKept(clause: ClauseId): boolean;
  /** Whether the answer of an exchange breaks that clause. */
  isBreaking(exchange: Exchange, clause: ClauseId): boolean;
  /** A delivery, once it is decided how it is answered. */
  delivery(arrival: Arrival, headerPrefix: string, context: DeliveryContext): void;
  steering(record: SteeringRecord): void;
  /** Whether something came that was promised. */
  awaited(clause: PromiseOfDelivery, hasCome: boolean): void;
  /** What another check has taken down already: judged here as well. */
  recall(record: TraceRecord | undefined): void;
  /** Tells of each record that is taken down, until it is released. */
  listen(listener: (record: TraceRecord) => void): () => void;
  /** An address of ours is about to be given to the target. */
  address(given: GivenAddress): void;
  /** The one that is called so, or nearly: what stands in the way may change the path but for its end. */
  addressAt(target: string): GivenAddress | undefined;
  /** The tokens that a callback about that invoice may bear there: the one registered, and what was when the invoice was issued. */
  tokensAt(given: GivenAddress, nfeId: unknown): readonly string[];
  /** A new case begins. */
  beginCase(): void;
  /** What was broken so far in this case is noted, and the case goes on: it is broken no more. */
  noted(): void;
  /** How often the judge saw the clause kept in this case, and the first time that it saw it broken. */
  seenOf(clause: string): { readonly held: number; readonly broken?: Observation };
  /** Writes what is held, hidden by that veil. */
  flush(): void;
}

/** An exchange whose answer breaks a clause. */
export interface Suspect {
  readonly exchange: Exchange;
  readonly aim: Aim | undefined;
  readonly clause: ClauseId;
}

/** An address of ours as the target is given it. */
interface GivenAddress {
  readonly facts: AddressFacts;
  /** Path and query. */
  readonly target: string;
  /** The verification token that is registered with it. */
  readonly token?: string;
}

/** How what is written hides what no report may show; asked for when something is written. */
export interface Hiding {
  readonly veil: () => Veil;
  /** For findings, which quote what came without saying what it was. */
  readonly mask: () => Mask;
  /** Learns of whom a message tells that a finding may quote. */
  readonly learning?: Learning;
}

/** A recorder that writes to a file, where there is one. */
export function openRecorder(check: string, file: TracePlace | undefined, hiding: Hiding): Recorder {
  return new JudgingRecorder(check, file && new HeldLines(file, hiding), hiding.learning);
}

class JudgingRecorder implements Recorder {
  readonly #check: string;
  readonly #lines: HeldLines | undefined;
  readonly #learning: Learning | undefined;
  readonly #judge = openJudge();
  readonly #addresses = new GivenAddresses();
  /** When an id was first issued under. */
  readonly #issuedAtMs = new Map<unknown, number>();
  readonly #breaking = new WeakMap<Exchange, ReadonlySet<ClauseId>>();
  readonly #kept = new Set<ClauseId>();
  readonly #listeners = new Set<(record: TraceRecord) => void>();
  #seen: Observation[] = [];
  /** So many of them are noted where they are broken. */
  #notedUntil = 0;
  #suspect: Suspect | undefined;
  #cases = 0;

  constructor(check: string, lines: HeldLines | undefined, learning: Learning | undefined) {
    [this.#check, this.#lines, this.#learning] = [check, lines, learning];
  }

  exchange(exchange: Exchange, aim?: Aim): void {
    const start = bounded(exchange, longestBody);
    const evidence = (shown: Veil): Evidence => messagesOf(start, shown, longestBody);
    const { sentAtMs: at = 0, request } = exchange;
    const record = this.#addresses.named(exchangeRecord(exchange, aim));
    const gathered = { record, evidence, at, ...(request.isLink ? { isLink: true } : {}) };
    if (record?.kind === 'exchange' && record.endpoint?.name === 'nfe-issuance') {
      const id = member(jsonIn(record.requestBody.toString('utf8')), 'id');
      if (!this.#issuedAtMs.has(id)) this.#issuedAtMs.set(id, at);
    }
    const broken = this.#take(gathered, () => this.#learning?.exchange(exchange));
    if (broken.length === 0) return;
    this.#breaking.set(exchange, new Set(broken.map(({ clause }) => clause)));
    const first = broken.find((observation) => !observation.broken?.restsOnTime);
    if (first) this.#suspect ??= { exchange, aim, clause: first.clause };
  }

  delivery(arrival: Arrival, headerPrefix: string, context: DeliveryContext): void {
    const evidence = (shown: Veil): Evidence => deliveryShown(arrival, shown, longestBody);
    const record = deliveryRecord(arrival, headerPrefix, context);
    this.#take({ record, evidence, at: arrival.arrivedAtMs }, () => this.#learning?.arrival(arrival));
  }

  steering(record: SteeringRecord): void {
    this.#take({ record, evidence: () => none, at: record.atMs });
  }

  awaited(clause: PromiseOfDelivery, hasCome: boolean): void {
    const record = { kind: 'awaited', atMs: epochMs(), clause, hasCome } as const;
    this.#take({ record, evidence: () => none, at: record.atMs });
  }

  listen(listener: (record: TraceRecord) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  recall(record: TraceRecord | undefined): void {
    if (record) this.#seen.push(...this.#judge.see(record));
  }

  address(given: GivenAddress): void {
    this.#addresses.add(given);
  }

  addressAt(target: string): GivenAddress | undefined {
    return this.#addresses.at(target);
  }

  tokensAt(given: GivenAddress, nfeId: unknown): readonly string[] {
    return this.#addresses.tokensAt(given, this.#issuedAtMs.get(nfeId) ?? Infinity);
  }

  beginCase(): void {
    this.#seen = [];
    this.#notedUntil = 0;
    this.#cases += 1;
  }

  noted(): void {
    this.#notedUntil = this.#seen.length;
  }

  seenOf(clause: string): ReturnType<Recorder['seenOf']> {
    const isOwn = (observation: Observation): boolean => observation.clause === clause && isStanding(observation);
    const own = this.#seen.filter(isOwn);
    const broken = this.#seen.slice(this.#notedUntil).find((observation) => observation.broken && isOwn(observation));
    return { held: own.length - own.filter((each) => each.broken).length, ...(broken ? { broken } : {}) };
  }

  suspect(): Suspect | undefined {
    return this.#suspect;
  }

  hasKept(clause: ClauseId): boolean {
    return this.#kept.has(clause);
  }

  isBreaking(exchange: Exchange, clause: ClauseId): boolean {
    return this.#breaking.get(exchange)?.has(clause) ?? false;
  }

  flush(): void {
    this.#lines?.flush();
  }

  /** Takes down what came, and gives what of it is broken: of that people are learnt before it is written. */
  #take(gathered: Omit<Held, 'place' | 'told'>, learn: () => void = () => undefined): readonly Observation[] {
    const { record } = gathered;
    if (record) for (const listener of this.#listeners) listener(record);
    const alone = record ? observationsOf(record) : [];
    const observations = record ? this.#judge.see(record, alone) : [];
    // A large answer is not kept until the case ends, nor until it is written.
    const kept = record && keptOf(record);
    this.#seen.push(...observations.map((each) => (kept ? { ...each, record: kept } : each)));
    if (observations.some(({ broken }) => broken)) learn();
    const place = { check: this.#check, case: this.#cases };
    this.#lines?.hold({ ...gathered, record: kept, place, told: toldBy(alone) });
    for (const { clause, broken } of observations) if (!broken) this.#kept.add(clause);
    return observations.filter(({ broken }) => broken);
  }
}

/** The addresses of ours that a check has given to its target. */
class GivenAddresses {
  readonly #byTarget = new Map<string, GivenAddress>();
  readonly #former: { readonly target: string; readonly token: string; readonly untilMs: number }[] = [];

  add(given: GivenAddress): void {
    const { token } = this.#byTarget.get(given.target) ?? {};
    if (token !== undefined && token !== given.token)
      this.#former.push({ target: given.target, token, untilMs: epochMs() });
    this.#byTarget.set(given.target, given);
  }

  /** The token of an address, and those that it had at that time or since. */
  tokensAt({ target, token }: GivenAddress, sinceMs: number): readonly string[] {
    const former = this.#former.filter((one) => one.target === target && one.untilMs > sinceMs);
    return [...(token === undefined ? [] : [token]), ...former.map((one) => one.token)];
  }

  /** The one that is called so, or nearly. */
  at(target: string): GivenAddress | undefined {
    const all = [...this.#byTarget.values()];
    return (
      this.#byTarget.get(target) ??
      all.find((given) => target.split(/[/?]/).includes(nameIn(given.target))) ??
      // Where no name of ours is left. Several checks end their addresses alike.
      all.find((given) => endOf(given.target) === endOf(target)) ??
      // Of two that the case of a letter tells apart, the one that is written so was found above.
      all.find((given) => target.toLowerCase().split(/[/?]/).includes(nameIn(given.target).toLowerCase()))
    );
  }

  /** The record of a registration with the name of the address that it registers. */
  named(record: ReturnType<typeof exchangeRecord>): typeof record {
    if (record?.kind !== 'exchange' || record.endpoint?.name !== 'webhook-registration') return record;
    const uri = member(jsonIn(record.requestBody.toString('utf8')), 'uri');
    const given = isHttpUrl(uri) ? this.#byTarget.get(targetOf(uri)) : undefined;
    return given ? { ...record, address: given.facts.name } : record;
  }
}

/** What is to be written of a check, held until there is much of it, and hidden only then. */
class HeldLines {
  readonly #file: TracePlace;
  readonly #hiding: Hiding;
  readonly #digest: ReturnType<typeof digestUnder>;
  #held: Held[] = [];

  constructor(file: TracePlace, hiding: Hiding) {
    [this.#file, this.#hiding, this.#digest] = [file, hiding, digestUnder(file.key)];
  }

  hold(line: Held): void {
    this.#held.push(line);
    if (this.#held.length >= mostHeld) this.flush();
  }

  flush(): void {
    if (this.#held.length === 0) return;
    const shown = this.#hiding.veil();
    const veil = { ...shown, mask: remembering(shown.mask) };
    const written = { veil, maskFinding: this.#hiding.mask(), digest: this.#digest };
    const text = this.#held.map((one) => `${JSON.stringify(lineOfHeld(one, written))}\n`).join('');
    this.#held = [];
    appendFileSync(join(this.#file.directory, `${threadId}.ndjson`), text);
  }
}

/** Path and query of an address. */
export function targetOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/** The last segment of a path: of an address of ours nobody can guess it, or a setting names it. */
function endOf(target: string): string | undefined {
  return target
    .split('?', 1)
    .join('')
    .split('/')
    .findLast((segment) => segment !== '');
}

/** The segment that names an address of ours: what stands behind it a sender may have written anew. */
function nameIn(target: string): string {
  return /(?<=\/)[\w-]{32}(?=[/?]|$)/.exec(target)?.[0] ?? target;
}

/** A recorder that only judges. */
export function unwritten(): Recorder {
  return openRecorder('', undefined, { veil: () => ({ mask: (text) => text }), mask: () => (text) => text });
}

const none: Evidence = { request: { method: '', target: '', headers: [] }, durationMs: 0 };

/** Fails where the judge has seen the clause broken in the case: then that is what the case shows. */
export function failWhereBroken(recorder: Recorder, clause: ClauseId): void {
  const { broken } = recorder.seenOf(clause);
  if (broken?.broken) throw new Deviation(broken.broken);
}

/** What was answered, as a record has it. */
export function answerOf(answer: Answer): number | 'hang-up' {
  return answer === 'hang-up' ? answer : answer.status;
}

/** Characters of a body of ours that are kept. */
const mostOfAnswer = 300;

/** What an answer held besides its status, as a record has it; `undefined` where that is nothing. */
export function contentOf(answer: Answer): AnswerContent | undefined {
  if (typeof answer === 'string') return undefined;
  const { headers = [], body = '' } = answer;
  if (headers.length === 0 && body.length === 0) return undefined;
  return { headers: headers.map(([name, value]) => [name, value]), body: body.toString().slice(0, mostOfAnswer) };
}
