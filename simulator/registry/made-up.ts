import { createHash } from 'node:crypto';
import type { Faker } from '@faker-js/faker';

/** Makes something up from that text: the same for the same text, whoever asks and whenever. */
export async function madeUpFrom<T>(text: string, make: (faker: Faker) => T): Promise<T> {
  // Loaded with the first lookup: its names would slow down every start.
  const { faker } = await import('@faker-js/faker/locale/pt_BR');
  faker.seed(createHash('sha256').update(text).digest().readUInt32BE());
  return make(faker);
}

/** A day from the first one to the last one, both as `YYYY-MM-DD`. */
export function dayBetween(faker: Faker, from: string, to: string): string {
  return faker.date
    .between({ from: `${from}T00:00:00Z`, to: `${to}T23:59:59Z` })
    .toISOString()
    .slice(0, 10);
}

/** As registries write texts: capitals, without accents. */
export function registryText(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toUpperCase();
}

/** How a registry holds a number. */
interface Situation {
  readonly codigo: string;
  readonly descricao: string;
}

/** How it holds a company, and why. */
interface CompanySituation extends Situation {
  /** Empty for an active one. */
  readonly motivo: string;
}

const active: CompanySituation = { codigo: '2', descricao: 'ATIVA', motivo: '' };

/** By the branch of a CNPJ, digits 9 to 12: 90 and the code of the situation. */
const companySituations: Readonly<Record<string, CompanySituation>> = {
  9001: { codigo: '1', descricao: 'NULA', motivo: 'INSCRICAO INDEVIDA' },
  9003: { codigo: '3', descricao: 'SUSPENSA', motivo: 'INCONSISTENCIA CADASTRAL' },
  9004: { codigo: '4', descricao: 'INAPTA', motivo: 'OMISSAO DE DECLARACOES' },
  9008: { codigo: '8', descricao: 'BAIXADA', motivo: 'ENCERRAMENTO VOLUNTARIO' },
};

const regular: Situation = { codigo: '0', descricao: 'REGULAR' };

/** By the first three digits of a CPF: 90 and the code of the situation. */
const personSituations: Readonly<Record<string, Situation>> = {
  902: { codigo: '2', descricao: 'SUSPENSA' },
  903: { codigo: '3', descricao: 'TITULAR FALECIDO' },
  904: { codigo: '4', descricao: 'PENDENTE DE REGULARIZAÇÃO' },
  905: { codigo: '5', descricao: 'CANCELADA POR MULTIPLICIDADE' },
  908: { codigo: '8', descricao: 'NULA' },
  909: { codigo: '9', descricao: 'CANCELADA DE OFÍCIO' },
};

/** The situation of a company: active, unless its branch says otherwise. */
export function companySituation(cnpj: string): CompanySituation {
  return companySituations[branchOf(cnpj)] ?? active;
}

/** Whether the registry has that CNPJ: any but those of branch 0404. */
export function isCompanyKnown(cnpj: string): boolean {
  return branchOf(cnpj) !== '0404';
}

/** The situation of a person: regular, unless the number starts otherwise. */
function personSituation(cpf: string): Situation {
  return personSituations[cpf.slice(0, 3)] ?? regular;
}

/** Whether the registry has that CPF: any but those that start with 404. */
export function isPersonKnown(cpf: string): boolean {
  return !cpf.startsWith('404');
}

function branchOf(cnpj: string): string {
  return cnpj.slice(8, 12);
}

/** The birth date that the registry has of a CPF, as DDMMYYYY; of any other it has the one that is asked for. */
const birthDates: ReadonlyMap<string, string> = new Map([['99999999050', '01011980']]);

/** Whether a person was born on that day, as far as the registry knows. */
export function isBornOn(cpf: string, nascimento: string): boolean {
  return (birthDates.get(cpf) ?? nascimento) === nascimento;
}

/** A person as the federal registry shows them: made up, and always the same for the same CPF. Section 4.1. */
export function personOf(cpf: string, nascimento: string): Promise<object> {
  return madeUpFrom(`pessoa ${cpf}`, (faker) => ({
    ni: cpf,
    nome: registryText(`${faker.person.firstName()} ${faker.person.lastName()} ${faker.person.lastName()}`),
    situacao: personSituation(cpf),
    nascimento,
  }));
}

/** Whether a text is DDMMYYYY with a day of the calendar from 1850 on that has come by that time. Unix milliseconds. */
export function isBirthDate(text: string, nowMs: number): boolean {
  const [, day, month, year] = /^(\d\d)(\d\d)(\d{4})$/.exec(text) ?? [];
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  if (Number.isNaN(date.getTime()) || date.getUTCDate() !== Number(day)) return false;
  return Number(year) >= earliestYear && date.getTime() <= nowMs;
}

const earliestYear = 1850;
