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

/** The IBGE code of each federative unit. */
export const ufCodes = {
  AC: 12,
  AL: 27,
  AM: 13,
  AP: 16,
  BA: 29,
  CE: 23,
  DF: 53,
  ES: 32,
  GO: 52,
  MA: 21,
  MG: 31,
  MS: 50,
  MT: 51,
  PA: 15,
  PB: 25,
  PE: 26,
  PI: 22,
  PR: 41,
  RJ: 33,
  RN: 24,
  RO: 11,
  RR: 14,
  RS: 43,
  SC: 42,
  SE: 28,
  SP: 35,
  TO: 17,
} as const;

/** A federative unit by its two letters. */
export type Uf = keyof typeof ufCodes;
