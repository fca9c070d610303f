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
