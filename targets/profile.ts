import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  certificadoIn,
  checkPfx,
  checkXml,
  consultasIn,
  jsonObjectIn,
  ProfileError,
  unfit,
  type Certificado,
  type Consultas,
  type JsonObject,
  type ProfilePart,
} from './profile-content.ts';
import { likelyTypo } from './profile-typos.ts';

/** Every file that a profile can hold: its kind, and what the suite uses it for. */
export const profileFiles = {
  'empresa.json': { kind: 'json', use: 'the body that registers a company' },
  'certificado.pfx': { kind: 'pfx', use: 'the certificate of that company' },
  'certificado.json': { kind: 'json', use: 'how a certificate is uploaded: names of the parts, and the password' },
  'nf-e.autorizada.json': { kind: 'json', use: 'an issuance that ends authorised' },
  'nf-e.negada.json': { kind: 'json', use: 'an issuance that is accepted and ends denied' },
  'nf-e.invalida.json': { kind: 'json', use: 'an issuance that is refused at once, with 400 or 404' },
  'outra-empresa.json': { kind: 'json', use: 'a second company, to see that companies are kept apart' },
  'outro-certificado.pfx': { kind: 'pfx', use: 'the certificate of the second company, under the same password' },
  'verificacao.autorizada.xml': { kind: 'xml', use: 'an invoice that is found valid, and its chave to look up' },
  'verificacao.rejeitada.xml': { kind: 'xml', use: 'an invoice whose verification ends REJECTED' },
  'consultas.json': { kind: 'json', use: 'numbers that the registries know, and numbers that they do not' },
} as const satisfies Record<string, { readonly kind: 'json' | 'pfx' | 'xml'; readonly use: string }>;

/** Name of a file of a profile. */
export type ProfileFile = keyof typeof profileFiles;

/** Name of a file that holds a request body. */
export type BodyFile = Extract<ProfileFile, `${string}empresa.json` | `nf-e.${string}`>;

/** A folder of bodies for what the contract does not show. What is absent is `undefined`. */
export interface Profile {
  readonly folder: string;
  json(file: BodyFile): JsonObject | undefined;
  /** The file as it stands on the disk. */
  bytes(file: ProfileFile): Buffer | undefined;
  readonly certificado: Certificado | undefined;
  readonly consultas: Consultas | undefined;
  /** The files that are absent, in the order of the table. */
  missing(): readonly ProfileFile[];
  /** Texts that must show nowhere, each with what takes its place, such as `$certificado.json:senha`. */
  secrets(): ReadonlyMap<string, string>;
}

/** What a file takes where its kind does not say all. */
const shapes: Partial<Record<ProfileFile, string>> = {
  'certificado.json': '{"file": "name of the part", "fields": {"name of a further part": "its text"}}',
  'consultas.json':
    '{"cnpj": 14 digits, "cpf": 11 digits, "nascimento": 8 digits, "unknown": the same three again}, digits as text',
};

const kinds = { json: 'a JSON object', pfx: 'a certificate with its key as PKCS#12', xml: 'an XML document in UTF-8' };

/** All names of the table, in its order. */
const fileNames = Object.keys(profileFiles).filter((name): name is ProfileFile => name in profileFiles);

/**
 * The profile in a folder; every file may be absent, and files of other names are none of its business.
 * @throws {ProfileError} for a folder or a file that can't be read or used, and for a name that looks like a typo.
 */
export function readProfile(folder: string): Profile {
  const names = namesIn(folder);
  const present = fileNames.filter((file) => names.includes(file));
  const bytes = new Map(present.map((file) => [file, readRaw(placeOf(folder, file))]));
  const bodies = new Map<ProfileFile, JsonObject>();
  for (const [file, raw] of bytes) {
    const place = placeOf(folder, file);
    const { kind } = profileFiles[file];
    if (kind === 'json') bodies.set(file, jsonObjectIn(place, raw));
    if (kind === 'pfx') checkPfx(place, raw);
    if (kind === 'xml') checkXml(place, raw);
  }
  const read = <T>(file: ProfileFile, contentIn: (place: ProfilePart, body: JsonObject) => T): T | undefined => {
    const body = bodies.get(file);
    return body && contentIn(placeOf(folder, file), body);
  };
  const certificado = read('certificado.json', certificadoIn);
  return {
    folder,
    json: (file) => bodies.get(file),
    bytes: (file) => bytes.get(file),
    certificado,
    consultas: read('consultas.json', consultasIn),
    missing: () => fileNames.filter((file) => !bytes.has(file)),
    secrets: () => secretsOf(certificado),
  };
}

/** An issuance body with the contract's own fields laid over it. Section 4.1. */
export function issuanceBody(
  body: JsonObject,
  fields: { readonly id: string; readonly ambienteEmissao: 'Producao' | 'Homologacao' },
): JsonObject {
  return { ...body, id: fields.id, ambienteEmissao: fields.ambienteEmissao };
}

/** The body that registers a webhook: the contract names all of it. Section 4.1. */
export function webhookBody(fields: { readonly uri: string; readonly token: string }): JsonObject {
  return { uri: fields.uri, token: fields.token };
}

/** The secrets of the profile in a folder; none where it can't be read, which others tell of. */
export function profileSecrets(folder: string): ReadonlyMap<string, string> {
  try {
    return readProfile(folder).secrets();
  } catch (error) {
    if (!(error instanceof ProfileError)) throw error;
    return new Map();
  }
}

function namesIn(folder: string): readonly string[] {
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    throw new ProfileError(`${folder} can't be read (${codeOf(error)}): a profile is a folder of request bodies`);
  }
  const typo = likelyTypo(names, fileNames);
  if (!typo) return names;
  throw new ProfileError(
    `${join(folder, typo.name)} is no file of a profile: rename it to ${typo.meant}, or remove it`,
  );
}

function placeOf(folder: string, file: ProfileFile): ProfilePart {
  return { path: join(folder, file), takes: shapes[file] ?? kinds[profileFiles[file].kind] };
}

function readRaw(place: ProfilePart): Buffer {
  try {
    return readFileSync(place.path);
  } catch (error) {
    throw unfit(place, `can't be read (${codeOf(error)})`);
  }
}

/** What went wrong with a file, as the code of the system (`ENOENT`). */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}

/**
 * Which field is the password is the target's affair, so every text counts, but for short ones under harmless names:
 * replacing each `A1` of a report would make it unreadable.
 */
function secretsOf(certificado: Certificado | undefined): ReadonlyMap<string, string> {
  const secret = Object.entries(certificado?.fields ?? {}).filter(
    ([name, value]) => value.length > 3 || (value !== '' && /senha|pass|pwd|pin|secret|segredo|token/i.test(name)),
  );
  return new Map(secret.map(([name, value]) => [value, `$certificado.json:${name}`]));
}
