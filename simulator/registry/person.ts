import { madeUpFrom, personSituation, registryText } from './made-up.ts';

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
