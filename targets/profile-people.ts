import { spellingsOf, type PersonalKind } from '../trace/people/spellings.ts';
import {
  ProfileError,
  type JsonValue,
  profileFiles,
  readProfile,
  type BodyFile,
  type Profile,
  type ProfileFile,
} from './profile.ts';

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
