import { expect, test } from 'vitest';
import { member } from '../../schemas/values.ts';
import { textLike } from '../testing/matchers.ts';
import { runningSimulator } from '../testing/running.ts';
import { testVerifier } from '../testing/verifier.ts';

const simulator = runningSimulator();

async function lookUp(cpf: string, nascimento: string): Promise<{ status: number; json: unknown; bodyText: string }> {
  return (await testVerifier(simulator)).consult(`cpf/${cpf}/${nascimento}`);
}

test('a known CPF with its birth date gets 200 and a person, in no envelope', async () => {
  const { status, json } = await lookUp('99999999050', '01011980');
  expect(status).toBe(200);
  expect(json).toEqual({
    ni: '99999999050',
    nome: textLike(/^[A-Z]+( [A-Z]+)+$/),
    situacao: { codigo: '0', descricao: 'REGULAR' },
    nascimento: '01011980',
  });
});

test('a CPF gives the same person every time, and another gives another', async () => {
  const [one, again, other] = [
    await lookUp('99999999050', '01011980'),
    await lookUp('99999999050', '01011980'),
    await lookUp('52998224725', '29022000'),
  ];
  expect(again.bodyText).toBe(one.bodyText);
  expect(other.status).toBe(200);
  expect(member(other.json, 'nome')).not.toBe(member(one.json, 'nome'));
});

test.each([
  ['90290090040', '2', 'SUSPENSA'],
  ['90390090077', '3', 'TITULAR FALECIDO'],
  ['90490090001', '4', 'PENDENTE DE REGULARIZAÇÃO'],
  ['90590090020', '5', 'CANCELADA POR MULTIPLICIDADE'],
  ['90890090009', '8', 'NULA'],
  ['90990090035', '9', 'CANCELADA DE OFÍCIO'],
])('%s has the situation %s, %s', async (cpf, codigo, descricao) => {
  expect((await lookUp(cpf, '15031975')).json).toMatchObject({ ni: cpf, situacao: { codigo, descricao } });
});

test.each([
  ['an unknown CPF', '40440440408', '31121999', 404, 'SIM-CPF-UNKNOWN'],
  ["another birth date than the registry's", '99999999050', '02011980', 404, 'SIM-NASCIMENTO-MISMATCH'],
  ['a wrong check digit', '99999999051', '01011980', 400, 'SIM-CPF-MALFORMED'],
  ['ten digits', '9999999905', '01011980', 400, 'SIM-CPF-MALFORMED'],
  ['equal digits', '11111111111', '01011980', 400, 'SIM-CPF-MALFORMED'],
  ['a day that no calendar has', '52998224725', '30021999', 400, 'SIM-NASCIMENTO-MALFORMED'],
  ['29 February of a common year', '52998224725', '29021999', 400, 'SIM-NASCIMENTO-MALFORMED'],
  ['a month that no calendar has', '52998224725', '01131999', 400, 'SIM-NASCIMENTO-MALFORMED'],
  ['the year first', '52998224725', '19990101', 400, 'SIM-NASCIMENTO-MALFORMED'],
  ['seven digits of birth date', '52998224725', '1011999', 400, 'SIM-NASCIMENTO-MALFORMED'],
  ['a day that has not come on the clock', '52998224725', '18052031', 400, 'SIM-NASCIMENTO-MALFORMED'],
  ['a year before 1850', '52998224725', '31121849', 400, 'SIM-NASCIMENTO-MALFORMED'],
  ['the number that is documented to fail', '99999950043', '01011980', 500, 'SIM-SYSTEM'],
])('%s is refused', async (_, cpf, nascimento, status, code) => {
  const answer = await lookUp(cpf, nascimento);
  expect(answer.status).toBe(status);
  expect(answer.json).toEqual({ code, message: textLike(/\S/) });
});

test.each(['17052031', '01011850'])('%s is a birth date on that clock', async (nascimento) => {
  expect((await lookUp('52998224725', nascimento)).status).toBe(200);
});
