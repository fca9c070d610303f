/** A municipality with what addresses there have in common. */
export interface Municipality {
  /** IBGE code. */
  readonly codigo: string;
  readonly descricao: string;
  readonly uf: string;
  /** The first four digits of its postcodes. */
  readonly cep: string;
  readonly ddd: string;
}

/** Where made-up companies have their seat. */
export const places: readonly Municipality[] = [
  { codigo: '3550308', descricao: 'SAO PAULO', uf: 'SP', cep: '0131', ddd: '11' },
  { codigo: '3304557', descricao: 'RIO DE JANEIRO', uf: 'RJ', cep: '2004', ddd: '21' },
  { codigo: '3106200', descricao: 'BELO HORIZONTE', uf: 'MG', cep: '3013', ddd: '31' },
  { codigo: '4106902', descricao: 'CURITIBA', uf: 'PR', cep: '8002', ddd: '41' },
  { codigo: '4205407', descricao: 'FLORIANOPOLIS', uf: 'SC', cep: '8801', ddd: '48' },
  { codigo: '4314902', descricao: 'PORTO ALEGRE', uf: 'RS', cep: '9002', ddd: '51' },
  { codigo: '5300108', descricao: 'BRASILIA', uf: 'DF', cep: '7030', ddd: '61' },
  { codigo: '5208707', descricao: 'GOIANIA', uf: 'GO', cep: '7401', ddd: '62' },
  { codigo: '2927408', descricao: 'SALVADOR', uf: 'BA', cep: '4002', ddd: '71' },
  { codigo: '2611606', descricao: 'RECIFE', uf: 'PE', cep: '5003', ddd: '81' },
  { codigo: '2304400', descricao: 'FORTALEZA', uf: 'CE', cep: '6003', ddd: '85' },
  { codigo: '1501402', descricao: 'BELEM', uf: 'PA', cep: '6601', ddd: '91' },
  { codigo: '1302603', descricao: 'MANAUS', uf: 'AM', cep: '6901', ddd: '92' },
];
