import { type Mask, tokensOf } from '../trace/people/words-mask.ts';
import {
  maskOfPeople,
  newPeople,
  type People,
  allowanceOf,
  allowingSent,
  rememberReceived,
  rememberSent,
} from '../trace/people/memory.ts';
import type { TargetAddress } from './address.ts';
import { textOf, type Arrival, type Exchange } from '../trace/exchange.ts';
import { commonTexts, isCommon } from '../trace/mask.ts';
import type { Allowance } from '../trace/people/veil.ts';
import { secretMatcher, soughtOf } from '../trace/secrets/matcher.ts';
import type { SoughtSecret } from '../trace/secrets/pattern.ts';
import { spellingsOf, type PersonalKind } from '../trace/people/spellings.ts';
import { ProfileError, profileFiles, readProfile, type BodyFile, type Profile, type ProfileFile } from './profile.ts';
import { secretsReceived, isReceived, withoutLinkTokens, wordsOfAddresses } from '../trace/links.ts';
import type { JsonValue } from '../schemas/values.ts';

/** Whether values of a target are shown by allowance only: on somebody's server, unless the settings lift that. */
export function hidesPeople({ kind, shows }: Pick<TargetAddress, 'kind' | 'shows'>): boolean {
  return kind === 'sandbox' && shows !== 'all';
}

/** What is known of people at that address; `undefined` where everything is shown. */
export function peopleAt(address: TargetAddress): People | undefined {
  return hidesPeople(address) ? (address.people ?? firstPeople(address, new Map())) : undefined;
}

/** What is known before the first request: the people of the profile, and what the settings themselves say to the target. */
export function firstPeople(
  { credentials, control, empresas, webhook }: TargetAddress,
  known: ReadonlyMap<string, string>,
): People {
  const { active, appKey, appName } = credentials;
  const own = [appKey, appName, empresas?.own?.empresaId, webhook.publicUrl, webhook.verificationUrl];
  return newPeople(
    known,
    active ?? control?.token ?? '',
    own.filter((value) => value !== undefined),
  );
}

/** A mask of free texts that hides people as well. */
export function withoutPeople(mask: Mask, people: People | undefined): Mask {
  if (!people) return mask;
  const hide = maskOfPeople(people);
  return (text) => hide(mask(text));
}

/** Takes note of what was sent and what came, each once. */
export interface Learning {
  readonly exchange: (exchange: Exchange) => void;
  readonly arrival: (arrival: Arrival) => void;
}

/**
 * Notes what lets its readers in, links and cookies, among the secrets, each with what takes its place, and of people what is
 * not shown, where that is not everything.
 */
export function learningOf(people: People | undefined, secrets: Map<string, string>): Learning {
  const seen = new WeakSet<object>();
  const isNew = (one: object): boolean => !seen.has(one) && seen.add(one) === seen;
  const learnSecrets = secretsInto(secrets, nameTest(people));
  let allowance: Allowance | undefined;
  const allowed = (of: People): Allowance => (allowance ??= allowanceOf(of, []));
  return {
    exchange(exchange) {
      if (!isNew(exchange)) return;
      const { request, response } = exchange;
      if (people) rememberSent(people, request, response);
      if (!response) return;
      learnSecrets(response, `${request.target} ${request.rawBody?.toString('utf8') ?? ''}`);
      if (people)
        rememberReceived(people, response, hidingToken(request.parts.token), allowingSent(allowed(people), request));
    },
    arrival(arrival) {
      if (!isNew(arrival)) return;
      learnSecrets(arrival, '');
      if (people) rememberReceived(people, arrival, (text) => text, allowed(people));
    },
  };
}

/** Secrets that are received and remembered, the last ones: more than any evidence holds. */
const mostRemembered = 1_000;

/** Puts what is received and lets its readers in among the secrets. */
function secretsInto(
  secrets: Map<string, string>,
  isName: (text: string) => boolean,
): (received: Pick<Arrival, 'headers' | 'rawBody'>, sent: string) => void {
  const remembered: string[] = [];
  return ({ headers, rawBody }, sent) => {
    for (const [secret, stand] of secretsReceived({ headers, body: textOf({ headers, rawBody }) }, sent)) {
      if (secrets.has(secret) || isName(secret) || isCommon(secret)) continue;
      secrets.set(secret, stand);
      remembered.push(secret);
    }
    for (const old of remembered.splice(0, Math.max(0, remembered.length - mostRemembered))) secrets.delete(old);
  };
}

/**
 * Whether a text is made of words of names that are known: as a link's token it would be hidden by itself, and the name that it is a
 * part of be known no more.
 */
function nameTest(people: People | undefined): (text: string) => boolean {
  if (!people || people.known.size === 0) return () => false;
  const known = nameWords.get(people.known) ?? new Set([...people.known.keys()].flatMap(wordsOf));
  nameWords.set(people.known, known);
  return (text) => wordsOf(text).every((word) => known.has(word));
}

/** The words of the same people's names, taken apart once: each check asks for them. */
const nameWords = new WeakMap<object, ReadonlySet<string>>();

function wordsOf(text: string): readonly string[] {
  return tokensOf(text).flatMap(({ text: word }) => (/[\p{L}\d]/u.test(word) ? [word] : []));
}

/** The token that was sent may come back in the midst of something else. */
function hidingToken(token: string): Mask {
  return token.length < 6 ? (text) => text : (text) => text.replaceAll(token, '$APP_SECRET');
}

/** What a mask hides besides secrets. */
interface AlsoHidden {
  /** Tokens that were sent and are none of the secrets: each may be nearly one. */
  readonly tokens?: Iterable<string>;
}

/** Hides secrets and live links, wherever the target is. */
export function maskAt(
  { baseUrl, credentials, webhook }: Pick<TargetAddress, 'kind'> & Partial<TargetAddress>,
  secrets: ReadonlyMap<string, string>,
  { tokens = [] }: AlsoHidden = {},
): Mask {
  const common = commonTexts([baseUrl, credentials?.appKey, credentials?.appName]);
  const { hide } = secretMatcher([...soughtOf(secrets, isReceived), ...otherTokens(tokens, secrets)], { common });
  const own = wordsOfAddresses([baseUrl, webhook?.publicUrl]);
  return (text) => withoutLinkTokens(hide(text), own);
}

/** Below this a token can't be nearly a secret, and hiding it would blot out half a report. */
const leastTokenLength = 6;

function otherTokens(tokens: Iterable<string>, secrets: ReadonlyMap<string, string>): SoughtSecret[] {
  return [...tokens]
    .filter((token) => token.length >= leastTokenLength && !secrets.has(token))
    .map((secret) => ({ secret, stand: `(another token of ${secret.length} characters)`, isWholeOnly: true }));
}

/** Fields of the files of a profile that tell who somebody is or where they live, letter case aside, and what stands in them. */
const personalFields: Readonly<Record<string, PersonalKind>> = {
  ...fieldsOf('text', 'nome nomeCompleto nomeMae nomeSocial nomeFantasia nomeEmpresarial razaoSocial xNome xFant'),
  ...fieldsOf('text', 'email logradouro xLgr complemento xCpl bairro xBairro responsavel contato xContato'),
  ...fieldsOf('cpf', 'cpf cpfCnpj cpfResponsavel'),
  ...fieldsOf('nascimento', 'nascimento dataNascimento'),
  ...fieldsOf('phone', 'telefone telefoneComercial fone celular'),
  ...fieldsOf('cep', 'cep'),
};

/** The recipient that every document of homologation is made out to is nobody. */
const nobody = /^NF-?E EMITIDA EM AMBIENTE DE HOMOLOGA[CÇ][AÃ]O/i;

/**
 * Everybody in a profile: how texts write each number, date, name and address, with what stands for it: `$cpf`, `$xNome`, the name of
 * the field that it is in.
 */
function peopleOf(profile: Profile): ReadonlyMap<string, string> {
  return new Map(
    [...ofConsultas(profile), ...ofBodies(profile), ...ofDocuments(profile)].flatMap(({ name, value }) => {
      const kind = personalFields[name.toLowerCase()] ?? kindOfValue(name, value);
      const isShown = kind === undefined || isCnpj(kind, value) || value.trim() === '' || nobody.test(value);
      return isShown ? [] : spellingsOf(kind, value).map((spelling): [string, string] => [spelling, `$${name}`]);
    }),
  );
}

/** The same of the profile in a folder; nobody where it can't be read, which others tell of. */
export function profilePeople(folder: string): ReadonlyMap<string, string> {
  try {
    return peopleOf(readProfile(folder));
  } catch (error) {
    if (!(error instanceof ProfileError)) throw error;
    return new Map();
  }
}

/**
 * What a value is under a name that nobody here knows, as bodies are everybody's own: a CPF by its digits, an address of mail, and
 * a name or a telephone where the name of its field says so.
 */
function kindOfValue(name: string, value: string): PersonalKind | undefined {
  const isShort = value.length <= longestValue && name.length <= longestValue;
  if (!isShort) return undefined;
  const digits = value.replaceAll(/[.\s/-]/g, '');
  if (isCpf(digits)) return 'cpf';
  if (value.includes('@') && !/\s/.test(value)) return 'text';
  if (/fone|celular|whatsapp/i.test(name) && digits.length >= 8) return 'phone';
  const isOfWords = value.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length > 1;
  return isOfWords && /nome|razao|fantasia|responsavel|contato|cliente|pessoa|logradouro|endereco/i.test(name)
    ? 'text'
    : undefined;
}

const longestValue = 200;

/** Whether eleven digits are a CPF by their last two. */
function isCpf(digits: string): boolean {
  if (!/^\d{11}$/.test(digits) || new Set(digits).size === 1) return false;
  const figures = Array.from(digits, Number);
  return [9, 10].every((length) => {
    const sum = figures.slice(0, length).reduce((total, figure, at) => total + figure * (length + 1 - at), 0);
    return ((sum * 10) % 11) % 10 === figures[length];
  });
}

/** A company's number is nobody's. */
function isCnpj(kind: PersonalKind, value: string): boolean {
  return kind === 'cpf' && value.replaceAll(/\D/g, '').length === 14;
}

interface Field {
  readonly name: string;
  readonly value: string;
}

function ofConsultas({ consultas }: Profile): Field[] {
  if (!consultas) return [];
  return [consultas, consultas.unknown].flatMap(({ cpf, nascimento }) => [
    { name: 'cpf', value: cpf },
    { name: 'nascimento', value: nascimento },
  ]);
}

const bodyFiles = filesOf('json').filter((file): file is BodyFile => /empresa\.json$|^nf-e\./.test(file));

function ofBodies(profile: Profile): Field[] {
  return bodyFiles.flatMap((file) => fieldsIn(profile.json(file) ?? null));
}

function fieldsIn(value: JsonValue, name = ''): Field[] {
  if (typeof value === 'string' || typeof value === 'number') return [{ name, value: String(value) }];
  if (value === null || typeof value === 'boolean') return [];
  if (isList(value)) return value.flatMap((item) => fieldsIn(item, name));
  return Object.entries(value).flatMap(([member, one]) => fieldsIn(one, member));
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function ofDocuments(profile: Profile): Field[] {
  return filesOf('xml').flatMap((file) => {
    const text = profile.bytes(file)?.toString('utf8') ?? '';
    return [...text.matchAll(/<(?:[\w-]+:)?([A-Za-z]+)(?:\s[^<>]*)?>([^<>]+)</g)].map(
      ({ 1: name = '', 2: value = '' }) => ({
        name,
        value,
      }),
    );
  });
}

function filesOf(kind: 'json' | 'xml'): ProfileFile[] {
  return Object.entries(profileFiles).flatMap(([name, file]) => (file.kind === kind && isFile(name) ? [name] : []));
}

function isFile(name: string): name is ProfileFile {
  return name in profileFiles;
}

function fieldsOf(kind: PersonalKind, names: string): Record<string, PersonalKind> {
  return Object.fromEntries(names.split(' ').map((name) => [name.toLowerCase(), kind]));
}
