import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { send, type TestAnswer, runningSimulator, textLike } from '../testing/call.ts';
import { profileFile, registrationCall } from '../testing/company.ts';
import { readEmpresa } from './registrations.ts';
import { parseJsonObject } from '../http/json.ts';

const simulator = runningSimulator();
const aGuid = textLike(/^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$/);
const accepted = { status: 200, json: { empresaId: aGuid } };

async function register(body: string | Buffer): Promise<TestAnswer> {
  const { appSecret } = await simulator.application();
  return send(simulator.baseUrl, registrationCall(appSecret, body));
}

describe('registration', () => {
  test('what is wrong is said in an array of codigo and mensagem, all at once', async () => {
    const { status, json } = await register(JSON.stringify({ ...profile, cnpj: '99999991000124', email: 'a' }));
    expect({ status, json }).toEqual({
      status: 400,
      json: [
        { codigo: 'SIM-EMPRESA-CAMPO-TAMANHO', mensagem: 'email deve ter de 3 a 60 caracteres' },
        { codigo: 'SIM-EMPRESA-CNPJ-INVALIDO', mensagem: 'cnpj deve ter os dígitos verificadores corretos' },
      ],
    });
  });
});

describe('a body that is no company', () => {
  // What is no JSON object is decided by parseJsonObject: see ../http/server.test.ts.
  test('is refused', async () => {
    const { status, json } = await register('[]');
    const mensagem = 'O corpo deve ser um objeto JSON em UTF-8.';
    expect({ status, json }).toEqual({ status: 400, json: [{ codigo: 'SIM-EMPRESA-CORPO', mensagem }] });
  });

  test('one of more than 1 MiB is too large', async () => {
    const empresa = profileFile('empresa.json');
    const body = (bytes: number): Buffer => Buffer.concat([empresa, Buffer.alloc(bytes - empresa.length, ' ')]);
    const mensagem = 'O corpo da requisição é grande demais.';
    expect(await register(body(1024 * 1024))).toMatchObject(accepted);
    const { status, json } = await register(body(1024 * 1024 + 1));
    expect({ status, json }).toEqual({ status: 400, json: [{ codigo: 'SIM-EMPRESA-CORPO', mensagem }] });
  });
});

type Body = Record<string, unknown>;

const profile = jsonOf(profileFile('empresa.json'));
const endereco = jsonOf(Buffer.from(JSON.stringify(profile['endereco'])));
const smallestEndereco = {
  codigoIbgeUf: 53,
  codigoIbgeCidade: 5300108,
  uf: 'DF',
  cidade: 'Brasília',
  logradouro: 'Quadra 1',
  numero: 'S/N',
  bairro: 'Asa Norte',
  cep: '70000000',
};
const smallest: Body = {
  cnpj: '99999991000125',
  inscricaoEstadual: 'ISENTO',
  razaoSocial: 'EMPRESA FICTICIA LTDA',
  email: 'fiscal@ficticia.example',
  endereco: smallestEndereco,
};

function jsonOf(bytes: Buffer): Body {
  return parseJsonObject(bytes) ?? {};
}

/** The faults of a body, as `field: code`. */
function faultsOf(body: Body): string[] {
  const read = readEmpresa(body);
  if ('data' in read) return [];
  return read.faults.map(({ code, message }) => {
    const field = typeof message === 'string' ? message.split(' ')[0] : 'no field';
    return `${field}: ${String(code).replace('SIM-EMPRESA-', '')}`;
  });
}

const inEndereco = (fields: Body): Body => ({ ...profile, endereco: { ...endereco, ...fields } });
const producao = (numbering: Body): Body => ({ ...profile, emissaoNFeProduto: { ambienteProducao: numbering } });

describe('a company that is told whole', () => {
  test('keeps every field as it was told', () => {
    const { enviarEmailCliente: _notKept, ...told } = profile;
    expect(readEmpresa(profile)).toEqual({ data: told });
  });
});

describe('a company that is told in brief', () => {
  const numbering = { sequencialNFe: 1, serieNFe: '1' };
  const data = {
    ...smallest,
    inscricaoMunicipal: '',
    nomeFantasia: '',
    optanteSimplesNacional: false,
    incentivadorCultural: false,
    telefoneComercial: '',
    endereco: { pais: 'Brasil', complemento: '', ...smallestEndereco },
    emissaoNFeProduto: { ambienteProducao: numbering, ambienteHomologacao: numbering },
  };

  test('has defaults for the rest', () => {
    expect(readEmpresa(smallest)).toEqual({ data });
  });

  test('null and an empty text tell nothing', () => {
    const nothing = { nomeFantasia: null, inscricaoMunicipal: '', emissaoNFeProduto: { ambienteProducao: null } };
    expect(readEmpresa({ ...smallest, ...nothing })).toEqual({ data });
  });

  test('numbering starts where it is told to, in a series without leading zeros', () => {
    const emissaoNFeProduto = { ambienteHomologacao: { sequencialNFe: 999_999_999, serieNFe: '007' } };
    expect(readEmpresa({ ...smallest, emissaoNFeProduto })).toMatchObject({
      data: {
        emissaoNFeProduto: {
          ambienteProducao: numbering,
          ambienteHomologacao: { sequencialNFe: 999_999_999, serieNFe: '7' },
        },
      },
    });
  });
});

describe('what is wrong', () => {
  test('every field that is missing is named', () => {
    const fields = ['cnpj', 'inscricaoEstadual', 'razaoSocial', 'email', 'endereco'];
    expect(faultsOf({})).toEqual(fields.map((field) => `${field}: CAMPO-AUSENTE`));
  });

  test('every part of the address that is missing is named', () => {
    const fields = ['codigoIbgeUf', 'codigoIbgeCidade', 'uf', 'cidade', 'logradouro', 'numero', 'bairro', 'cep'];
    expect(faultsOf({ ...profile, endereco: {} })).toEqual(fields.map((field) => `endereco.${field}: CAMPO-AUSENTE`));
  });

  test('every field of a wrong type is named', () => {
    const wrong = Object.fromEntries(Object.keys({ ...profile, id: 0 }).map((field) => [field, 0]));
    expect(faultsOf(wrong).toSorted()).toEqual(
      Object.keys(wrong)
        .map((field) => `${field}: CAMPO-TIPO`)
        .toSorted(),
    );
    const wrongEndereco = Object.fromEntries(Object.keys(endereco).map((field) => [field, true]));
    const faults = faultsOf({ ...profile, endereco: wrongEndereco });
    expect(faults.toSorted()).toEqual(
      Object.keys(endereco)
        .map((field) => `endereco.${field}: CAMPO-TIPO`)
        .toSorted(),
    );
  });

  test.each<[string, Body]>([
    ['id: CAMPO-FORMATO', { ...profile, id: '4AB25DF9-C46A-4D53-94E2-6193AE550100' }],
    ['cnpj: CAMPO-FORMATO', { ...profile, cnpj: '9999999100012' }],
    ['cnpj: CAMPO-FORMATO', { ...profile, cnpj: '99.999.991/0001-25' }],
    ['cnpj: CNPJ-INVALIDO', { ...profile, cnpj: '99999991000126' }],
    ['cnpj: CNPJ-INVALIDO', { ...profile, cnpj: '99999999999999' }],
    ['inscricaoEstadual: CAMPO-FORMATO', { ...profile, inscricaoEstadual: 'isento' }],
    ['inscricaoEstadual: CAMPO-FORMATO', { ...profile, inscricaoEstadual: '123456789012345' }],
    ['razaoSocial: CAMPO-TAMANHO', { ...profile, razaoSocial: 'a'.repeat(61) }],
    ['razaoSocial: CAMPO-FORMATO', { ...profile, razaoSocial: 'EMPRESA \u0000' }],
    ['nomeFantasia: CAMPO-FORMATO', { ...profile, nomeFantasia: '会社' }],
    ['email: CAMPO-FORMATO', { ...profile, email: 'fiscal@ficticia' }],
    ['email: CAMPO-FORMATO', { ...profile, email: 'fiscal.ficticia.example' }],
    ['email: CAMPO-FORMATO', { ...profile, email: 'a@b@ficticia.example' }],
    ['email: CAMPO-FORMATO', { ...profile, email: 'a b@ficticia.example' }],
    ['email: CAMPO-FORMATO', { ...profile, email: 'a@ficticia..example' }],
    ['telefoneComercial: CAMPO-FORMATO', { ...profile, telefoneComercial: '(11) 0000-0000' }],
    ['endereco: CAMPO-TIPO', { ...profile, endereco: 'Rua dos Testes, 1' }],
    ['endereco: CAMPO-TIPO', { ...profile, endereco: [endereco] }],
    ['endereco.uf: CAMPO-VALOR', inEndereco({ uf: 'sp' })],
    ['endereco.uf: CAMPO-VALOR', inEndereco({ uf: 'EX' })],
    ['endereco.codigoIbgeUf: CAMPO-VALOR', inEndereco({ codigoIbgeUf: 33 })],
    ['endereco.codigoIbgeCidade: CAMPO-FAIXA', inEndereco({ codigoIbgeCidade: 3304557 })],
    ['endereco.codigoIbgeCidade: CAMPO-FAIXA', inEndereco({ codigoIbgeCidade: 35503080 })],
    ['endereco.cep: CAMPO-FORMATO', inEndereco({ cep: '01000-000' })],
    ['endereco.cep: CAMPO-FORMATO', inEndereco({ cep: '0100000' })],
    ['emissaoNFeProduto.ambienteProducao.serieNFe: CAMPO-FORMATO', producao({ serieNFe: '890' })],
    ['emissaoNFeProduto.ambienteProducao.serieNFe: CAMPO-FORMATO', producao({ serieNFe: '-1' })],
    ['emissaoNFeProduto.ambienteProducao.sequencialNFe: CAMPO-FAIXA', producao({ sequencialNFe: 0 })],
    ['emissaoNFeProduto.ambienteProducao.sequencialNFe: CAMPO-FAIXA', producao({ sequencialNFe: 1e9 })],
    ['emissaoNFeProduto.ambienteProducao.sequencialNFe: CAMPO-TIPO', producao({ sequencialNFe: 1.5 })],
  ])('%s and nothing else, case %#', (fault, body) => {
    expect(faultsOf(body)).toEqual([fault]);
  });

  test('the code of a state belongs to the federative unit, and so does that of a city', () => {
    const place = { uf: 'RJ', codigoIbgeUf: 33, codigoIbgeCidade: 3304557 };
    expect(faultsOf(inEndereco(place))).toEqual([]);
    expect(faultsOf(inEndereco({ ...place, uf: 'DF' }))).toEqual([
      'endereco.codigoIbgeUf: CAMPO-VALOR',
      'endereco.codigoIbgeCidade: CAMPO-FAIXA',
    ]);
  });

  test('long texts take no time', () => {
    for (const email of ['@'.repeat(250_000), `a@${'b.'.repeat(125_000)} `, `${'a'.repeat(250_000)}@`]) {
      expect(faultsOf({ ...profile, email })).toEqual(['email: CAMPO-TAMANHO']);
    }
  });

  test('any JSON object is either a company or refused', () => {
    const field = fc.oneof(fc.constantFrom(...Object.keys(profile), ...Object.keys(endereco)), fc.string());
    fc.assert(
      fc.property(fc.dictionary(field, fc.jsonValue()), fc.dictionary(field, fc.jsonValue()), (fields, inner) => {
        const faults = faultsOf({ ...profile, endereco: { ...endereco, ...inner }, ...fields });
        expect(new Set(faults).size).toBe(faults.length);
      }),
    );
  });
});
