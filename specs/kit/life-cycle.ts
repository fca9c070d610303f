import { isPlainNfeId, nfeStates, type NfeOutcome, xmlLinkIn, type Language } from '../../contract/values.ts';
import { echoCall, pathCall } from '../../generators/calls.ts';
import { freshId } from '../../generators/nfe-ids.ts';
import type { Exchange } from '../../trace/exchange.ts';
import { member, type JsonObject } from '../../schemas/values.ts';
import type { ApplicationWish } from '../../targets/control.ts';
import { sendCertificate, usableEmpresaId, type EmpresaName, type RegisteredEmpresa } from '../../targets/empresa.ts';
import { NotExercised, LeftOut } from '../../targets/not-exercised.ts';
import type { BodyFile } from '../../targets/profile.ts';
import type { Caller, ClockedCaller } from '../../targets/applications.ts';
import { bodyRefused, briefly, jsonBody, summary, notJsonIn } from './reply.ts';
import { Deviation } from './deviation.ts';
import { gatheredOnce } from './gathered-once.ts';
import { inLanguage } from './texts.ts';
import type { Trial } from './trial.ts';
import { type Ambiente, errorArray } from '../../schemas/messages.ts';
import { validator } from '../../schemas/validate.ts';
import { issuanceCall } from '../../generators/issuance.ts';

/** An application with a company that it may issue for. */
export interface Issuer {
  readonly caller: Caller | ClockedCaller;
  readonly empresaId: string;
}

/** One whose application has a clock of its own. */
export interface ClockedIssuer extends Issuer {
  readonly caller: ClockedCaller;
}

/** An invoice that was issued, and the last answer about it. */
export interface Issued {
  readonly nfeId: string;
  readonly exchange: Exchange;
}

/** The first pause between two queries where each of them is one of few that may be sent. */
const pacedPauseMs = 300;

/** Longest pause between two queries of an invoice that waits. */
const longestPauseMs = 2_000;

/** An issuer whose outcomes come as soon as they can be seen: on a clock of its own where there is a control API. */
export async function issuerOf(t: Trial, wish?: ApplicationWish): Promise<Issuer> {
  if (!t.target.address.control) return withEmpresa(t, await t.caller());
  return withEmpresa(t, await (wish ? t.target.clockedCaller(wish) : t.clockedCaller()));
}

/** Whether there is a second company: one that can be made, or that was registered since a clause that is asked for needs it. */
export function hasOtherEmpresa({ target }: Trial): boolean {
  const { control, empresas } = target.address;
  return target.missing('other-empresa') === undefined && (control ?? empresas?.other) !== undefined;
}

/** That caller with a company of the profile. Throws a NotExercised where the target refuses the company. */
export async function withEmpresa<One extends Caller>(
  t: Trial,
  caller: One,
  name: EmpresaName = 'own',
): Promise<{ readonly caller: One; readonly empresaId: string }> {
  return { caller, empresaId: usableEmpresaId(await empresaOf(t, caller, name)) };
}

/** What came of registering a company of the profile for that caller: once for all checks that call as it. */
export async function empresaOf(t: Trial, caller: Caller, name: EmpresaName = 'own'): Promise<RegisteredEmpresa> {
  if (!caller.isCommon) return t.empresa(caller, name);
  const empresa = await commonEmpresa(t, caller, name);
  // A first answer may have been lost on the way, and what it told of be there: who comes next is to be somebody else.
  if (empresa.refusal !== undefined) t.renewCaller();
  return empresa;
}

const commonEmpresa = gatheredOnce(
  'company',
  (t, caller: Caller, name: EmpresaName) => t.empresa(caller, name),
  ({ refusal }) => refusal === undefined,
);

/** Sends the profile's certificate for a company that has one, whatever comes of it. */
export function sendCertificateAnew(t: Trial, { caller, empresaId }: Issuer): Promise<Exchange> {
  const { profile } = t.target;
  const [form, certificate] = [profile.certificado, profile.bytes('certificado.pfx')];
  if (!form || !certificate) throw new NotExercised('the profile has no certificado.pfx', 'settings');
  return sendCertificate((call) => t.send(caller, call), empresaId, certificate, form);
}

/** Associates the profile's certificate with a company that has one; throws a NotExercised where the target does not take it. */
export async function certifyAnew(t: Trial, issuer: Issuer): Promise<void> {
  const exchange = await sendCertificateAnew(t, issuer);
  if (!isSuccess(exchange)) throw bodyRefused("the profile's certificado.pfx", exchange);
}

/** An issuer with a new secret. */
export async function rotated(t: Trial, { caller, empresaId }: ClockedIssuer): Promise<ClockedIssuer> {
  return { empresaId, caller: { ...caller, ...(await t.target.rotate(caller)) } };
}

/** Disables an application for a moment, in which it calls. */
export async function disabledForAMoment(t: Trial, caller: ClockedCaller): Promise<void> {
  await t.send(await t.target.change(caller, { state: 'disabled' }), echoCall('disabled for a moment'));
  await t.target.change(caller, { state: 'active' });
}

/** A body of the profile. */
export function bodyOf(t: Trial, file: BodyFile): JsonObject {
  const body = t.target.profile.json(file);
  if (!body) throw new NotExercised(`the profile has no ${file}`, 'settings');
  return body;
}

/** Has the tax authority decide so for an application, where the outcome is not the body's own. */
export async function steerTo(t: Trial, { caller }: Issuer, outcome: NfeOutcome | undefined): Promise<void> {
  if (t.target.address.isSteered && outcome !== undefined) await t.target.steer(caller, { issuance: { outcome } });
}

/** What an issuance is sent with. */
interface IssuanceWish {
  /** A fresh one when absent. */
  readonly nfeId?: string | undefined;
  /** How it is to end; authorised when absent. */
  readonly outcome?: NfeOutcome;
  /** The body of the profile; the one that ends so when absent. */
  readonly file?: BodyFile;
  /** Homologacao when absent. */
  readonly ambienteEmissao?: Ambiente;
  readonly language?: Language | undefined;
}

/** Sends a body of the profile as an issuance, whatever comes of it. */
export function sendIssuance(t: Trial, issuer: Issuer, wish: IssuanceWish = {}): Promise<Exchange> {
  const { outcome = 'Autorizada', file = fileEndingAs(outcome), nfeId = freshId(), language } = wish;
  const { ambienteEmissao = 'Homologacao' } = wish;
  const call = issuanceCall(issuer.empresaId, bodyOf(t, file), { id: nfeId, ambienteEmissao });
  issuedIn.set(issuer.empresaId, [...(issuedIn.get(issuer.empresaId) ?? []), nfeId]);
  return t.send(issuer.caller, inLanguage(call, 'Accept-Language', language));
}

/** The ids under which an issuance of each company was sent, oldest first. */
const issuedIn = new Map<string, readonly string[]>();

/** How many issuances of its company have been sent since an invoice was issued. */
export function issuedSince({ empresaId }: Issuer, nfeId: string): number {
  const ids = issuedIn.get(empresaId) ?? [];
  return ids.length - 1 - ids.lastIndexOf(nfeId);
}

/** Issues by a body of the profile; throws a NotExercised where the target does not accept it. */
export async function issue(t: Trial, issuer: Issuer, wish: Omit<IssuanceWish, 'file'> = {}): Promise<Issued> {
  const { nfeId = freshId(), outcome = 'Autorizada' } = wish;
  await steerTo(t, issuer, outcome);
  const exchange = await sendIssuance(t, issuer, { ...wish, nfeId });
  return accepted(t, fileEndingAs(outcome), { nfeId, exchange });
}

/**
 * Issues under an id of that shape that nobody has used. Where it is refused, and the same invoice under a usual id is not, the target is
 * wrong about a plain id; ids of unusual shape may be refused, and prove nothing then.
 */
export async function issueUnder(t: Trial, issuer: Issuer, shape: string): Promise<Issued> {
  const nfeId = freshId(shape);
  await steerTo(t, issuer, 'Autorizada');
  const exchange = await sendIssuance(t, issuer, { nfeId });
  if (isSuccess(exchange)) return { nfeId, exchange };
  const usual = await issue(t, issuer);
  if (!isPlainNfeId(nfeId)) throw new LeftOut(`the id ${nfeId}, of unusual shape, was refused: ${briefly(exchange)}`);
  const hint =
    'an id is any text of the integrator: numbers and words that mean something elsewhere are ids like any other';
  throw new Deviation({
    expected: `the id ${nfeId} accepted, as ${usual.nfeId} is`,
    actual: briefly(exchange),
    hint: (await cameTwice(t, issuer, nfeId)) ?? hint,
  });
}

/** The hint where an issuance under a fresh id was refused though its invoice is there. Section 4.1, endpoint 5. */
export async function cameTwice(t: Trial, issuer: Issuer, nfeId: string): Promise<string | undefined> {
  const hint =
    'the invoice is there all the same: the request came to the service twice, as where a proxy sends one again whose answer was late';
  return isSuccess(await query(t, issuer, nfeId)) ? hint : undefined;
}

/**
 * What was issued by that body; throws a NotExercised where the target did not accept it. Where a control API decides, the profile
 * was tried before: what it is refused for is the target's.
 */
export function accepted({ target }: Trial, file: BodyFile, issued: Issued): Issued {
  if (isSuccess(issued.exchange)) return issued;
  const refusal = bodyRefused(`the profile's ${file}`, issued.exchange);
  throw target.address.control ? new NotExercised(refusal.message, 'target') : refusal;
}

/** How often each state of an invoice was told in answer to a query, by path and state. */
const timesTold = new Map<string, number>();

/** Queries an invoice. */
export async function query(
  t: Trial,
  { caller, empresaId }: Issuer,
  nfeId: string,
  language?: Language,
  header = 'Accept-Language',
): Promise<Exchange> {
  const call = pathCall('nfe-query', { empresaId, nfeId });
  const exchange = await t.send(caller, inLanguage(call, header, language));
  const told = `${call.path} ${statusOf(exchange)}`;
  timesTold.set(told, (timesTold.get(told) ?? 0) + 1);
  return exchange;
}

/** Queries an invoice until so many queries have told its state: where manners are asked for, those of other checks count. */
export async function queryOften(t: Trial, issuer: Issuer, nfeId: string, state: string, times: number): Promise<void> {
  const { path } = pathCall('nfe-query', { empresaId: issuer.empresaId, nfeId });
  const known = t.target.address.maxRps > 0 ? (timesTold.get(`${path} ${state}`) ?? 0) : 0;
  for (let asked = known; asked < times; asked++) await query(t, issuer, nfeId);
}

/** Cancels an invoice. */
export function cancel(t: Trial, { caller, empresaId }: Issuer, nfeId: string, language?: Language): Promise<Exchange> {
  return t.send(caller, inLanguage(pathCall('nfe-cancellation', { empresaId, nfeId }), 'Accept-Language', language));
}

/** Issues and waits for the outcome that the profile promises; throws a NotExercised where another comes, or none in time. */
export async function issueSettled(
  t: Trial,
  issuer: Issuer,
  outcome: NfeOutcome = 'Autorizada',
  ambienteEmissao: Ambiente = 'Homologacao',
): Promise<Issued> {
  const { nfeId } = await issue(t, issuer, { outcome, ambienteEmissao });
  const exchange = await queryWhenSettled(t, issuer, nfeId);
  return { nfeId, exchange: await endedAs(t, issuer, nfeId, outcome, exchange) };
}

/**
 * The answer to a query that tells this outcome. Where it tells another state the invoice is queried once more: of one that is now
 * in this state and now in that the judge knows whose fault it is, and it is not the profile's.
 */
export async function endedAs(
  t: Trial,
  issuer: Issuer,
  nfeId: string,
  outcome: NfeOutcome,
  exchange: Exchange,
): Promise<Exchange> {
  if (statusOf(exchange) === outcome) return exchange;
  const again = await query(t, issuer, nfeId);
  if (statusOf(again) === outcome) return again;
  throw endedOtherwise(outcome, again);
}

/** The file of the profile whose invoice is promised to end so. */
export function fileEndingAs(outcome: NfeOutcome): BodyFile {
  return outcome === 'Autorizada' ? 'nf-e.autorizada.json' : 'nf-e.negada.json';
}

/** That an invoice did not end as promised: the profile's fault where it ended at all, the target's where it has no state. */
export function endedOtherwise(outcome: NfeOutcome, exchange: Exchange): NotExercised {
  const status = statusOf(exchange);
  return new NotExercised(
    `the profile's ${fileEndingAs(outcome)} was to end as ${outcome}, and is ${status ?? briefly(exchange)}`,
    nfeStates.some((state) => state === status) ? 'settings' : 'target',
  );
}

/** The first answer to a query that no longer says that the invoice waits; the last one when time is up. */
export async function queryWhenSettled(t: Trial, issuer: Issuer, nfeId: string): Promise<Exchange> {
  const { caller } = issuer;
  if ('advance' in caller) {
    await caller.advance(0);
    return query(t, issuer, nfeId);
  }
  return queryUntil(t, issuer, nfeId, (status) => status !== 'AguardandoAutorizacao');
}

/** Queries until the status is as wanted; the last answer when the time for that is up. */
export function queryUntil(
  t: Trial,
  issuer: Issuer,
  nfeId: string,
  isWanted: (status: string | undefined) => boolean,
  kind: 'settlement' | 'cancellation' = 'settlement',
): Promise<Exchange> {
  const isPaced = t.target.address.maxRps > 0;
  const wait = { kind, firstPauseMs: isPaced ? pacedPauseMs : 10, longestPauseMs };
  return t.awaits(
    wait,
    () => query(t, issuer, nfeId),
    (exchange) => isWanted(statusOf(exchange)),
  );
}

/** The status that a query tells; `undefined` for none. */
export function statusOf(exchange: Exchange): string | undefined {
  const status = member(jsonBody(exchange), 'status');
  return typeof status === 'string' ? status : undefined;
}

/** What a query tells of an invoice: its status, or else its answer in short. Section 4.1. */
export function toldStatus(exchange: Exchange): string {
  const status = statusOf(exchange);
  return status === undefined ? summary(exchange) : `status ${status}`;
}

/** `linkDanfe` of an invoice object. Section 4.1. */
export function danfeLinkOf(exchange: Exchange): unknown {
  return member(jsonBody(exchange), 'linkDanfe');
}

/** The link to the XML of an invoice object. Section 4.1. */
export function xmlLinkOf(exchange: Exchange): string | undefined {
  return xmlLinkIn(jsonBody(exchange));
}

/**
 * Follows a link that is alive. Fails where nothing answers at the target's own host, or at this machine, where nobody else would be
 * served; throws a NotExercised where nothing does elsewhere: a firewall of ours may be why.
 */
export async function followed(t: Trial, link: string): Promise<Exchange> {
  const { hostname, host } = new URL(link);
  if (hostname !== new URL(t.target.address.baseUrl).hostname && !isOfThisMachine(hostname)) return downloaded(t, link);
  const exchange = await t.download(link);
  const actual = summary(exchange);
  t.holds(exchange.response !== undefined, { expected: `an answer at ${host}`, actual, restsOnTime: true });
  return exchange;
}

function isOfThisMachine(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.') || hostname === '0.0.0.0';
}

/** Follows a link for what stands behind it; throws a NotExercised where nothing answers there. */
export async function downloaded(t: Trial, link: string): Promise<Exchange> {
  const exchange = await t.download(link);
  if (exchange.response) return exchange;
  throw new NotExercised(`nothing answers at ${new URL(link).host}, where the link leads: ${summary(exchange)}`);
}

/** Whether a request was accepted, by its status. */
export function isSuccess({ response }: Exchange): boolean {
  return response !== undefined && response.status >= 200 && response.status < 300;
}

const faultsOfArray = validator(errorArray);

/** Fails unless issuance, query or cancellation refused with 400 or 404; the shape of the refusal has clauses of its own. */
export function isRefusedByEndpoint(t: Trial, exchange: Exchange, hint?: string): void {
  refusedByEndpoint(t, exchange, '400 or 404', hint);
}

/** Fails unless issuance took what may be taken or not, or refused it with 400 or 404. */
export function isTakenOrRefusedByEndpoint(t: Trial, exchange: Exchange, hint: string): void {
  if (!isSuccess(exchange)) refusedByEndpoint(t, exchange, '200, 400 or 404', hint);
}

function refusedByEndpoint(t: Trial, exchange: Exchange, expected: string, hint?: string): void {
  const status = exchange.response?.status;
  const actual = summary(exchange);
  t.holds(status === 400 || status === 404, { expected, actual, ...(hint === undefined ? {} : { hint }) });
}

/** Fails unless it refused with 400 or 404 and an array of objects with `codigo` and `mensagem`. Section 7.3. */
export function isRefusedWithArray(t: Trial, exchange: Exchange): void {
  isRefusedByEndpoint(t, exchange);
  const faults = faultsOfArray(jsonBody(exchange));
  t.holds(faults.length === 0, {
    expected: 'an array of objects with codigo and mensagem',
    actual: jsonBody(exchange) === undefined ? notJsonIn(exchange) : faults.join('; '),
  });
}
