/** What a made-up company does. */
export interface Activity {
  /** CNAE subclass: seven digits. */
  readonly codigo: string;
  readonly descricao: string;
  /** How it stands in the name of the company. */
  readonly inName: string;
}

/** What made-up companies do. */
export const activities: readonly Activity[] = [
  {
    codigo: '4711302',
    descricao: 'Comércio varejista de mercadorias em geral, com predominância de produtos alimentícios - supermercados',
    inName: 'SUPERMERCADOS',
  },
  { codigo: '4761003', descricao: 'Comércio varejista de artigos de papelaria', inName: 'PAPELARIA' },
  {
    codigo: '4781400',
    descricao: 'Comércio varejista de artigos do vestuário e acessórios',
    inName: 'CONFECCOES',
  },
  { codigo: '5611201', descricao: 'Restaurantes e similares', inName: 'RESTAURANTE' },
  {
    codigo: '6201501',
    descricao: 'Desenvolvimento de programas de computador sob encomenda',
    inName: 'SISTEMAS',
  },
  { codigo: '6920601', descricao: 'Atividades de contabilidade', inName: 'CONTABILIDADE' },
  {
    codigo: '4520001',
    descricao: 'Serviços de manutenção e reparação mecânica de veículos automotores',
    inName: 'OFICINA MECANICA',
  },
  {
    codigo: '8211300',
    descricao: 'Serviços combinados de escritório e apoio administrativo',
    inName: 'SERVICOS ADMINISTRATIVOS',
  },
];
