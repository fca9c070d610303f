import { expect, test } from 'vitest';
import { member } from '../../schemas/values.ts';
import { isCnpj } from '../tax-numbers.ts';
import { textLike } from '../testing/matchers.ts';
import { runningSimulator, textIn } from '../testing/running.ts';
import { testVerifier } from '../testing/verifier.ts';

const simulator = runningSimulator();

async function lookUp(cnpj: string): Promise<{ status: number; json: unknown; bodyText: string }> {
  return (await testVerifier(simulator)).consult(`cnpj/${cnpj}`);
}

test('a known CNPJ gets 200 and a company, in no envelope', async () => {
  const { status, json } = await lookUp('99999999000191');
  expect(status).toBe(200);
  expect(json).toMatchObject({
    ni: '99999999000191',
    tipoEstabelecimento: '1',
    nomeEmpresarial: textLike(/^[A-Z]+ [A-Z]+ .*(LTDA|S\.A\.)$/),
    situacaoCadastral: { codigo: '2', descricao: 'ATIVA', data: textLike(/^\d{4}-\d\d-\d\d$/) },
    dataAbertura: textLike(/^\d{4}-\d\d-\d\d$/),
    cnaePrincipal: { codigo: textLike(/^\d{7}$/) },
    endereco: { cep: textLike(/^\d{8}$/), uf: textLike(/^[A-Z]{2}$/), municipio: { codigo: textLike(/^\d{7}$/) } },
  });
});

test('a CNPJ gives the same company every time and to everybody, and another gives another', async () => {
  const [one, again, other] = [
    await lookUp('99999999000191'),
    await lookUp('99999999000191'),
    await lookUp('99999991000125'),
  ];
  expect(again.bodyText).toBe(one.bodyText);
  expect(member(other.json, 'nomeEmpresarial')).not.toBe(member(one.json, 'nomeEmpresarial'));
});

test('two branches are one company at two addresses', async () => {
  const [seat, branch] = [await lookUp('99999995000103'), await lookUp('99999995900872')];
  expect(member(branch.json, 'nomeEmpresarial')).toBe(member(seat.json, 'nomeEmpresarial'));
  expect(member(branch.json, 'endereco')).not.toEqual(member(seat.json, 'endereco'));
});

test.each([
  ['99999995900104', '1', 'NULA'],
  ['99999995900368', '3', 'SUSPENSA'],
  ['99999995900449', '4', 'INAPTA'],
  ['99999995900872', '8', 'BAIXADA'],
])('%s has the situation %s, %s, since after it opened', async (cnpj, codigo, descricao) => {
  const { status, json } = await lookUp(cnpj);
  expect(status).toBe(200);
  expect(json).toMatchObject({ situacaoCadastral: { codigo, descricao, motivo: textLike(/\S/) } });
  const since = textIn(member(json, 'situacaoCadastral'), 'data');
  expect(since > textIn(json, 'dataAbertura')).toBe(true);
});

test.each([
  ['of branch 0404', '99999999040495', 404, 'SIM-CNPJ-UNKNOWN'],
  ['with a wrong check digit', '99999999000192', 400, 'SIM-CNPJ-MALFORMED'],
  ['of 13 digits', '9999999900019', 400, 'SIM-CNPJ-MALFORMED'],
  ['of equal digits', '00000000000000', 400, 'SIM-CNPJ-MALFORMED'],
  ['with punctuation', '99.999.999%2F0001-91', 400, 'SIM-CNPJ-MALFORMED'],
  ['with letters', '12ABC34501DE35', 400, 'SIM-CNPJ-MALFORMED'],
  ['that is documented to fail', '99999995050046', 500, 'SIM-SYSTEM'],
])('a CNPJ %s is refused', async (_, cnpj, status, code) => {
  const answer = await lookUp(cnpj);
  expect(answer.status).toBe(status);
  expect(answer.json).toEqual({ code, message: textLike(/\S/) });
});

test('every documented number has right check digits', () => {
  for (const cnpj of ['99999995000103', '99999995050046', '99999999040495']) expect(isCnpj(cnpj)).toBe(true);
});
