import { dirname } from 'node:path';
import type { Exchange } from '../../trace/exchange.ts';
import { sendRegistration, type EmpresaName } from '../../targets/empresa.ts';
import type { ProfileFile } from '../../targets/profile.ts';
import { classOf } from '../../runner/preflight/profile-tries.ts';
import { bodiesIn, withoutDoubles, type BodyCandidate, type Candidate } from './candidates.ts';
import { findCertificate, uploadsIn, type TakenUpload, type Upload } from './certificates.ts';
import { answered, gathered, limits, together, type Gathered, type Search, type SoughtFile } from './search.ts';

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
  { acting, spent, tell }: Search,
  file: ProfileFile,
  candidate: BodyCandidate,
): Promise<Registered | undefined> {
  const { registration: exchange, empresaId } = await sendRegistration(acting.send, candidate.body);
  // Whatever is not plainly refused may have left something.
  if (classOf(exchange) !== 'refused') spent.companies += 1;
  tell(file, empresaId === undefined ? 'warning' : 'ok', answered(candidate.from, exchange));
  return empresaId === undefined ? undefined : { candidate, exchange, empresaId };
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
      ? { file: body, proven: { ...registered, proved: 'registers a company', needs } }
      : { file: body, why: why ?? lastWord(body) },
    certified(certificate, upload?.pfx, 'is taken for that company'),
    ...(isFormWanted ? [certified('certificado.json', upload?.form, 'is how the certificate is uploaded')] : []),
  ]);
}
