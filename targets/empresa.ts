import { randomBytes } from 'node:crypto';
import { endpoint, fillPath } from '../contract/endpoints.ts';
import type { Call } from '../contract/request.ts';
import type { Exchange } from '../client/transport.ts';
import { NotExercised } from './not-exercised.ts';
import type { Profile } from './profile.ts';

/** Sends a call as the application that the company is to belong to. */
export type SendCall = (call: Call) => Promise<Exchange>;

/**
 * Registers the company of a profile and associates its certificate; gives its `empresaId`. Throws a NotExercised where the
 * profile lacks a file or the target refuses what it says. Sections 4 and 4.1, endpoints 2 and 3.
 */
export async function registerEmpresa(send: SendCall, profile: Profile): Promise<string> {
  const registered = await send(registrationCall(profile));
  const empresaId = empresaIdOf(registered);
  if (empresaId === undefined) throw refused('empresa.json', registered);
  const associated = await send(associationCall(profile, empresaId));
  if (!isSuccess(associated)) throw refused('certificado.pfx', associated);
  return empresaId;
}

function registrationCall(profile: Profile): Call {
  const { method, path } = endpoint('empresa-registration');
  const rawBody = Buffer.from(JSON.stringify(present(profile.json('empresa.json'), 'empresa.json')), 'utf8');
  return { method, path, contentType: 'application/json', rawBody };
}

/** A multipart upload: the certificate, and the fields that `certificado.json` names. */
function associationCall(profile: Profile, empresaId: string): Call {
  const { method, path } = endpoint('certificado-association');
  const { file, fields } = present(profile.certificado, 'certificado.json');
  const boundary = `nfe-${randomBytes(16).toString('hex')}`;
  const part = (headers: string, content: Buffer | string): Buffer[] => [
    Buffer.from(`--${boundary}\r\n${headers}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ];
  const disposition = (name: string): string => `Content-Disposition: form-data; name="${name}"`;
  const upload = `${disposition(file)}; filename="certificado.pfx"\r\nContent-Type: application/x-pkcs12`;
  const rawBody = Buffer.concat([
    ...part(upload, present(profile.bytes('certificado.pfx'), 'certificado.pfx')),
    ...Object.entries(fields).flatMap(([name, text]) => part(disposition(name), text)),
    Buffer.from(`--${boundary}--\r\n`),
  ]);
  return {
    method,
    path: fillPath(path, { empresaId }),
    contentType: `multipart/form-data; boundary=${boundary}`,
    rawBody,
  };
}

function present<T>(value: T | undefined, file: string): T {
  if (value === undefined) throw new NotExercised(`needs a company: the profile has no ${file}`);
  return value;
}

function isSuccess({ response }: Exchange): boolean {
  return response !== undefined && response.status >= 200 && response.status < 300;
}

/** The `empresaId` of a registration's answer; `undefined` where it is no JSON object with such a text. */
function empresaIdOf(exchange: Exchange): string | undefined {
  if (!isSuccess(exchange)) return undefined;
  try {
    const body: unknown = JSON.parse(exchange.response?.rawBody.toString('utf8') ?? '');
    const hasId = typeof body === 'object' && body !== null && 'empresaId' in body;
    return hasId && typeof body.empresaId === 'string' ? body.empresaId : undefined;
  } catch {
    return undefined;
  }
}

function refused(file: string, { response, error }: Exchange): NotExercised {
  const answer = response
    ? `HTTP ${response.status}: ${response.rawBody.toString('utf8').slice(0, 300)}`
    : String(error);
  return new NotExercised(`the profile's ${file} was refused: ${answer}`);
}
