import { join } from 'node:path';
import type { Exchange } from '../../trace/exchange.ts';
import { sendCertificate } from '../../targets/empresa.ts';
import type { Certificado, Profile } from '../../targets/profile.ts';
import { formIn, jsonBytes, type Candidate, type FormCandidate } from './candidates.ts';
import { answered, judged, mostUploads, type Search } from './search.ts';

/** A certificate and a way to upload it. */
export interface Upload {
  readonly pfx: Candidate;
  readonly form: FormCandidate;
}

/** An upload that the target took, with its answer. */
export interface TakenUpload extends Upload {
  readonly exchange: Exchange;
}

/** Name of a file with a certificate. */
export type CertificateFile = 'certificado.pfx' | 'outro-certificado.pfx';

/** The first upload that the target takes for a company. */
export async function findCertificate(
  { acting, tell }: Search,
  empresaId: string,
  file: CertificateFile,
  uploads: readonly Upload[],
): Promise<TakenUpload | undefined> {
  for (const { pfx, form } of uploads.slice(0, mostUploads)) {
    const exchange = await sendCertificate(acting.send, empresaId, pfx.bytes, form.form);
    const isTaken = judged(exchange) === 'accepted';
    tell(file, isTaken ? 'ok' : 'warning', answered(`${pfx.from} by ${form.from}`, exchange));
    if (isTaken) return { pfx, form, exchange };
  }
  return undefined;
}

/**
 * The uploads that are worth a try, best first: each certificate as its own folder uploads it, the first of them under other
 * usual names, each as the other folders do. The folder that the company came from goes before the others.
 */
export function uploadsIn(sources: readonly Profile[], file: CertificateFile, folderFirst?: string): Upload[] {
  const ordered = sources.toSorted((a, b) => Number(b.folder === folderFirst) - Number(a.folder === folderFirst));
  const pfxs = ordered.flatMap((source) => {
    const bytes = source.bytes(file);
    return bytes ? [{ pfx: { from: join(source.folder, file), bytes }, form: formIn(source) }] : [];
  });
  const own = pfxs.flatMap(({ pfx, form }) => (form ? [{ pfx, form }] : []));
  const forms = ordered.flatMap((source) => formIn(source) ?? []);
  const renamed = own.slice(0, 1).flatMap(({ pfx, form }) => otherForms(form).map((other) => ({ pfx, form: other })));
  const crossed = pfxs.flatMap(({ pfx }) => forms.map((form) => ({ pfx, form })));
  return withoutRepeats([...own, ...renamed, ...crossed]);
}

const partNames = ['arquivo', 'file', 'certificado', 'certificate'];
const passwordNames = ['senha', 'password'];

/** The same upload under the other names that parts and password fields usually have. */
function otherForms({ from, form: { file, fields } }: FormCandidate): FormCandidate[] {
  const password = passwordField(fields);
  const renamed =
    password === undefined ? [undefined] : [password, ...passwordNames.filter((name) => name !== password)];
  return [file, ...partNames.filter((name) => name !== file)].flatMap((part) =>
    renamed.map((name): FormCandidate => {
      const form = { file: part, fields: withPasswordIn(fields, password, name) };
      const names = name === undefined ? part : `${part}, ${name}`;
      return { from: `${from} with the names ${names}`, bytes: jsonBytes(form), form };
    }),
  );
}

/** Which field holds the password: the one that is called so, or the only one. */
function passwordField(fields: Certificado['fields']): string | undefined {
  const names = Object.keys(fields);
  return names.find((name) => /senha|pass|pwd|pin/i.test(name)) ?? (names.length === 1 ? names[0] : undefined);
}

function withPasswordIn(fields: Certificado['fields'], from = '', to = from): Certificado['fields'] {
  return Object.fromEntries(Object.entries(fields).map(([name, text]) => [name === from ? to : name, text]));
}

function withoutRepeats(uploads: readonly Upload[]): Upload[] {
  const key = ({ pfx, form }: Upload): string => pfx.bytes.toString('base64') + JSON.stringify(form.form);
  return uploads.filter((upload, at) => uploads.findIndex((other) => key(other) === key(upload)) === at);
}
