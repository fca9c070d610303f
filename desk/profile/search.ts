import type { EmpresaMemory } from '../../targets/empresa.ts';
import type { Exchange } from '../../trace/exchange.ts';
import type { NeedName } from '../../contract/clause.ts';
import type { TargetAddress } from '../../targets/address.ts';
import {
  type Profile,
  type ProfileFile,
  ProfileError,
  type Certificado,
  readProfile,
  type BodyFile,
} from '../../targets/profile.ts';
import type { Acting } from '../../runner/preflight/profile.ts';
import type { Remark } from '../../runner/preflight/finding.ts';
import { classOf, said } from '../../runner/preflight/profile-tries.ts';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Mask } from '../../trace/people/words-mask.ts';
import type { Results } from '../../schemas/results.ts';
import { shortened } from '../../reports/visible.ts';
import { ArgumentError } from '../../runner/command-line/argument-error.ts';
import type { JsonObject } from '../../schemas/values.ts';

/** The most that a search may leave at the target. */
export const limits = { companies: 3, invoices: 8 } as const;
/** The most certificates that are uploaded for one company. */
export const mostUploads = 12;
/** How often a number is drawn anew until one is unknown. */
export const mostDraws = 5;

/** What a search has left at the target so far. */
export type Spent = Record<keyof typeof limits, number>;

/** A part of a profile that the target bore out. */
export interface FoundPart {
  readonly file: ProfileFile;
  /** Which part of the file, where it has several. */
  readonly part?: string;
  readonly from: string;
  /** What it was seen to do. */
  readonly proved: string;
  readonly needs: readonly NeedName[];
  /** HTTP status of the answer that proved it. */
  readonly status: number;
  /** ISO-8601, by this machine's clock. */
  readonly at: string;
}

/** A part of a profile that could not be had: why, and what a person can do about it. */
export interface Lacking {
  readonly file: ProfileFile;
  readonly part?: string;
  readonly why: string;
  readonly todo: string;
}

/** What a search has come to: the contents of the files, what is known of them, and what is not there. */
export interface Gathered {
  readonly files: ReadonlyMap<ProfileFile, Buffer>;
  readonly found: readonly FoundPart[];
  readonly lacking: readonly Lacking[];
}

/** A search for what suits a target. */
export interface Search {
  readonly sources: readonly Profile[];
  readonly address: TargetAddress;
  readonly acting: Acting;
  /** The companies that earlier runs had registered there. */
  readonly memory?: EmpresaMemory;
  readonly spent: Spent;
  /** Says what a try came to, raw. */
  readonly tell: (file: ProfileFile, state: 'ok' | 'warning', text: string) => void;
  /** What was last said of a file. */
  readonly lastWord: (file: ProfileFile) => string;
}

/** Opens a search; what it tells goes to the report. */
export function openSearch(
  given: Pick<Search, 'sources' | 'address' | 'acting' | 'memory'>,
  spent: Spent,
  report: (finding: Remark) => void,
): Search {
  const words = new Map<ProfileFile, string>();
  return {
    ...given,
    spent,
    tell(file, state, text) {
      words.set(file, text);
      report({ state, examined: file, found: text });
    },
    lastWord: (file) => words.get(file) ?? 'there was none to try',
  };
}

/** A file that was sought, and what was found for it. */
export interface SoughtFile {
  readonly file: ProfileFile;
  readonly proven?: Pick<FoundPart, 'proved' | 'needs'> & {
    readonly candidate: Candidate;
    /** The answer that proved it. */
    readonly exchange: Exchange;
  };
  /** Why something is still lacking. */
  readonly why?: string | undefined;
}

/** What came of files that were sought. */
export function gathered(sought: readonly SoughtFile[]): Gathered {
  const proven = sought.flatMap(({ file, proven: one }) => (one ? [{ file, ...one }] : []));
  return {
    files: new Map(proven.map(({ file, candidate }) => [file, candidate.bytes])),
    found: proven.map(({ file, candidate, exchange, proved, needs }) =>
      foundBy(exchange, { file, from: candidate.from, proved, needs }),
    ),
    lacking: sought.flatMap(({ file, why }) => (why === undefined ? [] : [{ file, why, todo: remedyFor(file) }])),
  };
}

/** What came of several searches together. */
export function together(parts: readonly Gathered[]): Gathered {
  return {
    files: new Map(parts.flatMap(({ files }) => [...files])),
    found: parts.flatMap(({ found }) => found),
    lacking: parts.flatMap(({ lacking }) => lacking),
  };
}

/** What is known of a part by the answer that proved it. */
export function foundBy(
  exchange: Exchange,
  { file, from, proved, needs, part }: Omit<FoundPart, 'status' | 'at'>,
): FoundPart {
  const status = exchange.response?.status ?? 0;
  return { file, ...(part === undefined ? {} : { part }), from, proved, needs, status, at: new Date().toISOString() };
}

const barred = new Set([401, 403, 410, 429]);

/** What an answer says of what was sent: taken, refused for what it holds, or nothing, since the gateway barred it or broke. */
export function judged(exchange: Exchange): ReturnType<typeof classOf> {
  return barred.has(exchange.response?.status ?? 0) ? 'broken' : classOf(exchange);
}

/** The answer in words, behind where the body came from. */
export function answered(from: string, exchange: Exchange): string {
  return `${from}: ${judged(exchange) === 'accepted' ? 'taken' : 'not taken'}: ${said(exchange)}`;
}

/** What a person can do to have a part of a profile that could not be found: these are facts that no trying finds out. */
const remedies: Readonly<Record<ProfileFile, string>> = {
  'empresa.json':
    'ask the provider which fields a registration takes and give such a body by --from; where the company was registered before, NFE_EMPRESA_ID names it',
  'certificado.pfx':
    'give an A1 certificate (PKCS#12) of the CNPJ in empresa.json by --from, with its certificado.json',
  'certificado.json': 'ask the provider how the parts of the upload are named: {"file": …, "fields": {…}}',
  'nf-e.autorizada.json':
    'give a body by --from by which an integration has an invoice authorised in Homologacao; the provider documents its fields',
  'nf-e.negada.json':
    'a denial cannot be guessed: ask the provider what its Homologacao denies, mostly a certain recipient, and give such a body by --from',
  'nf-e.invalida.json': 'give a body by --from that lacks what the provider requires',
  'outra-empresa.json': 'give the body of a second company, of another CNPJ, by --from',
  'outro-certificado.pfx':
    'give a certificate of the second company, under the password in certificado.json, by --from',
  'verificacao.autorizada.xml':
    'give the XML of an invoice, with its protocol, that the tax authority has as authorised by --from',
  'verificacao.rejeitada.xml':
    'give the XML of an invoice that was cancelled, or altered after it was signed, by --from',
  'consultas.json': 'give a consultas.json by --from',
};

/** The same for the parts of `consultas.json`. */
const partRemedies: Readonly<Record<string, string>> = {
  cnpj: 'give a consultas.json by --from with a CNPJ that the registry knows, such as that of your own company',
  cpf: 'a person cannot be guessed: give a consultas.json by --from with a CPF and birth date that the registry knows, of somebody who agrees',
  'unknown.cnpj': 'ask the provider which CNPJ its registry does not know',
  'unknown.cpf': 'ask the provider which CPF its registry does not know',
};

/** What to do to have that file, or that part of it. */
export function remedyFor(file: ProfileFile, part?: string): string {
  return (part === undefined ? undefined : partRemedies[part]) ?? remedies[file];
}

/** Name of the record in a folder of a profile. Nothing reads it but people and `check`: what it says is tried again anyway. */
export const recordFile = 'proved.json';

const longestReason = 300;

/** Whose behaviour a record tells of, and who saw it when. */
interface RecordedBy {
  readonly baseUrl: string;
  readonly suite: NonNullable<Results['suite']>;
  /** ISO-8601. */
  readonly at: string;
}

/** The record of what each file of a profile proved, and of what could not be had, with secrets masked. */
export function recordBytes({ found, lacking }: Gathered, { baseUrl, suite, at }: RecordedBy, mask: Mask): Buffer {
  return jsonBytes({
    format: 'nfe-conformance/proved-profile@1',
    target: baseUrl,
    at,
    suite,
    proved: found.map(({ from, proved, ...rest }) => ({ ...rest, from: mask(from), proved: mask(proved) })),
    missing: lacking.map(({ why, ...rest }) => ({ ...rest, why: shortened(mask(why), longestReason) })),
  });
}

/** When and where the profile in a folder proved itself; `undefined` where nothing says so. */
export function provedWhen(folder: string): { readonly at: string; readonly target: string } | undefined {
  try {
    const record: unknown = JSON.parse(readFileSync(join(folder, recordFile), 'utf8'));
    if (typeof record !== 'object' || record === null || !('at' in record) || !('target' in record)) return undefined;
    const { at, target } = record;
    return typeof at === 'string' && typeof target === 'string' ? { at, target } : undefined;
  } catch {
    return undefined;
  }
}

/** A file that may suit the target, and where it came from. */
export interface Candidate {
  /** Its path, or how it was made of another. */
  readonly from: string;
  readonly bytes: Buffer;
}

/** A request body that may. */
export interface BodyCandidate extends Candidate {
  readonly body: JsonObject;
}

/** A way to upload a certificate that may. */
export interface FormCandidate extends Candidate {
  readonly form: Certificado;
}

/** The profiles in these folders, each once, in that order. Throws an ArgumentError for one that can't be read. */
export function readSources(folders: readonly string[]): Profile[] {
  const places = folders.map((folder) => resolve(folder));
  const unique = folders.filter((_, at) => places.indexOf(places[at] ?? '') === at);
  return unique.map((folder) => {
    try {
      return readProfile(folder);
    } catch (error) {
      throw error instanceof ProfileError ? new ArgumentError(error.message) : error;
    }
  });
}

/** The files of that name in all folders, without those that say the same. */
export function filesIn(sources: readonly Profile[], file: ProfileFile): Candidate[] {
  return withoutDoubles(
    sources.flatMap((source) => {
      const bytes = source.bytes(file);
      return bytes ? [{ from: join(source.folder, file), bytes }] : [];
    }),
  );
}

/** The bodies of that name in all folders. */
export function bodiesIn(sources: readonly Profile[], file: BodyFile): BodyCandidate[] {
  const bodies = sources.flatMap((source) => {
    const [body, bytes] = [source.json(file), source.bytes(file)];
    return body && bytes ? [{ from: join(source.folder, file), bytes, body }] : [];
  });
  return withoutDoubles(bodies);
}

/** The way in which a folder uploads its certificates. */
export function formIn(source: Profile): FormCandidate | undefined {
  const [form, bytes] = [source.certificado, source.bytes('certificado.json')];
  return form && bytes ? { from: join(source.folder, 'certificado.json'), bytes, form } : undefined;
}

/** The bytes of a JSON file that was made. */
export function jsonBytes(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`, 'utf8');
}

/** The candidates, each content once. */
export function withoutDoubles<T extends Candidate>(candidates: readonly T[]): T[] {
  return candidates.filter(({ bytes }, at) => candidates.findIndex((other) => other.bytes.equals(bytes)) === at);
}
