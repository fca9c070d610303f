import fc from 'fast-check';
import { createHash, createVerify, X509Certificate } from 'node:crypto';
import { type XmlDocument, XmlElement } from 'libxml2-wasm';
import { describe, expect, test } from 'vitest';
import { invoice } from '../issuance/schema.ts';
import type { EmpresaData } from '../model.ts';
import { documentOf, layoutFaults, parsed } from '../testing/documents.ts';
import { contentOf, type Body, bodyWith, issuanceBodies, profileBody } from '../testing/invoice-bodies.ts';
import { nfeProc } from './nfe-xml.ts';

const namespaces = { n: 'http://www.portalfiscal.inf.br/nfe', d: 'http://www.w3.org/2000/09/xmldsig#' };

function xmlOf(fields: Readonly<Record<string, unknown>>, data: Partial<EmpresaData> = {}): Buffer {
  return nfeProc(documentOf(bodyWith(fields), { data })).xml;
}

/** The texts at an XPath. */
function texts(xml: Buffer, path: string): string[] {
  return parsed(xml, (document) => document.find(path, namespaces).map(({ content }) => content));
}

/** What canonical XML makes of an element: another implementation than ours. */
function canonical(document: XmlDocument, path: string): string {
  const element = document.get(path, namespaces);
  if (!(element instanceof XmlElement)) throw new Error(`there is no element ${path}`);
  return element.canonicalizeToString();
}

/** Whether the signature of a document is right, by another canonicalisation than ours. */
function isSignedRight(xml: Buffer): boolean {
  return parsed(xml, (document) => {
    const at = (path: string): string => document.get(path, namespaces)?.content ?? '';
    const certificate = new X509Certificate(Buffer.from(at('//d:X509Certificate'), 'base64'));
    const digest = createHash('sha1').update(canonical(document, '//n:infNFe')).digest('base64');
    const verifier = createVerify('RSA-SHA1').update(canonical(document, '//d:SignedInfo'));
    const isValue = verifier.verify(certificate.publicKey, at('//d:SignatureValue'), 'base64');
    return isValue && digest === at('//d:DigestValue') && `#${at('//n:infNFe/@Id')}` === at('//d:Reference/@URI');
  });
}

interface Shape {
  readonly type?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
}

/** The fields that may be left out, each by its path; `*` is every element of a list. */
function optionalIn({ properties = {}, required = [], items }: Shape, path: readonly string[] = []): string[] {
  if (items) return optionalIn(items, [...path, '*']);
  return Object.entries(properties).flatMap(([name, shape]) => {
    const own = [...path, name];
    return [...(required.includes(name) ? [] : [own.join('.')]), ...optionalIn(shape, own)];
  });
}

/** A value without the field at a path, wherever that is. */
function without(value: unknown, [step = '', ...rest]: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => without(one, rest));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([name]) => name !== step || rest.length > 0);
  return Object.fromEntries(fields.map(([name, one]) => [name, name === step ? without(one, rest) : one]));
}

describe('an optional field that is left out leaves another invoice', () => {
  const rate = { porAliquota: { aliquota: 3 } };
  const impostos = {
    percentualAproximadoTributos: { simplificado: { percentual: 9 }, fonte: 'IBPT' },
    icms: {
      situacaoTributaria: '20',
      origem: 1,
      aliquota: 18,
      baseCalculo: 90,
      modalidadeBaseCalculo: 0,
      percentualReducaoBaseCalculo: 10,
    },
    pis: { situacaoTributaria: '01', ...rate },
    cofins: { situacaoTributaria: '01', ...rate },
    ipi: { situacaoTributaria: '50', codigoEnquadramento: '301', ...rate },
    ibsCbs: {
      situacaoTributaria: '000',
      classificacaoTributaria: '000001',
      baseCalculo: 80,
      ibsUf: { aliquota: 0.1 },
      ibsMunicipio: { aliquota: 0.2 },
      cbs: { aliquota: 0.9 },
    },
  };
  const item = {
    cest: '2800100',
    extipi: '01',
    codigoBeneficioFiscal: 'SP123456',
    quantidadeTributavel: 4,
    unidadeMedidaTributavel: 'KG',
    valorTotal: 25.01,
    descontos: 5,
    informacoesAdicionais: 'Lote 7',
    impostos,
  };
  const { itens } = profileBody('autorizada');
  const body = bodyWith({
    tipoOperacao: 'Entrada',
    finalidade: 'Complementar',
    consumidorFinal: false,
    nfeReferenciada: [{ chaveAcesso: '1'.repeat(44) }],
    'cliente.indicadorContribuinteICMS': 'Contribuinte',
    'cliente.inscricaoEstadual': '123456789012',
    'cliente.inscricaoMunicipal': '77',
    'cliente.endereco.complemento': 'Sala 1',
    'cliente.endereco.codigoIbgeCidade': 3509502,
    'pedido.presencaConsumidor': 'OperacaoPresencial',
    'pedido.pagamento.formas': [{ tipo: 'Outros', valor: 100, descricao: 'Permuta' }],
    'pedido.pagamento.troco': 1,
    transporte: { frete: { modalidade: 'PorContaDoEmitente', valor: 10 } },
    itens: [itens]
      .flat()
      .slice(0, 1)
      .map((one) => Object.assign({}, one, item)),
  });
  const contentIn = (given: unknown): string => {
    const { xml } = nfeProc(documentOf(Object.fromEntries(Object.entries(given ?? {}))));
    return xml.toString('latin1').split('<Signature')[0] ?? '';
  };
  const whole = contentIn(body);
  // One word alone is possible; another name for what the invoice says itself; what only the authority looks at.
  const told = new Set(['tipo', 'pedido.presencaConsumidor', 'valorTotal']);

  test.each(optionalIn(invoice).filter((path) => !told.has(path)))('%s', (path) => {
    expect(contentIn(without(body, path.split('.')))).not.toBe(whole);
  });

  test('and all of them together are an invoice of the layout', () => {
    expect(layoutFaults(nfeProc(documentOf(body)).xml)).toBe('');
  });
});

describe('the official schema', () => {
  test('accepts the invoice of the default profile, in both environments', () => {
    expect(layoutFaults(nfeProc(documentOf(profileBody('autorizada'))).xml)).toBe('');
    expect(layoutFaults(nfeProc(documentOf(profileBody('autorizada'), { ambiente: 'Producao' })).xml)).toBe('');
  });

  test('accepts an invoice to a person', () => {
    const xml = xmlOf({ 'cliente.tipoPessoa': 'F', 'cliente.cpfCnpj': '99999999050' });
    expect(layoutFaults(xml)).toBe('');
    expect(texts(xml, '//n:dest/n:CPF')).toEqual(['99999999050']);
  });

  test('accepts a municipal registration, and the source of approximate taxes among what the invoice adds', () => {
    const xml = xmlOf({ 'cliente.inscricaoMunicipal': '123', informacoesAdicionais: 'Lote 7' });
    expect(layoutFaults(xml)).toBe('');
    expect(texts(xml, '//n:dest/n:IM | //n:infCpl')).toEqual(['123', 'Lote 7 | Fonte dos tributos aproximados: IBPT']);
  });

  test('accepts the taxes of the reform, with their sums, and an item that carries none of them', () => {
    const taxed = {
      situacaoTributaria: '000',
      classificacaoTributaria: '000001',
      ibsUf: { aliquota: 0.1 },
      ibsMunicipio: { aliquota: 0 },
      cbs: { aliquota: 0.9 },
    };
    const untaxed = { situacaoTributaria: '410', classificacaoTributaria: '410999' };
    const xml = xmlOf({
      'itens[0].impostos.ibsCbs': { ...taxed, baseCalculo: 100 },
      'itens[1].impostos.ibsCbs': untaxed,
    });
    expect(layoutFaults(xml)).toBe('');
    expect(texts(xml, '//n:det[1]//n:IBSCBS//n:vIBS | //n:det[1]//n:IBSCBS//n:vCBS')).toEqual(['0.10', '0.90']);
    expect(texts(xml, '//n:det[2]//n:IBSCBS/n:cClassTrib')).toEqual(['410999']);
    expect(texts(xml, '//n:det[2]//n:gIBSCBS')).toEqual([]);
    expect(texts(xml, '//n:IBSCBSTot/n:vBCIBSCBS | //n:IBSCBSTot//n:vCBS')).toEqual(['100.00', '0.90']);
    expect(layoutFaults(xmlOf({ 'itens[0].impostos.ibsCbs': untaxed }))).toBe('');
  });

  test('accepts 990 items', () => {
    const [item] = contentOf(profileBody('autorizada')).itens;
    expect(layoutFaults(xmlOf({ itens: Array.from({ length: 990 }, () => item) }))).toBe('');
  });

  test('accepts the largest amounts', () => {
    const largest = { quantidade: 99_999_999_999, valorUnitario: 0.0099999999, valorTotal: 999_999_999.99 };
    const [item] = contentOf(profileBody('autorizada')).itens;
    const itens = Array.from({ length: 990 }, () => ({ ...item, ...largest }));
    expect(layoutFaults(xmlOf({ itens, 'transporte.frete.valor': 999_999_999.99 }))).toBe('');
  });

  test('accepts a company of which little or something odd is known', () => {
    const odd = {
      inscricaoEstadual: '',
      inscricaoMunicipal: '12.345-6',
      nomeFantasia: '😀\u0000',
      telefoneComercial: '1',
    };
    expect(layoutFaults(xmlOf({}, { ...odd, razaoSocial: '', optanteSimplesNacional: false }))).toBe('');
    expect(layoutFaults(xmlOf({}, { razaoSocial: 'R'.repeat(200), nomeFantasia: '' }))).toBe('');
  });

  test.each([true, false])('accepts every content without faults, Simples Nacional: %s', (isSimples) => {
    fc.assert(
      fc.property(issuanceBodies(isSimples), (body) => {
        const { xml } = nfeProc(documentOf(body, { data: { optanteSimplesNacional: isSimples } }));
        expect(layoutFaults(xml)).toBe('');
      }),
    );
  });

  test('refuses what the layout does not know', () => {
    const xml = String(xmlOf({})).replace('<mod>55</mod>', '<mod>56</mod>');
    expect(layoutFaults(Buffer.from(xml))).toContain('mod');
  });
});

describe('the signature', () => {
  test('is right, by the canonicalisation of libxml2', () => {
    expect(isSignedRight(xmlOf({}))).toBe(true);
  });

  test('is right whatever the texts', () => {
    fc.assert(
      fc.property(issuanceBodies(true), (body) => {
        expect(isSignedRight(nfeProc(documentOf(body)).xml)).toBe(true);
      }),
    );
  });

  test('a company without a certificate is refused', () => {
    const input = documentOf(profileBody('autorizada'));
    const { certificate: _, ...empresa } = input.empresa;
    expect(() => nfeProc({ ...input, empresa })).toThrow('the company E1 has no certificate');
  });

  test('what is signed stands in the document as it was signed', () => {
    const xml = xmlOf({});
    const text = String(xml).replace('<infNFe ', `<infNFe xmlns="${namespaces.n}" `);
    expect(text).toContain(parsed(xml, (document) => canonical(document, '//n:infNFe')));
  });
});

describe('what the document says', () => {
  const at = (fields: Readonly<Record<string, unknown>>, path: string): string[] => texts(xmlOf(fields), path);

  test('number, series, code and check digit are those of the chave', () => {
    const input = documentOf(profileBody('autorizada'));
    const { xml } = nfeProc(input);
    const parts = texts(xml, '//n:ide/*[self::n:cUF or self::n:cNF or self::n:serie or self::n:nNF or self::n:cDV]');
    expect(parts).toEqual([input.chave.slice(0, 2), input.chave.slice(35, 43), '1', '7', input.chave.slice(-1)]);
    expect(texts(xml, '//n:infNFe/@Id | //n:chNFe')).toEqual([`NFe${input.chave}`, input.chave]);
  });

  test('times are those of Brasília', () => {
    expect(at({}, '//n:dhEmi | //n:dhRecbto')).toEqual(['2031-05-17T06:30:00-03:00', '2031-05-17T06:30:07-03:00']);
  });

  test('in Homologacao the recipient has the name that the layout demands, in Producao its own', () => {
    const body: Body = bodyWith({ 'cliente.nome': 'José & Filhos' });
    const name = (ambiente: 'Producao' | 'Homologacao'): string[] => {
      return texts(nfeProc(documentOf(body, { ambiente })).xml, '//n:dest/n:xNome | //n:tpAmb');
    };
    expect(name('Producao')).toEqual(['1', 'José & Filhos', '1']);
    expect(name('Homologacao')).toEqual(['2', 'NF-E EMITIDA EM AMBIENTE DE HOMOLOGACAO - SEM VALOR FISCAL', '2']);
  });

  test('texts come back as they were sent', () => {
    const descricao = `"Pão" & 'água' <1> ]]> ção`;
    expect(at({ 'itens[0].descricao': descricao }, '//n:xProd')[0]).toBe(descricao);
  });

  test('amounts have no binary noise', () => {
    const fields = { 'itens[0].quantidade': 0.1, 'itens[0].valorUnitario': 0.7, 'itens[0].valorTotal': null };
    expect(at(fields, '//n:det[1]//n:qCom | //n:det[1]//n:vUnCom | //n:det[1]//n:vProd')).toEqual([
      '0.1000',
      '0.7000000000',
      '0.07',
    ]);
  });

  test('totals are the sums of the items; freight goes with the first', () => {
    const fields = {
      'itens[0].descontos': 5,
      'transporte.frete.valor': 10,
      'itens[1].impostos.ipi': { situacaoTributaria: '50', porAliquota: { aliquota: 10 } },
    };
    const names = ['vProd', 'vFrete', 'vDesc', 'vIPI', 'vNF'].map((name) => `//n:ICMSTot/n:${name}`);
    expect(at(fields, names.join(' | '))).toEqual(['59.90', '10.00', '5.00', '3.49', '68.39']);
    expect(at(fields, '//n:prod/n:vFrete')).toEqual(['10.00']);
  });

  test('ICMS is computed on the value less the discount, or on the base that is given', () => {
    const icms = { situacaoTributaria: '20', aliquota: 18, percentualReducaoBaseCalculo: 10 };
    const path = '//n:det[1]//n:ICMS20/n:vBC | //n:det[1]//n:vICMS';
    expect(at({ 'itens[0].impostos.icms': icms, 'itens[0].descontos': 5 }, path)).toEqual(['18.00', '3.24']);
    expect(at({ 'itens[0].impostos.icms': { ...icms, baseCalculo: 100 } }, path)).toEqual(['90.00', '16.20']);
  });

  test.each([
    [{}, '3550308'],
    [{ 'cliente.endereco.cidade': 'SAO PAULO' }, '3550308'],
    [{ 'cliente.endereco.cidade': 'Campinas' }, '3500000'],
    [{ 'cliente.endereco.uf': 'RJ' }, '3300000'],
    [{ 'cliente.endereco.uf': 'RJ', 'cliente.endereco.cidade': 'RIO DE JANEIRO' }, '3304557'],
    [{ 'cliente.endereco.uf': 'AP', 'cliente.endereco.cidade': 'Macapa' }, '1600303'],
    [{ 'cliente.endereco.cidade': 'Campinas', 'cliente.endereco.codigoIbgeCidade': 3509502 }, '3509502'],
  ])('with %o the city of the recipient has the code %s', (fields, code) => {
    expect(at(fields, '//n:enderDest/n:cMun')).toEqual([code]);
  });

  test('taxes are rounded, halves upwards', () => {
    const rate = 'itens[0].impostos.percentualAproximadoTributos.simplificado.percentual';
    expect(at({ [rate]: 0.02 }, '//n:det[1]//n:vTotTrib')).toEqual(['0.01']);
    expect(at({ [rate]: 0.0199 }, '//n:det[1]//n:vTotTrib')).toEqual(['0.00']);
  });

  test('the taxable price is the value by the taxable quantity', () => {
    const fields = { 'itens[0].quantidadeTributavel': 4, 'itens[0].unidadeMedidaTributavel': 'KG' };
    const path = '//n:det[1]//n:uTrib | //n:det[1]//n:qTrib | //n:det[1]//n:vUnTrib';
    expect(at(fields, path)).toEqual(['KG', '4.0000', '6.2500000000']);
    expect(at({}, path)).toEqual(['UN', '2.0000', '12.5000000000']);
  });

  test('a way of payment beyond the list is described', () => {
    const way = 'pedido.pagamento.formas[0]';
    const fields = { [`${way}.tipo`]: 'Outros', [`${way}.descricao`]: 'Permuta' };
    expect(at(fields, '//n:detPag/*')).toEqual(['0', '99', 'Permuta', '59.90']);
    expect(at({ [`${way}.tipo`]: 'Outros' }, '//n:xPag')).toEqual(['Outros']);
    expect(at({ [`${way}.tipo`]: 'Pix', [`${way}.descricao`]: 'Permuta' }, '//n:xPag')).toEqual([]);
  });

  test('postcodes and telephone numbers are digits', () => {
    const fields = { 'cliente.endereco.cep': '01000-000', 'cliente.telefone': '(11) 0000-0000' };
    expect(at(fields, '//n:enderDest/n:CEP | //n:enderDest/n:fone')).toEqual(['01000000', '1100000000']);
  });

  test.each([
    ['SP', '1'],
    ['RJ', '2'],
  ])('an invoice from SP to %s is of destination %s', (uf, idDest) => {
    expect(at({ 'cliente.endereco.uf': uf }, '//n:idDest')).toEqual([idDest]);
  });
});
