import { parse, type ParseError } from 'jsonc-parser';

/** Any JSON value. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [name: string]: JsonValue;
}

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
export interface ProfilePart {
  readonly path: string;
  readonly takes: string;
}

/** A profile that can't be used. The message is one line and repeats no content: files may hold secrets. */
export class ProfileError extends Error {
  override readonly name = 'ProfileError';
}

/** The error that says what is wrong with a file and what it takes. */
export function unfit(place: ProfilePart, fault: string): ProfileError {
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
export function checkXml(place: ProfilePart, raw: Buffer): void {
  textIn(place, raw);
}

/** Refuses what can't be PKCS#12 by its first byte, such as PEM. @throws {ProfileError} */
export function checkPfx(place: ProfilePart, raw: Buffer): void {
  const derSequence = 0x30;
  if (raw[0] !== derSequence) throw unfit(place, raw.length === 0 ? 'is empty' : 'is another kind of file');
}

/** What `certificado.json` says. @throws {ProfileError} */
export function certificadoIn(place: ProfilePart, body: JsonObject): Certificado {
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
