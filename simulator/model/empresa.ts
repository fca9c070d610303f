/** Where a company is. */
export interface EmpresaEndereco {
  readonly pais: string;
  /** IBGE codes: two digits of the state, seven of the city. */
  readonly codigoIbgeUf: number;
  readonly codigoIbgeCidade: number;
  readonly uf: string;
  readonly cidade: string;
  readonly logradouro: string;
  readonly numero: string;
  readonly complemento: string;
  readonly bairro: string;
  /** Eight digits. */
  readonly cep: string;
}

/** Where the numbering of a company's invoices starts in one environment. */
export interface Numbering {
  readonly sequencialNFe: number;
  /** One to three digits. */
  readonly serieNFe: string;
}

/** What an integrator tells of a company when it registers it. Section 2.7: the contract shows none of it. */
export interface EmpresaData {
  /** 14 digits. */
  readonly cnpj: string;
  readonly inscricaoEstadual: string;
  readonly inscricaoMunicipal: string;
  readonly razaoSocial: string;
  readonly nomeFantasia: string;
  readonly optanteSimplesNacional: boolean;
  readonly incentivadorCultural: boolean;
  readonly email: string;
  readonly telefoneComercial: string;
  readonly endereco: EmpresaEndereco;
  readonly emissaoNFeProduto: {
    readonly ambienteProducao: Numbering;
    readonly ambienteHomologacao: Numbering;
  };
}

/** The certificate of a company, opened. */
export interface Certificate {
  /** Subject's common name, such as `RAZAO SOCIAL:99999991000125`. */
  readonly commonName: string;
  /** Digits that end the common name; absent where it names no CNPJ. */
  readonly cnpj?: string;
  /** Unix milliseconds. */
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  readonly certificatePem: string;
  readonly privateKeyPem: string;
}

/** A company of one integrator. */
export interface Empresa {
  readonly empresaId: string;
  readonly integratorId: string;
  readonly data: EmpresaData;
  readonly certificate?: Certificate;
}
