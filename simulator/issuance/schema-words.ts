/**
 * Kinds of fields. Where a field has a pattern, its `description` completes the Portuguese sentence "deve ter …".
 * `decimals` is a keyword of ours: the most decimal places that a number may have.
 */

/** A text that the layout can hold: Latin-1 without control characters, so many characters long. */
export function text<const Min extends number, const Max extends number>(minLength: Min, maxLength: Max) {
  return {
    type: 'string',
    minLength,
    maxLength,
    pattern: '^[ -ÿ]*$',
    description: 'só caracteres de U+0020 a U+00FF',
  } as const;
}

/** A text of a given form. */
export function form<const Pattern extends string, const Description extends string>(
  pattern: Pattern,
  description: Description,
) {
  return { type: 'string', pattern, description } as const;
}

/** One of some texts. */
export function oneOf<const Word extends string>(words: readonly Word[]) {
  return { type: 'string', enum: words } as const;
}

/** An amount within an item: so small that the sum over all items of an invoice still fits into the layout. */
export const itemAmount = { type: 'number', minimum: 0, maximum: 999_999_999.99, decimals: 2 } as const;

/** An amount of the whole invoice. */
export const amount = { type: 'number', minimum: 0, maximum: 9_999_999_999_999.99, decimals: 2 } as const;

export const percentage = { type: 'number', minimum: 0, maximum: 100, decimals: 4 } as const;

/** The words of an issuance, each with the code that the layout of the NF-e has for it. */

export const tiposOperacao = { Entrada: '0', Saida: '1' } as const;

export const finalidades = { Normal: '1', Complementar: '2', Ajuste: '3', DevolucaoMercadoria: '4' } as const;

export const presencas = {
  NaoSeAplica: '0',
  OperacaoPresencial: '1',
  OperacaoPelaInternet: '2',
  OperacaoPorTeleatendimento: '3',
  OperacaoPresencialForaDoEstabelecimento: '5',
  OperacaoNaoPresencialOutros: '9',
} as const;

export const indicadoresContribuinte = { Contribuinte: '1', Isento: '2', NaoContribuinte: '9' } as const;

export const modalidadesFrete = {
  PorContaDoEmitente: '0',
  PorContaDoDestinatario: '1',
  PorContaDeTerceiros: '2',
  ProprioPorContaDoRemetente: '3',
  ProprioPorContaDoDestinatario: '4',
  SemFrete: '9',
} as const;

export const tiposPagamento = { PagamentoAVista: '0', PagamentoAPrazo: '1' } as const;

export const formasPagamento = {
  Dinheiro: '01',
  Cheque: '02',
  CartaoDeCredito: '03',
  CartaoDeDebito: '04',
  CreditoLoja: '05',
  ValeAlimentacao: '10',
  ValeRefeicao: '11',
  ValePresente: '12',
  ValeCombustivel: '13',
  DuplicataMercantil: '14',
  BoletoBancario: '15',
  DepositoBancario: '16',
  Pix: '17',
  TransferenciaBancaria: '18',
  ProgramaFidelidade: '19',
  SemPagamento: '90',
  Outros: '99',
} as const;

/** The words of such a table. */
export function wordsOf<T extends object>(table: T): (keyof T & string)[] {
  return Object.keys(table).filter((word): word is keyof T & string => word in table);
}

/** The capital of each state, by its IBGE code: what the simulator knows of cities. */
export const capitals = {
  RO: ['Porto Velho', 1_100_205],
  AC: ['Rio Branco', 1_200_401],
  AM: ['Manaus', 1_302_603],
  RR: ['Boa Vista', 1_400_100],
  PA: ['Belém', 1_501_402],
  AP: ['Macapá', 1_600_303],
  TO: ['Palmas', 1_721_000],
  MA: ['São Luís', 2_111_300],
  PI: ['Teresina', 2_211_001],
  CE: ['Fortaleza', 2_304_400],
  RN: ['Natal', 2_408_102],
  PB: ['João Pessoa', 2_507_507],
  PE: ['Recife', 2_611_606],
  AL: ['Maceió', 2_704_302],
  SE: ['Aracaju', 2_800_308],
  BA: ['Salvador', 2_927_408],
  MG: ['Belo Horizonte', 3_106_200],
  ES: ['Vitória', 3_205_309],
  RJ: ['Rio de Janeiro', 3_304_557],
  SP: ['São Paulo', 3_550_308],
  PR: ['Curitiba', 4_106_902],
  SC: ['Florianópolis', 4_205_407],
  RS: ['Porto Alegre', 4_314_902],
  MS: ['Campo Grande', 5_002_704],
  MT: ['Cuiabá', 5_103_403],
  GO: ['Goiânia', 5_208_707],
  DF: ['Brasília', 5_300_108],
} as const satisfies Readonly<Record<string, readonly [name: string, code: number]>>;

/** The IBGE code of a state: the codes of all of its cities begin with it. */
export function ufCode(uf: keyof typeof capitals): number {
  return Math.floor(capitals[uf][1] / 100_000);
}
