/** How a registry holds a number. */
export interface Situation {
  readonly codigo: string;
  readonly descricao: string;
}

/** How it holds a company, and why. */
export interface CompanySituation extends Situation {
  /** Empty for an active one. */
  readonly motivo: string;
}

const active: CompanySituation = { codigo: '2', descricao: 'ATIVA', motivo: '' };

/** By the branch of a CNPJ, digits 9 to 12: 90 and the code of the situation. */
const companySituations: Readonly<Record<string, CompanySituation>> = {
  9001: { codigo: '1', descricao: 'NULA', motivo: 'INSCRICAO INDEVIDA' },
  9003: { codigo: '3', descricao: 'SUSPENSA', motivo: 'INCONSISTENCIA CADASTRAL' },
  9004: { codigo: '4', descricao: 'INAPTA', motivo: 'OMISSAO DE DECLARACOES' },
  9008: { codigo: '8', descricao: 'BAIXADA', motivo: 'ENCERRAMENTO VOLUNTARIO' },
};

const regular: Situation = { codigo: '0', descricao: 'REGULAR' };

/** By the first three digits of a CPF: 90 and the code of the situation. */
const personSituations: Readonly<Record<string, Situation>> = {
  902: { codigo: '2', descricao: 'SUSPENSA' },
  903: { codigo: '3', descricao: 'TITULAR FALECIDO' },
  904: { codigo: '4', descricao: 'PENDENTE DE REGULARIZAÇÃO' },
  905: { codigo: '5', descricao: 'CANCELADA POR MULTIPLICIDADE' },
  908: { codigo: '8', descricao: 'NULA' },
  909: { codigo: '9', descricao: 'CANCELADA DE OFÍCIO' },
};

/** The situation of a company: active, unless its branch says otherwise. */
export function companySituation(cnpj: string): CompanySituation {
  return companySituations[branchOf(cnpj)] ?? active;
}

/** Whether the registry has that CNPJ: any but those of branch 0404. */
export function isCompanyKnown(cnpj: string): boolean {
  return branchOf(cnpj) !== '0404';
}

/** The situation of a person: regular, unless the number starts otherwise. */
export function personSituation(cpf: string): Situation {
  return personSituations[cpf.slice(0, 3)] ?? regular;
}

/** Whether the registry has that CPF: any but those that start with 404. */
export function isPersonKnown(cpf: string): boolean {
  return !cpf.startsWith('404');
}

function branchOf(cnpj: string): string {
  return cnpj.slice(8, 12);
}
