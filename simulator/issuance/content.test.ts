import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Refusal } from '../rules/refusal.ts';
import { contentOf, type Body, bodyWith, issuanceBodies, profileBody } from '../testing/invoice-bodies.ts';
import { readContent } from './content.ts';
import { decimalPlaces, decimalText, divided, rescaled, scaled } from './amounts.ts';

const contentFaults = (body: Body): readonly Refusal[] => {
  const read = readContent(body);
  return 'faults' in read ? read.faults : [];
};
const codes = (fields: Readonly<Record<string, unknown>>): string[] =>
  contentFaults(bodyWith(fields)).map(({ code }) => String(code).replace('SIM-NFE-CAMPO-', ''));
const messages = (fields: Readonly<Record<string, unknown>>): string[] =>
  contentFaults(bodyWith(fields)).map(({ message }) => (typeof message === 'string' ? message : message.pt));

describe('the default profile', () => {
  test.each(['autorizada', 'negada'] as const)('its invoice "%s" has no fault', (name) => {
    expect(contentFaults(profileBody(name))).toEqual([]);
  });

  test('its invalid invoice lacks its items', () => {
    expect(contentFaults(profileBody('invalida'))).toEqual([
      { code: 'SIM-NFE-CAMPO-AUSENTE', message: 'itens é obrigatório' },
    ]);
  });
});

test('generated bodies have no fault', () => {
  const bodies = fc.oneof(issuanceBodies(true), issuanceBodies(false));
  fc.assert(
    fc.property(bodies, (body) => {
      expect(contentFaults(body)).toEqual([]);
    }),
  );
});

describe('missing fields', () => {
  test.each([
    'naturezaOperacao',
    'cliente',
    'pedido',
    'itens',
    'pedido.pagamento',
    'pedido.pagamento.formas',
    'cliente.tipoPessoa',
    'cliente.cpfCnpj',
    'cliente.nome',
    'cliente.endereco',
    'cliente.endereco.uf',
    'itens[1].ncm',
    'itens[0].quantidade',
    'itens[0].impostos.icms.situacaoTributaria',
  ])('%s is required; null and an empty text are as good as nothing', (path) => {
    for (const nothing of [undefined, null, '', ' \n'])
      expect(messages({ [path]: nothing })).toEqual([`${path} é obrigatório`]);
  });

  test.each(['transporte', 'valorTotal', 'informacoesAdicionais', 'itens[0].valorTotal', 'cliente.endereco.cep'])(
    '%s may be missing',
    (path) => {
      for (const nothing of [undefined, null]) expect(messages({ [path]: nothing })).toEqual([]);
    },
  );
});

describe('wrong fields', () => {
  test.each([
    ['naturezaOperacao', 1, 'TIPO'],
    ['naturezaOperacao', 'a'.repeat(61), 'TAMANHO'],
    ['cliente', 'nome', 'TIPO'],
    ['cliente', [], 'TIPO'],
    ['cliente.tipoPessoa', 'X', 'VALOR'],
    ['cliente.tipoPessoa', 'F', 'FORMATO'],
    ['cliente.cpfCnpj', '9999999900019', 'FORMATO'],
    ['cliente.cpfCnpj', '12abc34501de35', 'FORMATO'],
    ['cliente.nome', 'a'.repeat(61), 'TAMANHO'],
    ['cliente.nome', 'a', 'TAMANHO'],
    ['cliente.email', 'ninguem', 'FORMATO'],
    ['cliente.endereco.uf', 'EX', 'VALOR'],
    ['cliente.endereco.uf', 'sp', 'VALOR'],
    ['cliente.endereco.cep', '0100000', 'FORMATO'],
    ['cliente.inscricaoEstadual', 'isento', 'FORMATO'],
    ['cliente.endereco.codigoIbgeCidade', 3550308.5, 'TIPO'],
    ['tipoOperacao', 'Venda', 'VALOR'],
    ['consumidorFinal', 'true', 'TIPO'],
    ['transporte.frete.modalidade', 'Gratis', 'VALOR'],
    ['transporte.frete.valor', -1, 'FAIXA'],
    ['pedido.pagamento.formas', [], 'QUANTIDADE'],
    ['pedido.pagamento.formas[0].tipo', 'Ouro', 'VALOR'],
    ['pedido.pagamento.formas[0].valor', '59.90', 'TIPO'],
    ['pedido.pagamento.formas[0].valor', 59.901, 'CASAS'],
    ['itens', {}, 'TIPO'],
    ['itens', [], 'QUANTIDADE'],
    ['itens[0]', null, 'TIPO'],
    ['itens[0].cfop', '510', 'FORMATO'],
    ['itens[0].cfop', '4102', 'FORMATO'],
    ['itens[0].cfop', 5102, 'TIPO'],
    ['itens[0].ncm', '4820200', 'FORMATO'],
    ['itens[0].ncm', '٤٨٢٠٢٠٠٠', 'FORMATO'],
    ['itens[0].descricao', 'a'.repeat(121), 'TAMANHO'],
    ['itens[0].unidadeMedida', 'UNIDADE', 'TAMANHO'],
    ['itens[0].quantidade', 0, 'FAIXA'],
    ['itens[0].quantidade', -1, 'FAIXA'],
    ['itens[0].quantidade', 1.00001, 'CASAS'],
    ['itens[0].quantidade', 1e300, 'FAIXA'],
    ['itens[0].valorUnitario', 0, 'FAIXA'],
    ['itens[0].valorUnitario', Infinity, 'TIPO'],
    ['itens[0].valorUnitario', 1e-11, 'CASAS'],
    ['itens[0].valorTotal', 1_000_000_000, 'FAIXA'],
    ['itens[0].descontos', 25.01, 'FAIXA'],
    ['itens[0].impostos.icms.situacaoTributaria', '10', 'VALOR'],
    ['itens[0].impostos.icms.origem', 9, 'FAIXA'],
    ['itens[0].impostos.pis.situacaoTributaria', '03', 'VALOR'],
    ['itens[0].impostos.icms.aliquota', 100.1, 'FAIXA'],
    ['informacoesAdicionais', 'a'.repeat(5001), 'TAMANHO'],
    ['nfeReferenciada', [{ chaveAcesso: '1' }], 'FORMATO'],
  ])('%s %j is refused for its %s', (path, value, code) => {
    expect(codes({ [path]: value })).toEqual([code]);
  });

  test('quantity times price may not exceed what an item can be worth', () => {
    const fields = { 'itens[0].valorTotal': null, 'itens[0].quantidade': 1000, 'itens[0].valorUnitario': 1_000_000 };
    expect(messages(fields)).toEqual(['itens[0].valorTotal deve ser no máximo 999999999.99']);
  });

  test.each([
    ['itens[0].ncm', '00'],
    ['itens[0].quantidade', 0.0001],
    ['itens[0].valorUnitario', 12.5000000001],
    ['cliente.endereco.cep', '01000-000'],
    ['cliente.endereco.numero', 'S/N'],
    ['cliente.inscricaoEstadual', 'ISENTO'],
    ['itens[0].descontos', 25],
    ['itens[0].descricao', 'ç'.repeat(120)],
    ['itens[0].descricao', `${'c\u0327'.repeat(120)}\r\n`],
  ])('%s %j is accepted', (path, value) => {
    expect(codes({ [path]: value })).toEqual([]);
  });

  test('990 items are accepted, 991 are not', () => {
    const [item] = contentOf(profileBody('autorizada')).itens;
    expect(codes({ itens: Array.from({ length: 990 }, () => item) })).toEqual([]);
    expect(codes({ itens: Array.from({ length: 991 }, () => item) })).toEqual(['QUANTIDADE']);
  });
});

describe('characters', () => {
  test.each(['\u0000', '\u0008', '\u000b', '\u000c', '\u001f', '\ud800', '\udc00', '\ufffe', '\uffff', '–', '😀'])(
    'a text with %j is refused, wherever it stands',
    (character) => {
      for (const text of [character, `a${character}`, `${character}a`, `a${character}b`]) {
        expect(codes({ 'itens[0].descricao': text })).toEqual(['FORMATO']);
      }
    },
  );

  test('line breaks and tabs become spaces, accents are composed', () => {
    const { informacoesAdicionais } = contentOf(
      bodyWith({ informacoesAdicionais: ' Linha 1\r\n\tac\u0327a\u0303o  2\n' }),
    );
    expect(informacoesAdicionais).toBe('Linha 1 ação 2');
  });
});

describe('all at once', () => {
  test('every faulty field is named once, with its path', () => {
    const fields = {
      naturezaOperacao: '\u0001'.repeat(61),
      'itens[0].ncm': 1,
      'itens[1].descontos': 99,
      'cliente.endereco.uf': null,
    };
    expect(messages(fields).toSorted()).toEqual([
      'cliente.endereco.uf é obrigatório',
      'itens[0].ncm deve ser um texto',
      'itens[1].descontos deve ser no máximo o valor do item',
      'naturezaOperacao deve ter de 1 a 60 caracteres',
    ]);
  });

  test('at most a hundred faults are listed', () => {
    expect(codes({ itens: Array.from({ length: 500 }, () => 1) })).toHaveLength(100);
  });
});

describe('bodies made to hurt', () => {
  const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));

  test.each(['itens', 'cliente', 'naturezaOperacao', 'itens[0].impostos', 'pedido.pagamento.formas', 'outro'])(
    'a deeply nested %s does no harm',
    (path) => {
      expect(codes({ [path]: nested(100_000) }).length).toBeLessThan(3);
    },
  );

  test.each(['@', '1', ' ', 'ç', '\u0000'])('a megabyte of %j is soon refused in every text', (character) => {
    const text = `${character.repeat(1_000_000)}\u0000`;
    const paths = ['naturezaOperacao', 'cliente.email', 'cliente.cpfCnpj', 'cliente.telefone', 'itens[0].ncm'];
    expect(messages(Object.fromEntries(paths.map((path) => [path, text])))).toHaveLength(paths.length);
  });

  test('a million items are not looked through', () => {
    expect(codes({ itens: Array.from({ length: 1_000_000 }, () => ({})) })).toHaveLength(100);
  });

  test('unknown fields are ignored, whatever they are called', () => {
    const body: unknown = JSON.parse('{"__proto__":{"tipo":1},"constructor":1,"toString":null,"extra":[1]}');
    const unknown = Object.fromEntries(Object.entries(body ?? {}));
    expect(contentFaults({ ...unknown, ...profileBody('autorizada') })).toEqual([]);
  });

  test('no JSON makes it crash', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('itens', 'cliente', 'pedido', 'tipo', 'x'), fc.jsonValue()), (body) => {
        expect(contentFaults(body).length).toBeGreaterThan(0);
      }),
    );
  });
});

describe('readContent', () => {
  test('gives the known fields', () => {
    const content = contentOf({ ...profileBody('autorizada'), extra: 1, id: 'a' });
    expect(Object.keys(content)).not.toContain('extra');
    expect(content.itens[0]).toMatchObject({ codigo: 'CADERNO-01', quantidade: 2 });
    expect(content.cliente.endereco).not.toHaveProperty('complemento');
  });
});

describe('scaled', () => {
  test.each([
    [59.9, 2, 5990n],
    [0.1, 2, 10n],
    [1.005, 2, 101n],
    [2.675, 2, 268n],
    [-1.005, 2, -101n],
    [1e-7, 10, 1000n],
    [1e-7, 2, 0n],
    [1.5e-7, 8, 15n],
    [1e21, 2, 10n ** 23n],
    [9999999999999.99, 2, 999999999999999n],
    [0, 4, 0n],
  ])('%d with %i places is %i', (value, places, units) => {
    expect(scaled(value, places)).toBe(units);
  });

  test('a number of so many hundredths comes back as these hundredths', () => {
    const hundredths = fc.integer({ min: -999_999_999_999, max: 999_999_999_999 });
    fc.assert(fc.property(hundredths, (units) => scaled(units / 100, 2) === BigInt(units)));
  });
});

describe('rescaled and divided', () => {
  test.each([
    [25n, 1, 0, 3n],
    [-25n, 1, 0, -3n],
    [24n, 1, 0, 2n],
    [3n, 0, 2, 300n],
  ])('%i units from %i to %i places are %i', (units, from, to, result) => {
    expect(rescaled(units, from, to)).toBe(result);
  });

  test.each([
    [7n, 2n, 4n],
    [-7n, 2n, -4n],
    [7n, -2n, -4n],
    [10n, 3n, 3n],
    [11n, 3n, 4n],
  ])('%i by %i is %i', (units, by, result) => {
    expect(divided(units, by)).toBe(result);
  });
});

describe('text', () => {
  test.each([
    [1250n, 2, '12.50'],
    [5n, 2, '0.05'],
    [0n, 2, '0.00'],
    [-5n, 2, '-0.05'],
    [12n, 0, '12'],
  ])('%i with %i places reads %s', (units, places, text) => {
    expect(decimalText(units, places)).toBe(text);
  });

  test.each([
    [1, 0],
    [0.5, 1],
    [12.3456, 4],
    [1e-7, 7],
    [1.25e-7, 9],
    [1e21, 0],
  ])('%d is written with %i places', (value, places) => {
    expect(decimalPlaces(value)).toBe(places);
  });
});
