import { randomUUID } from 'node:crypto';
import { refusedWithCode, type Answer, type Received } from './messages.ts';
import type { Application, World } from './world.ts';

/** What the registries know: examples that everybody uses, and numbers that others take for unknown. */
const companies: Readonly<Record<string, string>> = {
  '11222333000181': 'PAPELARIA DO EXEMPLO',
  '99999999040495': 'FILIAL 404',
};
const people: Readonly<Record<string, string>> = { '52998224725': '29021988', '40440440408': '31121999' };

/** Looks a company up. Endpoint 10. */
export function lookUpCnpj(
  _request: Received,
  _owner: Application,
  world: World,
  variables: readonly string[],
): Answer {
  const [cnpj = ''] = variables;
  if (!/^\d{14}$/.test(cnpj)) return refusedWithCode(422, 422014, 'O CNPJ tem 14 dígitos.');
  if (!isKnown(companies[cnpj] !== undefined, world)) return refusedWithCode(404, 404001, 'CNPJ não consta.');
  return { status: 200, json: { nome: companies[cnpj] ?? 'EMPRESA', data: '2001-02-03', requestId: randomUUID() } };
}

/** Looks a person up, whose birth date has to be right. Endpoint 11. */
export function lookUpCpf(_request: Received, _owner: Application, world: World, variables: readonly string[]): Answer {
  const [cpf = '', nascimento = ''] = variables;
  if (!/^\d{11}$/.test(cpf)) return refusedWithCode(422, 422011, 'O CPF tem 11 dígitos.');
  if (!isDate(nascimento)) return refusedWithCode(422, 422008, 'A data de nascimento é DDMMAAAA.');
  if (!isKnown(people[cpf] === nascimento, world)) return refusedWithCode(404, 404002, 'CPF ou data não consta.');
  return { status: 200, json: { nome: 'PESSOA DE EXEMPLO', data: '2001-02-03', requestId: randomUUID() } };
}

function isKnown(isOwn: boolean, { settings: { numbers } }: World): boolean {
  return numbers === 'all' || (numbers === 'own' && isOwn);
}

/** Whether it is a day of the calendar, as DDMMYYYY. */
function isDate(text: string): boolean {
  const [, day, month, year] = /^(\d\d)(\d\d)(\d{4})$/.exec(text) ?? [];
  const iso = `${year}-${month}-${day}`;
  const ms = Date.parse(`${iso}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(iso);
}
