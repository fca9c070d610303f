import { dirname, join } from 'node:path';
import type { Exchange } from '../../trace/exchange.ts';
import { sendRegistration, type EmpresaName, sendCertificate } from '../../targets/empresa.ts';
import type { ProfileFile, Certificado, Profile } from '../../targets/profile.ts';
import { classOf } from '../../runner/preflight/profile-tries.ts';
import {
  bodiesIn,
  withoutDoubles,
  type BodyCandidate,
  type Candidate,
  formIn,
  jsonBytes,
  type FormCandidate,
  answered,
  gathered,
  limits,
  together,
  type Gathered,
  type Search,
  type SoughtFile,
  judged,
  mostUploads,
} from './search.ts';

/** What was found of companies, and the one that invoices can be issued for. */
export interface FoundCompanies extends Gathered {
  readonly empresaId?: string;
}

const parts = {
  own: { body: 'empresa.json', certificate: 'certificado.pfx', needs: ['empresa', 'empresa-registration'] },
  other: { body: 'outra-empresa.json', certificate: 'outro-certificado.pfx', needs: ['other-empresa'] },
} as const;

/** Finds bodies that register two companies, and certificates that the target takes for them. Endpoints 2 and 3. */
export async function findCompanies(search: Search): Promise<FoundCompanies> {
  const given = search.address.control ? undefined : search.address.empresas?.own?.empresaId;
  // One is left for the second.
  const most = limits.companies - 1;
  const uploadsOf = ({ from }: BodyCandidate): Upload[] => uploadsIn(search.sources, 'certificado.pfx', dirname(from));
  const own = given === undefined ? await findCompany(search, 'own', most, uploadsOf) : {};
  const empresaId = given ?? (own.upload && own.registered?.empresaId);
  const uploads = empresaId === undefined ? [] : uploadsOfOther(search, own.upload);
  const other = uploads.length === 0 ? {} : await findCompany(search, 'other', limits.companies, () => uploads);
  const why = empresaId === undefined ? 'a second company is only tried beside a first one' : undefined;
  const found = together([
    ...(given === undefined ? [filesOf(search, 'own', own, true)] : []),
    filesOf(search, 'other', other, given !== undefined, why),
  ]);
  return { ...found, ...(empresaId === undefined ? {} : { empresaId }) };
}

/** The certificates of a second company, by the way that the first one's went where that is known; that very one at last. */
function uploadsOfOther({ sources }: Search, known: Upload | undefined): Upload[] {
  const uploads = uploadsIn(sources, 'outro-certificado.pfx');
  if (!known) return uploads;
  const pfxs = withoutDoubles([...uploads.map(({ pfx }) => pfx), known.pfx]);
  return pfxs.map((pfx) => ({ pfx, form: known.form }));
}

interface Registered {
  readonly candidate: BodyCandidate;
  readonly exchange: Exchange;
  readonly empresaId: string;
  /** Whether an earlier run had it registered, so that this registration was refused. */
  readonly isThere: boolean;
}

/** A company that was registered, and its certificate where one was taken. */
interface Company {
  readonly registered?: Registered;
  readonly upload?: TakenUpload;
}

/** The first company that comes with a certificate, or else the first that is registered at all. */
async function findCompany(
  search: Search,
  name: EmpresaName,
  most: number,
  uploadsOf: (candidate: BodyCandidate) => readonly Upload[],
): Promise<Company> {
  const { body, certificate } = parts[name];
  let first: Registered | undefined;
  for (const candidate of bodiesIn(search.sources, body)) {
    if (search.spent.companies >= most) break;
    const registered = await register(search, body, candidate);
    if (!registered) continue;
    const upload = await findCertificate(search, registered.empresaId, certificate, uploadsOf(candidate));
    if (upload) return { registered, upload };
    first ??= registered;
  }
  return first ? { registered: first } : {};
}

/** Registers a company, if the target takes that body and says which id it has. */
async function register(
  { acting, spent, memory, tell }: Search,
  file: ProfileFile,
  candidate: BodyCandidate,
): Promise<Registered | undefined> {
  const { registration: exchange, empresaId } = await sendRegistration(acting.send, candidate.body, memory);
  // Whatever is not plainly refused may have left something.
  if (classOf(exchange) !== 'refused') spent.companies += 1;
  const isThere = empresaId !== undefined && classOf(exchange) === 'refused';
  const before = isThere ? `; it is there from an earlier run (${empresaId})` : '';
  tell(file, empresaId === undefined ? 'warning' : 'ok', `${answered(candidate.from, exchange)}${before}`);
  return empresaId === undefined ? undefined : { candidate, exchange, empresaId, isThere };
}

/** What a company adds to the profile; the way of the upload is told once. */
function filesOf(
  { lastWord }: Search,
  name: EmpresaName,
  company: Company,
  isFormWanted: boolean,
  why?: string,
): Gathered {
  const { body, certificate, needs: all } = parts[name];
  const { registered, upload } = company;
  const needs = upload ? all : [];
  const lack = why ?? (registered ? lastWord(certificate) : 'no company was registered for it');
  const certified = (file: ProfileFile, candidate: Candidate | undefined, proved: string): SoughtFile =>
    upload && candidate ? { file, proven: { ...upload, candidate, proved, needs } } : { file, why: lack };
  return gathered([
    registered
      ? {
          file: body,
          proven: {
            ...registered,
            proved: registered.isThere ? 'registered a company before' : 'registers a company',
            needs,
          },
        }
      : { file: body, why: why ?? lastWord(body) },
    certified(certificate, upload?.pfx, 'is taken for that company'),
    ...(isFormWanted ? [certified('certificado.json', upload?.form, 'is how the certificate is uploaded')] : []),
  ]);
}

/** A certificate and a way to upload it. */
interface Upload {
  readonly pfx: Candidate;
  readonly form: FormCandidate;
}

/** An upload that the target took, with its answer. */
interface TakenUpload extends Upload {
  readonly exchange: Exchange;
}

/** Name of a file with a certificate. */
type CertificateFile = 'certificado.pfx' | 'outro-certificado.pfx';

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
