import fc from 'fast-check';
import type { ClauseId } from '../../contract/catalogue.ts';
import { nfeOutcomes, type NfeOutcome, type FiscalState } from '../../contract/values.ts';
import type { Answer, Script } from '../../targets/receiver/address.ts';
import type { Arrival } from '../../trace/exchange.ts';
import { freshId } from '../../generators/nfe-ids.ts';
import { keptText, queryString } from '../../generators/text.ts';
import type { Caller } from '../../targets/applications.ts';
import { NotExercised } from '../../targets/not-exercised.ts';
import { bodyRefused, briefly } from './reply.ts';
import { beyondRetriesSeconds } from './attempts.ts';
import { ownCallbacks, type OwnCallbacks, bodyOfArrival } from './callbacks.ts';
import { property } from './check.ts';
import { isSuccess, sendIssuance, withEmpresa } from './life-cycle.ts';
import { gatheredOnce } from './gathered-once.ts';
import { lacking } from './missing.ts';
import { type Trial, oncePerTrial } from './trial.ts';
import { authorityRecord, type GeneratedRecord } from '../../generators/authority-records.ts';
import { wishedLanguages, type WishedLanguage } from '../../generators/wished-language.ts';
import { member } from '../../schemas/values.ts';
import { newEvent, noEvent, ownVerdicts } from './verdicts.ts';
import { ownDocument, verifyDocument } from './verification.ts';

/** An own document that was found valid, and where its verdicts come: each is refused first as `answered` says, and taken then. */
const soundDocument = oncePerTrial(async (t) => {
  const caller = await t.target.clockedCaller();
  const { document, chave } = await ownDocument(t, await withEmpresa(t, caller));
  const verdicts = await ownVerdicts(t, caller);
  const verifyAnew = async ({ refusal, wish }: Pick<GeneratedCase, 'refusal' | 'wish'> = noCase): Promise<unknown> => {
    const before = verdicts.events().length;
    let first = refusal ?? undefined;
    verdicts.inbox.answerBy(() => {
      const status = first ?? 200;
      first = undefined;
      return { status };
    });
    const exchange = await verifyDocument(t, caller, document, wish ? [wish] : []);
    if (!isSuccess(exchange)) throw new NotExercised(`the document was refused: ${briefly(exchange)}`);
    await caller.advance(0);
    const event = newEvent(t, verdicts, before);
    if (refusal !== null) await caller.advance(2 * 60);
    t.received(...verdicts.events());
    return event && member(bodyOfArrival(event), 'data');
  };
  await verifyAnew();
  const textIn = (element: RegExp): string | undefined => element.exec(document)?.[1];
  return {
    chave,
    digestValue: textIn(/<(?:\w+:)?DigestValue>([^<]+)</),
    numero: textIn(/<(?:\w+:)?nProt>([^<]+)</),
    receivedAt: textIn(/<(?:\w+:)?dhRecbto>([^<]+)</),
    verifyAnew,
  };
});

/** States for which an invoice is rejected: the one that most invoices have of these, and the others. */
const cancelledOr = [['Cancelada'], ['Denegada', 'Inutilizada', 'NaoEncontrada']] as const;
const isRejected: ReadonlySet<FiscalState> = new Set(cancelledOr.flat());

interface GeneratedCase {
  readonly record: GeneratedRecord;
  /** What the first attempt to tell of it is answered. */
  readonly refusal: number | null;
  /** The language that the verification asks for: what an authority said is in Portuguese all the same. */
  readonly wish: WishedLanguage;
}

const noCase = { refusal: null, wish: undefined };

/** A record of each kind of verdict that it leads to, a cancelled invoice's among them, and what the first attempt to tell it is answered. */
export const records: fc.Arbitrary<readonly GeneratedCase[]> = fc.tuple(
  ...[['Autorizada'] as const, ...cancelledOr, ['Desconhecida'] as const].map((states) =>
    fc.record({
      record: authorityRecord(states),
      refusal: fc.option(fc.integer({ min: 300, max: 599 })),
      wish: fc.constantFrom(...wishedLanguages),
    }),
  ),
);

/** What an event tells of a record that was put in, beside that record as it was. */
interface Told {
  readonly found: unknown;
  readonly record: GeneratedRecord;
}

/** Has records put in one after the other, and gives what an event tells of each. */
const toldOf = gatheredOnce('records', async (t, cases: readonly GeneratedCase[]): Promise<readonly Told[]> => {
  const { chave, digestValue, numero, receivedAt, verifyAnew } = await soundDocument(t);
  const told: Told[] = [];
  for (const { record: generated, refusal, wish } of cases) {
    const { status, protocolo, dataAutorizacao } = generated;
    // What contradicts the document is rejected, whatever else is on record.
    const own = protocolo && {
      digestValue: digestValue ?? protocolo.digestValue,
      numero: status === 'Autorizada' && numero !== undefined ? numero : protocolo.numero,
    };
    const time = dataAutorizacao && status === 'Autorizada' && receivedAt !== undefined ? receivedAt : dataAutorizacao;
    const record = isRejected.has(status) ? generated : { ...generated, protocolo: own, dataAutorizacao: time };
    await t.target.putInvoice(chave, record);
    told.push({ found: await verifyAnew({ refusal, wish }), record });
  }
  return told;
});

/** Has records put in, and judges what an event tells of each. */
export async function tellRecords(
  t: Trial,
  cases: readonly GeneratedCase[],
  judge: (found: unknown, record: GeneratedRecord) => void,
): Promise<void> {
  await t.each(await toldOf(t, cases), ({ found, record }) => {
    if (found === undefined) throw noEvent(t);
    judge(found, record);
  });
}

/** How the attempts at a callback are answered, and what comes back in them. */
interface Driven {
  readonly outcome: NfeOutcome;
  readonly answer: Answer;
  /** How many attempts are answered so, before one is acknowledged. */
  readonly refusals: number;
  readonly acknowledged: number;
  readonly token: string;
  readonly query: string;
  /** What the tax authority says to a denial: its code, and the words behind it. */
  readonly cStat: string;
  readonly words: string;
}

/** How what the tax authority says to a denial begins. */
export const denialWords = 'Uso denegado';

/** What a service that holds long tokens for too long takes. */
const plainLength = 64;

/** Statuses that mean something to those who retry. */
export const tellingStatuses = [301, 302, 304, 400, 401, 403, 404, 410, 429, 500, 503];

/** A status of the 300s, 400s or 500s. */
export function failure(hundreds: 3 | 4 | 5): fc.Arbitrary<Answer> {
  const telling = tellingStatuses.filter((status) => Math.floor(status / 100) === hundreds);
  const any = fc.integer({ min: 100 * hundreds, max: 100 * hundreds + 99 });
  return fc.oneof(fc.constantFrom(...telling), any).map((status) => ({ status }));
}

/** Callbacks whose first attempts are answered so; sizes and texts of everything else are any. */
export const answered = (answer: fc.Arbitrary<Answer>): fc.Arbitrary<Driven> =>
  fc.record({
    outcome: fc.constantFrom(...nfeOutcomes),
    answer,
    refusals: fc.integer({ min: 1, max: 5 }),
    acknowledged: fc.integer({ min: 200, max: 299 }),
    token: fc.stringMatching(/^[!-~]{17,64}$/),
    query: queryString().map((query) => `?${query}`),
    // Denials of use among rejections, of the certificate and of the form too, and the longest code.
    cStat: fc.constantFrom('302', '204', '110', '290', '539', '301', '225', '1115'),
    words: keptText(200).map((text) => `${denialWords} ${text}`),
  });

/** Callbacks whose first attempts fail by any status: that a connection which breaks off is retried is only implied. */
export const driven = answered(fc.oneof(failure(3), failure(4), failure(5)));

/** The same with a token that may be taken for a number. */
const drivenWithNumber = fc
  .record({ each: driven, token: fc.stringMatching(/^0[0-9]{15,39}$/) })
  .map(({ each, token }): Driven => ({ ...each, token }));

/** Callbacks to an address of their own: by the token, or, where that is too much for the service, by its end, or letters and digits of that. */
async function callbacksWith(t: Trial, caller: Caller, each: Driven, script: Script): Promise<OwnCallbacks> {
  const { query, token } = each;
  t.target.hide(token, '$WEBHOOK_TOKEN');
  try {
    return await ownCallbacks(t, caller, script, query, token);
  } catch (error) {
    const isLong = token.length > plainLength;
    const less = isLong ? token.slice(-plainLength) : token.replaceAll(/[^A-Za-z0-9]/g, 'x');
    if (!(error instanceof NotExercised) || token === less) throw error;
    return callbacksWith(t, caller, { ...each, token: less }, script);
  }
}

/** The attempts at a callback, the first of which are refused: on a clock of its own until all retries would have come. */
export const driveCallback = gatheredOnce('driven callback', async (t, each: Driven): Promise<readonly Arrival[]> => {
  const caller = await t.target.clockedCaller();
  const issuer = await withEmpresa(t, caller);
  const { outcome, answer, refusals, acknowledged, cStat, words } = each;
  const script: Script = (_, attempt) => (attempt < refusals ? answer : { status: acknowledged });
  const callbacks = await callbacksWith(t, caller, each, script);
  await t.target.steer(caller, {
    issuance: { outcome, ...(outcome === 'Negada' ? { motivo: `${cStat} - ${words}` } : {}) },
  });
  const nfeId = freshId();
  const exchange = await sendIssuance(t, issuer, { nfeId });
  if (!isSuccess(exchange)) throw bodyRefused('the invoice', exchange);
  await caller.advance(0);
  if (callbacks.inbox.arrivals().length === 0) throw lacking(t, 'a callback');
  // A repeat is refused, and is no event: of an id that was denied nobody knows.
  if (outcome === 'Autorizada') await sendIssuance(t, issuer, { nfeId });
  await caller.advance(2 * 60);
  await caller.advance(beyondRetriesSeconds);
  t.received(...callbacks.inbox.arrivals());
  return callbacks.inbox.arrivals();
});

/** What a reader of headers, forms or lists takes for something else than a part of a token. */
const telling = '%41%2B+,;="&\'\\==';

/** Tokens of more than 255 characters; what reads escapes finds whole ones alone, and spaces stand where less of one leaves them out. */
const long = driven.map((each) => {
  const text = each.token.replaceAll('%', '-');
  return { ...each, token: `Bearer ${text}  ${text.repeat(Math.ceil(255 / text.length))}${telling}` };
});

/** Declares what holds of every attempt at a callback: of any token, short and long, query and words, in both outcomes, on first attempt and retry. */
export function drivenProperty(clause: ClauseId, title: string): void {
  property(
    clause,
    title,
    fc.record({ Autorizada: long, Negada: drivenWithNumber }),
    async (t, each) => {
      await t.each(nfeOutcomes, async (outcome) => void (await driveCallback(t, { ...each[outcome], outcome })));
    },
    { needs: ['movable-clock', 'callbacks', 'empresa', 'authorised-issuance'], most: 3, mostPolitely: 1 },
  );
}
