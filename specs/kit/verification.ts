import { chaveIn, xmlLinkIn } from '../../contract/values.ts';
import { pathCall, xmlCall } from '../../generators/calls.ts';
import { readTree } from '../../generators/nfe/xml-tree.ts';
import { codeMessage } from '../../schemas/messages.ts';
import { member, isObject } from '../../schemas/values.ts';
import { validator } from '../../schemas/validate.ts';
import type { Exchange, Response } from '../../trace/exchange.ts';
import { LeftOut, NotExercised } from '../../targets/not-exercised.ts';
import type { Caller } from '../../targets/applications.ts';
import { downloaded, issueSettled, type Issuer } from './life-cycle.ts';
import { bodyText, jsonBody, summary, isEnveloped, memberNames, notJsonIn } from './reply.ts';
import type { Trial } from './trial.ts';
import type { Call, Transfer } from '../../contract/request.ts';
import { eachLanguageOnce, wishing } from '../../generators/wished-language.ts';
import type { Consultas } from '../../targets/profile.ts';
import { isUtf8 } from 'node:buffer';

const faultsOfCodeMessage = validator(codeMessage);

/** A document of the profile; a NotExercised where it has none. */
export function documentOf(t: Trial, file: 'verificacao.autorizada.xml' | 'verificacao.rejeitada.xml'): string {
  const document = t.target.profile.bytes(file)?.toString('utf8');
  if (document === undefined) throw new NotExercised(`the profile has no ${file}`, 'settings');
  return document;
}

/** How a document is sent that is to be verified anew: in which form, and how the name of the header is spelt that asks for that. */
export interface VerifyingWay {
  readonly transfer?: Transfer;
  readonly forcedBy?: string;
}

/** Has a document verified anew, whatever comes of it; further headers may go with it, and it may be sent in another way. */
export function verifyDocument(
  t: Trial,
  caller: Caller,
  document: string | Buffer,
  headers: Headers = [],
  { forcedBy = forced[0], ...way }: VerifyingWay = {},
): Promise<Exchange> {
  const call = { ...xmlCall('', t.target.address.xmlContentType), ...way };
  return t.send(caller, { ...call, rawBody: Buffer.from(document), headers: [[forcedBy, forced[1]], ...headers] });
}

/** What was answered to a body that was sent so; throws a LeftOut where none is taken whose length nobody told. */
export function takenSo(exchange: Exchange, transfer: Transfer | undefined): Exchange {
  const { status = 0 } = exchange.response ?? {};
  const isUntaken = transfer === 'chunked' && (status === 411 || status === 501);
  if (isUntaken) throw new LeftOut(`no body in chunks is taken: ${summary(exchange)}`);
  return exchange;
}

export type Headers = NonNullable<ReturnType<typeof xmlCall>['headers']>;

/** The header by which a verification is made anew. Section 4.1. */
export const forced = ['forceRevalidate', 'true'] as const;

/** Looks a chave up. */
export function lookUp(t: Trial, caller: Caller, chave: string): Promise<Exchange> {
  return t.send(caller, pathCall('chave-lookup', { chave }));
}

/** Seconds that what settles at once on its own clock may take in ours, for the work that it is. */
const longestWork = 5;

/** Longest wait for a verdict to be told by the lookup, in seconds. */
const longestSettlement = 20;

/**
 * The answer to a lookup of what was verified just before, as it is to be, or the last one: a verdict settles after its request, and
 * the lookup is how that is polled. Section 1.
 */
export async function lookUpSettled(
  t: Trial,
  caller: Caller,
  call: Call,
  isWanted: (exchange: Exchange) => boolean,
): Promise<Exchange> {
  const atOnce = await t.send(caller, call);
  if (isWanted(atOnce)) return atOnce;
  const { control, settleTimeoutSeconds } = t.target.address;
  const seconds = control ? longestWork : Math.min(settleTimeoutSeconds, longestSettlement);
  const wait = { kind: 'settlement', firstPauseMs: 250, longestPauseMs: 4000, seconds } as const;
  return t.anew(() => t.awaits(wait, () => t.send(caller, call), isWanted));
}

/** Looks a chave up as one has a document verified anew. */
export function lookUpForced(t: Trial, caller: Caller, chave: string): Promise<Exchange> {
  return t.send(caller, { ...pathCall('chave-lookup', { chave }), headers: [forced] });
}

/** The document of an invoice, and the chave in it. */
interface NfeDocument {
  readonly document: string;
  readonly chave: string;
}

/** A document of an invoice that this check has issued, with its chave: nobody else's record is touched. */
export async function ownDocument(t: Trial, issuer: Issuer): Promise<NfeDocument & { nfeId: string }> {
  const { nfeId, exchange } = await issueSettled(t, issuer);
  return { nfeId, ...(await documentBehind(t, jsonBody(exchange))) };
}

/** The encoding in the declaration of a document, behind what stands before it. */
const encodingDeclared = /^(\ufeff?<\?xml [^>]*\bencoding\s?=\s?["'])[^"'>]*/;

/** What the XML link of an invoice leads to, by the body that tells of it; a NotExercised where it has none, or that names no chave. */
export async function documentBehind(t: Trial, invoice: unknown): Promise<NfeDocument> {
  const link = xmlLinkIn(invoice);
  if (link === undefined) throw new NotExercised('the invoice has no link to its XML');
  const download = await downloaded(t, link);
  // It is sent on as UTF-8, whatever encoding it came in: to what is signed of it that is all one.
  const document = bodyText(download).replace(encodingDeclared, '$1UTF-8');
  const chave = chaveIn(document);
  if (!readTree(document)) throw new NotExercised('the XML of the invoice is not well-formed');
  if (chave === undefined) throw new NotExercised(`the XML of the invoice has no chave: ${summary(download)}`);
  return { document, chave };
}

/** `validation.validationStatus` of an answer. */
export function validationStatusOf(exchange: Exchange): unknown {
  return member(jsonBody(exchange), 'validation', 'validationStatus');
}

/**
 * The same; a LeftOut where the authority was not reached, and so nobody knows. What it is then is a verdict like any other. Section 2.4.
 */
export function conclusionOf(t: Trial, exchange: Exchange): unknown {
  const status = validationStatusOf(exchange);
  if (exchange.response?.status === 200) leaveOutUnreached(t, status);
  return status;
}

/** Leaves out what nobody can know while the authority is out of reach; by a control API it is in reach, but for a check of that. Section 2.4. */
export function leaveOutUnreached({ target }: Trial, status: unknown): void {
  if (status !== 'VALIDATION_ERROR' || target.address.control) return;
  throw new LeftOut('the verdict is VALIDATION_ERROR: the authority was not reached');
}

/** Fails unless it was refused so, with `{code, message}`. Section 7.3. */
export function isRefusedWithCode(t: Trial, exchange: Exchange, expected: '400' | '4xx', hint?: string): void {
  const status = exchange.response?.status ?? 0;
  const isFitting = expected === '400' ? status === 400 : status >= 400 && status < 500;
  t.holds(isFitting, { expected, actual: summary(exchange), ...(hint === undefined ? {} : { hint }) });
  const body = jsonBody(exchange);
  const faults = faultsOfCodeMessage(body);
  t.holds(faults.length === 0, {
    expected: 'an object with code and message, no platform envelope',
    actual: body === undefined ? notJsonIn(exchange) : faults.join('; '),
  });
}

/** Whether an endpoint says that nobody knows what it was asked about. Section 7.3. */
export function isNotFound(exchange: Exchange): boolean {
  return exchange.response?.status === 404 && faultsOfCodeMessage(jsonBody(exchange)).length === 0;
}

/** Whether a verdict says for sure that the authority has the invoice on record. Section 2.4. */
export function isOnRecord(exchange: Exchange): boolean {
  const [verdict, status] = [validationStatusOf(exchange), member(jsonBody(exchange), 'validation', 'status')];
  const isKnown = verdict === 'REJECTED' && onRecord.some((state) => state === status);
  return verdict === 'VALIDATED' || isKnown;
}

const onRecord = ['Autorizada', 'Cancelada', 'Denegada', 'Inutilizada'] as const;

/** An answer in a few words, with the verdict in it. */
export function toldVerdict(exchange: Exchange): string {
  const status = validationStatusOf(exchange);
  return `${summary(exchange)}, ${status === undefined ? 'no validationStatus' : `validationStatus ${JSON.stringify(status)}`}`;
}

/** Fails unless the document was taken: 200, whatever the verdict. */
export function isTaken(t: Trial, exchange: Exchange, hint?: string): void {
  t.holds(exchange.response?.status === 200, {
    expected: '200 with a verdict',
    actual: summary(exchange),
    ...(hint === undefined ? {} : { hint }),
  });
}

/** The numbers of the profile; a NotExercised where it has none. */
export function numbersOf(t: Trial): Consultas {
  const { consultas } = t.target.profile;
  if (!consultas) throw new NotExercised('the profile has no consultas.json', 'settings');
  return consultas;
}

/** Fails unless a lookup found something: 200 and a bare object with members. Section 4.1. */
function hasFound(t: Trial, exchange: Exchange, what: string): void {
  if (exchange.response?.status === 402) throw new NotExercised(`what may be asked is spent: ${summary(exchange)}`);
  t.holds(exchange.response?.status === 200, {
    expected: `200 for ${what} of consultas.json`,
    actual: summary(exchange),
  });
  const body = jsonBody(exchange);
  t.holds(isObject(body) && !isEnveloped(body) && memberNames(body) !== 'none', {
    expected: 'a bare object that tells of it',
    actual: isObject(body)
      ? `the members ${memberNames(body)}`
      : body === undefined
        ? notJsonIn(exchange)
        : 'no object',
  });
}

/** The same of a call in each of the four languages, and of none. */
export async function hasFoundInAnyLanguage(t: Trial, call: Call, what: string): Promise<void> {
  const caller = await t.caller();
  await t.each(eachLanguageOnce, async (wish) => hasFound(t, await t.send(caller, wishing(call, wish)), what));
}

/** Fails unless a number that nobody has is refused, whatever language it is asked in, or, where requests are counted, in none. */
export async function isRefusedInAnyLanguage(t: Trial, call: Call): Promise<void> {
  const caller = await t.caller();
  const wishes = t.target.address.control ? eachLanguageOnce : [undefined];
  await t.each(wishes, async (wish) => isRefusedWithCode(t, await t.send(caller, wishing(call, wish)), '4xx'));
}

/** A number that may be asked for, and the call that asks for it. */
interface Asked {
  readonly number: string;
  readonly call: Call;
}

/**
 * Fails where another number gets the very answer to a known one, which names that. What is told of a number is not shown: an answer that
 * names none may be the same for all.
 */
export async function tellsApart(t: Trial, known: Asked, other: Asked): Promise<void> {
  if (known.number === other.number) return;
  const caller = await t.caller();
  const answers = [await t.send(caller, known.call), await t.send(caller, other.call)];
  if (answers.some(({ response }) => response?.status !== 200)) return;
  const [first = '', second] = answers.map(bodyText);
  const isNamed = first.replaceAll(/[-./\\]/g, '').includes(known.number);
  t.holds(first !== second || !isNamed, {
    expected: 'what is known of the number that was asked for',
    actual: 'the very answer to another number',
  });
}

/** Fails where an XML document is cut short, or says that it is UTF-8, or nothing of it, which means the same, and is not. */
export function isSound(t: Trial, exchange: Exchange): void {
  const { response } = exchange;
  if (!response) return;
  t.holds(isAsItSays(response), {
    expected: 'a document in UTF-8, as it says',
    actual: 'bytes that are no UTF-8',
  });
  t.holds(isWhole(bodyText(exchange)), {
    expected: 'a document that ends with the end of its root',
    actual: `one that is cut after ${response.rawBody.length} bytes`,
  });
}

/** Whether the last tag that ends something ends the root of a document. What stands before and behind that is let be. */
export function isWhole(document: string): boolean {
  const root = /<([\p{L}_][^\s/>]*)/u.exec(document)?.[1];
  const last = /^<\/([^\s>]+)\s*>/.exec(document.slice(document.lastIndexOf('</')))?.[1];
  return root === undefined || root === last;
}

const marksOfUtf16 = new Set(['feff', 'fffe']);

/** Whether bytes are in the encoding of their document, as far as UTF-8 goes. A charset outside of it goes first. XML 1.0, 4.3.3; RFC 7303, 3. */
export function isAsItSays({ headers, rawBody }: Pick<Response, 'headers' | 'rawBody'>): boolean {
  const contentType = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  const outside = /charset=["']?([\w-]{1,40})/i.exec(contentType)?.[1];
  const inside = /encoding=["']([\w-]{1,40})["']/.exec(rawBody.toString('latin1', 0, 200))?.[1];
  const isOther = marksOfUtf16.has(rawBody.toString('hex', 0, 2)) || !/^utf-?8$/i.test(outside ?? inside ?? 'UTF-8');
  return isOther || isUtf8(rawBody);
}

/** Where manners are asked for, so many of the cases: the first ones, and as many of the others, which another seed has others of. */
export function politely<T>(t: Trial, cases: readonly T[], most: number): readonly T[] {
  const first = cases.slice(0, most / 2);
  return t.target.address.maxRps > 0 ? [...first, ...t.drawn(cases.slice(first.length), most / 2)] : cases;
}
