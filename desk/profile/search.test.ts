import { describe, expect, test } from 'vitest';
import type { Call } from '../../contract/request.ts';
import { findCompanies, findCertificate, uploadsIn } from './companies.ts';
import { limits, mostDraws, type Gathered, mostUploads } from './search.ts';
import { fakeSearch, profileOf, type FakeAnswer } from '../testing/searches.ts';
import type { NfeOutcome } from '../../contract/values.ts';
import { jsonObjectIn, consultasIn, type Consultas } from '../../targets/profile.ts';
import { findIssuances } from './issuances.ts';
import { cnpjCheckDigits, cpfCheckDigits } from '../../generators/domain.ts';
import { findNumbers } from './numbers.ts';
import type { JsonObject } from '../../schemas/values.ts';

const pfx = Buffer.from([0x30, 1]);
const form = { file: 'arquivo', fields: { senha: '31415' } };

/** Folders with companies of their own, more than may be registered. */
const many = Array.from({ length: limits.companies + 2 }, (_, cnpj) =>
  profileOf({
    'empresa.json': { cnpj },
    'outra-empresa.json': { outra: cnpj },
    'certificado.json': form,
    'certificado.pfx': pfx,
    'outro-certificado.pfx': pfx,
  }),
);

/** Registers every company; which certificates are taken is for the test to say. */
function provider(takesCertificate: (count: number) => boolean) {
  const seen = { companies: 0, certificates: 0 };
  const answer = ({ path }: Call): FakeAnswer => {
    if (!path.includes('certificadoDigital')) {
      seen.companies += 1;
      return { status: 200, json: { empresaId: `e${seen.companies}` } };
    }
    seen.certificates += 1;
    return { status: takesCertificate(seen.certificates) ? 200 : 422 };
  };
  return { seen, answer };
}

describe('companies', () => {
  test('are registered until one comes with its certificate, and then a second', async () => {
    const { seen, answer } = provider(() => true);
    const { empresaId, lacking } = await findCompanies(fakeSearch(many, answer).search);
    expect({ empresaId, lacking, ...seen }).toEqual({ empresaId: 'e1', lacking: [], companies: 2, certificates: 2 });
  });

  test('without a certificate leave one registration for the second company, and no second is tried', async () => {
    const { seen, answer } = provider(() => false);
    const { empresaId, files, lacking } = await findCompanies(fakeSearch(many, answer).search);
    expect(seen.companies).toBe(limits.companies - 1);
    expect([empresaId, [...files.keys()]]).toEqual([undefined, ['empresa.json']]);
    expect(lacking.map(({ file }) => file)).toEqual([
      'certificado.pfx',
      'certificado.json',
      'outra-empresa.json',
      'outro-certificado.pfx',
    ]);
  });

  test('are so many and no more where only the first certificate is taken', async () => {
    const { seen, answer } = provider((count) => count === 1);
    const { search } = fakeSearch(many, answer);
    const { files } = await findCompanies(search);
    expect([seen.companies, search.spent.companies]).toEqual([limits.companies, limits.companies]);
    expect(files.has('outro-certificado.pfx')).toBe(false);
  });
});

const invoice = { cliente: { nome: 'x' }, itens: [{ sku: 'a' }], total: 1 };

/** Takes what is issued if it has items, and has all of it end so; which bodies it was sent. */
function authority(ends: () => string, takesAll = false) {
  const sent: JsonObject[] = [];
  const answer = ({ method, rawBody = Buffer.alloc(0) }: { method: string; rawBody?: Buffer }): FakeAnswer => {
    if (method === 'GET') return { status: 200, json: { status: ends() } };
    const body = jsonObjectIn({ path: 'body', takes: 'an object' }, rawBody);
    sent.push(body);
    return takesAll || 'itens' in body ? { status: 200 } : { status: 400, json: [{ codigo: 1, mensagem: 'itens' }] };
  };
  return { sent, answer };
}

const profile = profileOf({ 'nf-e.autorizada.json': invoice });

describe('issuances', () => {
  test('are sent for Homologacao, whatever a body says', async () => {
    const { sent, answer } = authority(() => 'Autorizada');
    const asked = profileOf({ 'nf-e.autorizada.json': { ...invoice, ambienteEmissao: 'Producao' } });
    await findIssuances(fakeSearch([asked], answer).search, 'e1');
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.map(({ ambienteEmissao }) => ambienteEmissao)).toEqual(sent.map(() => 'Homologacao'));
  });

  test('that are refused are made of the authorised one by leaving something out', async () => {
    const { answer } = authority(() => 'Autorizada');
    const { search, told } = fakeSearch([profile], answer);
    const { files, lacking } = await findIssuances(search, 'e1');
    const { itens: _, ...rest } = invoice;
    expect(JSON.parse(files.get('nf-e.invalida.json')?.toString() ?? '')).toEqual(rest);
    expect(told.at(-1)).toMatch(/^ok nf-e\.invalida\.json: .* without itens: not taken: 400/);
    expect(lacking.map(({ file }) => file)).toEqual(['nf-e.negada.json']);
  });

  test('that end otherwise are issued once more where a control API decides how they end', async () => {
    let outcome: NfeOutcome = 'Autorizada';
    const { answer } = authority(() => outcome);
    const { search } = fakeSearch([profile], answer, (wanted) => void (outcome = wanted));
    const { files, lacking } = await findIssuances(search, 'e1');
    expect(JSON.parse(files.get('nf-e.negada.json')?.toString() ?? '')).toEqual(invoice);
    expect(lacking).toEqual([]);
  });

  test('that never settle are waited for once', async () => {
    const { sent, answer } = authority(() => 'AguardandoAutorizacao');
    const more = profileOf({
      'nf-e.autorizada.json': { ...invoice, total: 2 },
      'nf-e.negada.json': { ...invoice, total: 3 },
    });
    const { files, found, lacking } = await findIssuances(fakeSearch([profile, more], answer).search, 'e1');
    expect(sent.filter((body) => 'itens' in body)).toHaveLength(1);
    expect(files.has('nf-e.autorizada.json')).toBe(true);
    expect(found[0]?.needs).toEqual(['accepted-issuance']);
    expect(lacking.map(({ file }) => file)).toEqual(['nf-e.autorizada.json', 'nf-e.negada.json']);
  });

  test('are so many and no more, at a target that takes everything', async () => {
    const { sent, answer } = authority(() => 'Cancelada', true);
    const many = Array.from({ length: 2 * limits.invoices }, (_, total) =>
      profileOf({ 'nf-e.autorizada.json': { ...invoice, total } }),
    );
    const { search } = fakeSearch(many, answer);
    await findIssuances(search, 'e1');
    expect(sent).toHaveLength(limits.invoices);
    expect(search.spent.invoices).toBe(limits.invoices);
  });
});

const consultas = {
  cnpj: '11222333000181',
  cpf: '52998224725',
  nascimento: '29021988',
  unknown: { cnpj: '99999999000191', cpf: '99999999050', nascimento: '01011980' },
};

/** The number that a lookup asks for. */
function numberIn({ path }: Call): string {
  return /consultas\/(?:cnpj|cpf)\/(\d+)/.exec(path)?.[1] ?? '';
}

/** What is found where the registries answer so, and which numbers they were asked for. */
async function foundWhere(statusOf: (number: string, asked: readonly string[]) => number, content = consultas) {
  const asked: string[] = [];
  const { search, told } = fakeSearch([profileOf({ 'consultas.json': content })], (call) => {
    asked.push(numberIn(call));
    const status = statusOf(numberIn(call), asked);
    return { status, json: status === 200 ? { nome: 'Maria de Exemplo' } : { code: 1, message: 'nada consta' } };
  });
  return { gathered: await findNumbers(search), asked, told };
}

function partsOf({ found }: Gathered): string[] {
  return found.map(({ part = '' }) => part).toSorted((a, b) => a.localeCompare(b));
}

function fileIn({ files }: Gathered): Consultas {
  const place = { path: 'consultas.json', takes: 'numbers' };
  return consultasIn(place, jsonObjectIn(place, files.get('consultas.json') ?? Buffer.alloc(0)));
}

const all = ['cnpj', 'cpf', 'unknown.cnpj', 'unknown.cpf'];
const known: readonly string[] = [consultas.cnpj, consultas.cpf];

describe('numbers', () => {
  test('that come out as a folder says are taken as they stand, each looked up once', async () => {
    const { gathered, asked } = await foundWhere((number) => (known.includes(number) ? 200 : 404));
    expect(partsOf(gathered)).toEqual(all);
    expect(fileIn(gathered)).toEqual(consultas);
    expect(asked).toHaveLength(4);
  });

  test('that are to be unknown are drawn anew, with right check digits, until one is', async () => {
    const given = new Set([...known, consultas.unknown.cnpj, consultas.unknown.cpf]);
    const drawn = (asked: readonly string[], length: number): number =>
      asked.filter((number) => number.length === length && !given.has(number)).length;
    const { gathered, asked } = await foundWhere((number, before) =>
      given.has(number) || drawn(before, number.length) < 3 ? 200 : 404,
    );
    expect(partsOf(gathered)).toEqual(all);
    expect(drawn(asked, 14)).toBe(3);
    const { unknown } = fileIn(gathered);
    expect(unknown.cnpj).toBe(unknown.cnpj.slice(0, 12) + cnpjCheckDigits(unknown.cnpj.slice(0, 12)));
    expect(unknown.cpf).toBe(unknown.cpf.slice(0, 9) + cpfCheckDigits(unknown.cpf.slice(0, 9)));
    expect([asked.includes(unknown.cnpj), given.has(unknown.cnpj)]).toEqual([true, false]);
  });

  test('are drawn so often and no more where the registries know everybody', async () => {
    const { gathered, asked } = await foundWhere(() => 200);
    expect(partsOf(gathered)).toEqual(['cnpj', 'cpf']);
    expect(gathered.lacking.map(({ part }) => part)).toEqual(['unknown.cnpj', 'unknown.cpf']);
    expect(asked).toHaveLength(2 * (2 + mostDraws));
  });

  test('of somebody who happens to exist are not taken for known ones', async () => {
    const unclear = new Set([consultas.unknown.cnpj, consultas.unknown.cpf]);
    const { gathered, asked } = await foundWhere((number) =>
      known.includes(number) ? 404 : unclear.has(number) ? 500 : 200,
    );
    expect(asked).toHaveLength(2 * (2 + mostDraws));
    expect(gathered.found).toEqual([]);
    expect(gathered.files.size).toBe(0);
  });

  test('that a folder calls unknown are taken for known ones where they are', async () => {
    const { unknown, ...others } = consultas;
    const { gathered } = await foundWhere((number) => (known.includes(number) ? 200 : 404), {
      ...unknown,
      unknown: others,
    });
    expect(partsOf(gathered)).toEqual(all);
    expect([fileIn(gathered).cnpj, fileIn(gathered).cpf]).toEqual(known);
  });

  test('prove nothing where the gateway bars the lookup or breaks', async () => {
    for (const status of [403, 500]) {
      const { gathered } = await foundWhere(() => status);
      expect(gathered.found).toEqual([]);
      expect(gathered.files.size).toBe(0);
      expect(gathered.lacking).toHaveLength(4);
    }
  });

  test('are told without what a registry says of somebody', async () => {
    const { told } = await foundWhere((number) => (known.includes(number) ? 200 : 404));
    expect(told.join('\n')).not.toContain('Maria');
    expect(told.join('\n')).toContain('this CNPJ is not known: 404: {"code":1,"message":"nada consta"}');
  });
});

const pfxOf = (mark: number): Buffer => Buffer.from([0x30, mark]);
const ownForm = { file: 'pkcs12', fields: { pin: '31415', alias: 'loja' } };
const mine = profileOf({ 'certificado.json': ownForm, 'certificado.pfx': pfxOf(1) });
const other = profileOf({ 'certificado.json': { file: 'cert', fields: { key: '2' } }, 'certificado.pfx': pfxOf(2) });
const bare = profileOf({ 'certificado.pfx': pfxOf(3) });

test('a certificate goes up first as its own folder says, that of the folder of the company before the others', () => {
  const [first, second] = uploadsIn([mine, other], 'certificado.pfx', other.folder);
  expect([first?.pfx.bytes, second?.pfx.bytes]).toEqual([pfxOf(2), pfxOf(1)]);
  expect([first?.form.form.file, second?.form.form]).toEqual(['cert', ownForm]);
});

test('it is then tried under the usual names of the part and of the password, its other fields as they are', () => {
  const forms = uploadsIn([mine], 'certificado.pfx').map((upload) => upload.form.form);
  for (const part of ['arquivo', 'file', 'certificado', 'certificate']) {
    for (const name of ['senha', 'password']) {
      expect(forms).toContainEqual({ file: part, fields: { [name]: '31415', alias: 'loja' } });
    }
  }
  expect(forms.every(({ fields }) => Object.values(fields).includes('31415'))).toBe(true);
});

test('one whose folder does not say how is tried as the others say', () => {
  const uploads = uploadsIn([bare, mine], 'certificado.pfx');
  expect(uploads.find((upload) => upload.pfx.bytes.equals(pfxOf(3)))?.form.form).toEqual(ownForm);
});

test('no upload is tried twice', () => {
  const keys = uploadsIn([mine, other, bare], 'certificado.pfx').map(({ pfx: { bytes }, form: { form: way } }) =>
    JSON.stringify([bytes.toString('hex'), way]),
  );
  expect(new Set(keys).size).toBe(keys.length);
});

test('the first that the target takes is found, and what it refused is told', async () => {
  const { search, told } = fakeSearch([], ({ rawBody = Buffer.alloc(0) }) => {
    const text = rawBody.toString('latin1');
    const isTaken = text.includes('name="certificado"') && text.includes('name="senha"\r\n\r\n31415');
    return isTaken ? { status: 200 } : { status: 400, json: { code: 1, message: 'Falta a parte certificado' } };
  });
  const found = await findCertificate(search, 'e1', 'certificado.pfx', uploadsIn([mine], 'certificado.pfx'));
  expect(found?.form.form).toEqual({ file: 'certificado', fields: { senha: '31415', alias: 'loja' } });
  expect(JSON.parse(found?.form.bytes.toString() ?? '')).toEqual(found?.form.form);
  expect(told[0]).toMatch(/^warning certificado\.pfx: .*not taken: 400: .*Falta a parte certificado/);
  expect(told.at(-1)).toMatch(/^ok .* with the names certificado, senha: taken: 200/);
});

test('a target that takes none is asked so often and no more', async () => {
  const { search, told } = fakeSearch([], () => ({ status: 422 }));
  const uploads = uploadsIn([mine, other, bare], 'certificado.pfx');
  expect(uploads.length).toBeGreaterThan(mostUploads);
  expect(await findCertificate(search, 'e1', 'certificado.pfx', uploads)).toBeUndefined();
  expect(told).toHaveLength(mostUploads);
});
