import { parse, type ParseError } from 'jsonc-parser';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject, JsonValue } from '../schemas/values.ts';

/** How a certificate is uploaded: the name of the part that carries the file, and further parts with their texts. */
export interface Certificado {
  readonly file: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** A company and a person of the registries. `nascimento` is DDMMYYYY. */
export interface RegistryNumbers {
  readonly cnpj: string;
  readonly cpf: string;
  readonly nascimento: string;
}

/** Numbers that the target's registries know, and others that they don't. */
export interface Consultas extends RegistryNumbers {
  readonly unknown: RegistryNumbers;
}

/** A file of a profile, as errors speak of it. */
interface ProfilePart {
  readonly path: string;
  readonly takes: string;
}

/** A profile that can't be used. The message is one line and repeats no content: files may hold secrets. */
export class ProfileError extends Error {
  override readonly name = 'ProfileError';
}

/** The error that says what is wrong with a file and what it takes. */
function unfit(place: ProfilePart, fault: string): ProfileError {
  return new ProfileError(`${place.path} ${fault}: it takes ${place.takes}`);
}

/** The JSON object in a file, which may begin with a byte order mark. @throws {ProfileError} */
export function jsonObjectIn(place: ProfilePart, raw: Buffer): JsonObject {
  const text = textIn(place, raw);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw unfit(place, `is not JSON${faultPosition(text)}`);
  }
  if (!isJsonObject(value)) throw unfit(place, 'holds no JSON object');
  return value;
}

/** Refuses what is empty, blank or not UTF-8; whether it is good XML is for the target to say. @throws {ProfileError} */
function checkXml(place: ProfilePart, raw: Buffer): void {
  textIn(place, raw);
}

/** Refuses what can't be PKCS#12 by its first byte, such as PEM. @throws {ProfileError} */
function checkPfx(place: ProfilePart, raw: Buffer): void {
  const derSequence = 0x30;
  if (raw[0] !== derSequence) throw unfit(place, raw.length === 0 ? 'is empty' : 'is another kind of file');
}

/** What `certificado.json` says. @throws {ProfileError} */
function certificadoIn(place: ProfilePart, body: JsonObject): Certificado {
  refuseOthers(place, body, ['file', 'fields']);
  const { file, fields } = body;
  if (typeof file !== 'string' || file === '') throw unfit(place, 'has no text in file');
  if (!isJsonObject(fields)) throw unfit(place, 'has no object in fields');
  const texts = Object.entries(fields).map(([name, value]): [string, string] => {
    if (typeof value !== 'string') throw unfit(place, `has no text in ${JSON.stringify(`fields.${name}`)}`);
    return [name, value];
  });
  return { file, fields: Object.fromEntries(texts) };
}

/** What `consultas.json` says. Check digits are not judged: a target may have test numbers of its own. @throws {ProfileError} */
export function consultasIn(place: ProfilePart, body: JsonObject): Consultas {
  const { unknown, ...known } = body;
  if (!isJsonObject(unknown)) throw unfit(place, 'has no object in unknown');
  return { ...numbersIn(place, known, ''), unknown: numbersIn(place, unknown, 'unknown.') };
}

function numbersIn(place: ProfilePart, numbers: JsonObject, within: string): RegistryNumbers {
  refuseOthers(place, numbers, ['cnpj', 'cpf', 'nascimento'], within);
  const digits = (name: keyof RegistryNumbers, length: number): string => {
    const value = numbers[name];
    if (typeof value === 'string' && /^\d+$/.test(value) && value.length === length) return value;
    throw unfit(place, `has no text of ${length} digits in ${within}${name}`);
  };
  return { cnpj: digits('cnpj', 14), cpf: digits('cpf', 11), nascimento: digits('nascimento', 8) };
}

function refuseOthers(place: ProfilePart, body: JsonObject, known: readonly string[], within = ''): void {
  const other = Object.keys(body).find((name) => !known.includes(name));
  if (other !== undefined) throw unfit(place, `has a field ${JSON.stringify(within + other)} that nothing reads`);
}

/** The text in a file, without its byte order mark. */
function textIn(place: ProfilePart, raw: Buffer): string {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(raw);
  } catch {
    throw unfit(place, 'is not UTF-8');
  }
  if (text.trim() === '') throw unfit(place, 'is empty');
  return text;
}

/** Where JSON breaks off, in words. The message of `JSON.parse` is no use: it quotes the text. */
function faultPosition(text: string): string {
  const faults: ParseError[] = [];
  parse(text, faults, { disallowComments: true });
  const lines = text.slice(0, faults[0]?.offset ?? 0).split('\n');
  return faults.length === 0 ? '' : ` (line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1})`;
}

function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A file whose name is most likely meant to be another. */
interface Typo {
  readonly name: string;
  readonly meant: string;
}

/**
 * The first of `names` that is none of `known`, but nearly one that is absent. What resembles a file that is there is a
 * copy or a backup of it, and no typo.
 */
function likelyTypo(names: readonly string[], known: readonly string[]): Typo | undefined {
  const absent = known.filter((file) => !names.includes(file));
  return names
    .filter((name) => !known.includes(name))
    .flatMap((name) => absent.filter((file) => isSlip(bare(name), bare(file))).map((meant) => ({ name, meant })))[0];
}

/** Letters and digits alone: `NFe_Autorizada.JSON` is as good as `nf-e.autorizada.json`. */
function bare(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** Whether a name has something behind the meant one (`.json.txt`), or differs from it in one place by two letters at most. */
function isSlip(name: string, meant: string): boolean {
  if (name.startsWith(meant)) return true;
  const most = Math.min(name.length, meant.length);
  const head = sharedLength(name, meant, most, (text, index) => text[index]);
  const tail = sharedLength(name, meant, most - head, (text, index) => text.at(-1 - index));
  return Math.max(name.length, meant.length) - head - tail <= 2;
}

/** How many letters two texts share, counted from the end that `letterAt` counts from. */
function sharedLength(
  one: string,
  other: string,
  most: number,
  letterAt: (text: string, index: number) => string | undefined,
): number {
  let length = 0;
  while (length < most && letterAt(one, length) === letterAt(other, length)) length += 1;
  return length;
}

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

/** The body that registers a webhook: the contract names all of it. Section 4.1. */
export function webhookBody({
  uri,
  token,
}: {
  readonly uri: JsonValue | undefined;
  readonly token: string;
}): JsonObject {
  return { ...(uri === undefined ? {} : { uri }), token };
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
