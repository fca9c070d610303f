import { pathCall, xmlCall } from '../../generators/calls.ts';
import { chaveIn } from '../../generators/xml-documents.ts';
import { codeMessage } from '../../schemas/messages.ts';
import { member } from '../../schemas/values.ts';
import { validator } from '../../schemas/validate.ts';
import type { Exchange } from '../../trace/exchange.ts';
import { NotExercised } from '../../targets/not-exercised.ts';
import type { Caller } from '../../targets/applications.ts';
import { issueSettled, xmlLinkOf, type Issuer } from './life-cycle.ts';
import { bodyText, jsonBody, summary } from './reply.ts';
import type { Trial } from './trial.ts';

const faultsOfCodeMessage = validator(codeMessage);

/** A document of the profile; a NotExercised where it has none. */
export function documentOf(t: Trial, file: 'verificacao.autorizada.xml' | 'verificacao.rejeitada.xml'): string {
  const document = t.target.profile.bytes(file)?.toString('utf8');
  if (document === undefined) throw new NotExercised(`the profile has no ${file}`, 'settings');
  return document;
}

/** Has a document verified anew, whatever comes of it; further headers may go with it. */
export function verifyDocument(
  t: Trial,
  caller: Caller,
  document: string | Buffer,
  headers: Headers = [],
): Promise<Exchange> {
  const call = xmlCall('', t.target.address.xmlContentType);
  return t.send(caller, { ...call, rawBody: Buffer.from(document), headers: [forced, ...headers] });
}

export type Headers = NonNullable<ReturnType<typeof xmlCall>['headers']>;

const forced = ['forceRevalidate', 'true'] as const;

/** Looks a chave up. */
export function lookUp(t: Trial, caller: Caller, chave: string): Promise<Exchange> {
  return t.send(caller, pathCall('chave-lookup', { chave }));
}

/** Looks a chave up as one has a document verified anew. */
export function lookUpForced(t: Trial, caller: Caller, chave: string): Promise<Exchange> {
  return t.send(caller, { ...pathCall('chave-lookup', { chave }), headers: [forced] });
}

/** A document of an invoice that this check has issued, with its chave: nobody else's record is touched. */
export async function ownDocument(
  t: Trial,
  issuer: Issuer,
): Promise<{ nfeId: string; document: string; chave: string }> {
  const { nfeId, exchange } = await issueSettled(t, issuer);
  const link = xmlLinkOf(exchange);
  if (link === undefined) throw new NotExercised('the invoice has no link to its XML');
  const download = await t.download(link);
  const document = bodyText(download);
  const chave = chaveIn(document);
  if (chave === undefined) throw new NotExercised(`the XML of the invoice has no chave: ${summary(download)}`);
  return { nfeId, document, chave };
}

/** `validation.validationStatus` of an answer. */
export function validationStatusOf(exchange: Exchange): unknown {
  return member(jsonBody(exchange), 'validation', 'validationStatus');
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
    actual: body === undefined ? 'a body that is no JSON' : faults.join('; '),
  });
}

/** Fails unless the document was taken: 200, whatever the verdict. */
export function isTaken(t: Trial, exchange: Exchange, hint?: string): void {
  t.holds(exchange.response?.status === 200, {
    expected: '200 with a verdict',
    actual: summary(exchange),
    ...(hint === undefined ? {} : { hint }),
  });
}
