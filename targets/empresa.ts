import { quotedOf, type Exchange, jsonOf } from '../trace/exchange.ts';
import { randomBytes } from 'node:crypto';
import { endpoint, fillPath } from '../contract/endpoints.ts';
import { isOfWay } from '../contract/values.ts';
import type { Call } from '../contract/request.ts';
import { member, type JsonObject } from '../schemas/values.ts';
import { NotExercised } from './not-exercised.ts';
import { type Certificado, type Profile, webhookBody } from './profile.ts';

/** Statuses that the gateway answers with before it reads a body: no other body mends that. Section 7.1. */
export const beforeBody: ReadonlySet<number> = new Set([401, 410, 429]);

/** What is told of a refusal in which no body had a part; `undefined` of any other answer. */
export function refusedBeforeBody({ response, isResent }: Exchange): string | undefined {
  // What came first may have been taken: no body mends that either.
  if (response && isResent)
    return `the first answer was lost on the way; the second one: ${response.status}: ${quotedOf(response)}`;
  if (!response || !beforeBody.has(response.status)) return undefined;
  return `a correct request was refused before its body was read: ${response.status}: ${quotedOf(response)}`;
}

/** What is told where the service itself fails at a part of the profile, which no other one mends; `undefined` of any other answer. Section 7.1. */
export function failedAt(file: string, { response }: Exchange, answer: string): string | undefined {
  return response?.status === 500 ? `the service fails at the profile's ${file}: ${answer}` : undefined;
}

/** Sends a call as the application that the company is to belong to. */
export type SendCall = (call: Call) => Promise<Exchange>;

/**
 * What comes of a registration. One that is refused, by whomever, or failed at, is asked for once more as it is: what is accepted then was
 * right, and refused by chance, which is the target's and not the profile's. Sections 4 and 4.1, endpoints 2 to 4.
 */
export async function askedAgain(ask: () => Promise<Exchange>): Promise<Exchange> {
  const first = await ask();
  const { status = 0 } = first.response ?? {};
  if (status < 400 || isOfWay(status) || first.isResent) return first;
  const second = await ask();
  return isSuccess(second) ? second : first;
}

/** Whether an answer is the endpoint's refusal of what it read. */
function isRefusedByEndpoint({ response }: Exchange): boolean {
  return (
    !!response && response.status >= 400 && response.status < 500 && ![403, ...beforeBody].includes(response.status)
  );
}

/** The companies that were registered at a target before, by what they were registered with. */
export interface EmpresaMemory {
  readonly recall: (body: JsonObject) => string | undefined;
  readonly keep: (body: JsonObject, empresaId: string) => void;
}

/** Which company of the profile, with the files that describe it. */
const companies = {
  own: { body: 'empresa.json', certificate: 'certificado.pfx' },
  other: { body: 'outra-empresa.json', certificate: 'outro-certificado.pfx' },
} as const;

export type EmpresaName = keyof typeof companies;

/** What came of registering a company and associating its certificate. */
export interface RegisteredEmpresa {
  /** Absent where the settings name the company; refused where it was registered by an earlier run. */
  readonly registration?: Exchange;
  /** Absent where there was no `empresaId` to address, too. */
  readonly association?: Exchange;
  readonly empresaId?: string;
  /** Why it can't be used, in one sentence. */
  readonly refusal?: string;
}

/**
 * Registers a company of a profile and associates its certificate; one that is refused is the one that is remembered, if its
 * certificate is taken. Throws a NotExercised where the profile lacks a file. Sections 4 and 4.1, endpoints 2 and 3.
 */
export async function registerEmpresa(
  send: SendCall,
  profile: Profile,
  name: EmpresaName = 'own',
  memory?: EmpresaMemory,
): Promise<RegisteredEmpresa> {
  const { body, certificate } = companies[name];
  const { registration, empresaId } = await sendRegistration(send, present(profile.json(body), body), memory);
  if (empresaId === undefined) {
    const refusal = isSuccess(registration)
      ? 'the answer to a registration names no company'
      : refused(body, registration);
    return { registration, refusal };
  }
  const form = present(profile.certificado, 'certificado.json');
  const association = await sendCertificate(send, empresaId, present(profile.bytes(certificate), certificate), form);
  const found = { registration, association, empresaId };
  if (isSuccess(association)) return found;
  if (!isSuccess(registration)) return { registration, refusal: refused(body, registration) };
  if (!isForgotten(found)) return { ...found, refusal: refused(certificate, association) };
  const refusal = `the target finds nothing under the empresaId that it gave: ${answerOf(association)}`;
  return { ...found, refusal };
}

/** Whether a target finds no company where a registration of this run says that there is one: no profile mends that. Section 2.2. */
export function isForgotten({ registration, association }: RegisteredEmpresa): boolean {
  return registration !== undefined && isSuccess(registration) && association?.response?.status === 404;
}

/** Registers a company of that body; `empresaId` where the answer has one, or a refused one is remembered. Section 4, endpoint 2. */
export async function sendRegistration(
  send: SendCall,
  body: JsonObject,
  memory?: EmpresaMemory,
): Promise<{ readonly registration: Exchange; readonly empresaId: string | undefined }> {
  const { method, path } = endpoint('empresa-registration');
  const rawBody = Buffer.from(JSON.stringify(body), 'utf8');
  const registration = await askedAgain(() => send({ method, path, contentType: 'application/json', rawBody }));
  const empresaId = empresaIdOf(registration);
  if (empresaId !== undefined) memory?.keep(body, empresaId);
  const isThere = empresaId === undefined && isRefusedByEndpoint(registration);
  return { registration, empresaId: isThere ? memory?.recall(body) : empresaId };
}

/**
 * Associates a certificate with a company: a multipart upload of the file and of the fields of its form. One whose answer is lost is sent once
 * more: it is the same certificate. Endpoint 3.
 */
export async function sendCertificate(
  send: SendCall,
  empresaId: string,
  certificate: Buffer,
  { file, fields }: Certificado,
): Promise<Exchange> {
  const { method, path } = endpoint('certificado-association');
  const boundary = `nfe-${randomBytes(16).toString('hex')}`;
  const part = (headers: string, content: Buffer | string): Buffer[] => [
    Buffer.from(`--${boundary}\r\n${headers}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ];
  const disposition = (name: string): string => `Content-Disposition: form-data; name="${name}"`;
  const upload = `${disposition(file)}; filename="certificado.pfx"\r\nContent-Type: application/x-pkcs12`;
  const rawBody = Buffer.concat([
    ...part(upload, certificate),
    ...Object.entries(fields).flatMap(([name, text]) => part(disposition(name), text)),
    Buffer.from(`--${boundary}--\r\n`),
  ]);
  const contentType = `multipart/form-data; boundary=${boundary}`;
  const call = { method, path: fillPath(path, { empresaId }), contentType, rawBody };
  const association = await askedAgain(() => send(call));
  return association.response ? association : send(call);
}

/** The `empresaId` of a company that is ready to issue; throws a NotExercised where it is not. */
export function usableEmpresaId({ empresaId, refusal }: RegisteredEmpresa): string {
  if (empresaId === undefined || refusal !== undefined)
    throw new NotExercised(refusal ?? 'needs a company: none was registered');
  return empresaId;
}

/** A company whose exchanges travelled to another thread, where their bodies lost what Buffers can do. */
export function revivedEmpresa({ registration, association, ...rest }: RegisteredEmpresa): RegisteredEmpresa {
  return {
    ...rest,
    ...(registration ? { registration: revivedExchange(registration) } : {}),
    ...(association ? { association: revivedExchange(association) } : {}),
  };
}

/** An exchange that travelled to another thread, its bodies Buffers again. */
export function revivedExchange({ request, response, ...rest }: Exchange): Exchange {
  const { rawBody, parts } = request;
  return {
    ...rest,
    request: {
      ...request,
      ...(rawBody ? { rawBody: Buffer.from(rawBody) } : {}),
      parts: { ...parts, body: Buffer.from(parts.body) },
    },
    ...(response ? { response: { ...response, rawBody: Buffer.from(response.rawBody) } } : {}),
  };
}

function present<T>(value: T | undefined, file: string): T {
  if (value === undefined) throw new NotExercised(`needs a company: the profile has no ${file}`, 'settings');
  return value;
}

function isSuccess({ response }: Exchange): boolean {
  return response !== undefined && response.status >= 200 && response.status < 300;
}

/**
 * The `empresaId` of a registration's answer, be it in an envelope: that is wrong, and told, but says which company it is. `undefined` where
 * there is no such text.
 */
function empresaIdOf(exchange: Exchange): string | undefined {
  if (!isSuccess(exchange)) return undefined;
  const body = exchange.response && jsonOf(exchange.response);
  const ids = [member(body, 'empresaId'), member(body, 'data', 'empresaId')];
  return ids.find((id) => typeof id === 'string');
}

function answerOf({ response, error }: Exchange): string {
  return response ? `HTTP ${response.status}: ${quotedOf(response)}` : String(error);
}

function refused(file: string, exchange: Exchange): string {
  const answer = answerOf(exchange);
  return (
    refusedBeforeBody(exchange) ?? failedAt(file, exchange, answer) ?? `the profile's ${file} was refused: ${answer}`
  );
}

/** What came of registering an address for callbacks. */
interface RegisteredWebhook {
  readonly exchange: Exchange;
  /** Why it is not registered, in one sentence. */
  readonly refusal?: string;
}

/** Registers an address for issuance callbacks. Section 4.1, endpoint 4. */
export async function registerWebhook(
  send: SendCall,
  fields: { readonly uri: string; readonly token: string },
): Promise<RegisteredWebhook> {
  const { method, path } = endpoint('webhook-registration');
  const rawBody = Buffer.from(JSON.stringify(webhookBody(fields)), 'utf8');
  const exchange = await askedAgain(() => send({ method, path, contentType: 'application/json', rawBody }));
  const { response, error } = exchange;
  if (response && response.status >= 200 && response.status < 300) return { exchange };
  const answer = response ? `HTTP ${response.status}` : String(error);
  return { exchange, refusal: `the address for callbacks was not registered: ${answer}` };
}
