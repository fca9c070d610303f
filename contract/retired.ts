import type { EndpointName } from './endpoints.ts';

/** An endpoint that answers 410 since 2026-09-04. Section 4.3. */
export interface RetiredEndpoint {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** The endpoint that its 410 message names. */
  readonly replacement: EndpointName;
  /** The field of the replacement's answer that took over, where the contract names one. */
  readonly field?: string;
}

/** The nine retired endpoints with their replacements. Section 4.3. */
export const retiredEndpoints: readonly RetiredEndpoint[] = [
  { method: 'POST', path: '/openapi/nfe/invoice/create', replacement: 'nfe-issuance' },
  { method: 'POST', path: '/openapi/nfe/invoice/query', replacement: 'nfe-query' },
  { method: 'POST', path: '/openapi/nfe/invoice/cancel', replacement: 'nfe-cancellation' },
  { method: 'POST', path: '/openapi/nfe/invoice/status', replacement: 'nfe-query', field: 'status' },
  { method: 'POST', path: '/openapi/nfe/invoice/danfe', replacement: 'nfe-query', field: 'linkDanfe' },
  { method: 'POST', path: '/openapi/nfe/verify/xml', replacement: 'nfe-verification' },
  { method: 'POST', path: '/openapi/nfe/verify/chave', replacement: 'chave-lookup' },
  { method: 'GET', path: '/openapi/cadastro/cnpj/{cnpj}', replacement: 'cnpj-lookup' },
  { method: 'GET', path: '/openapi/cadastro/cpf/{cpf}/{nascimento}', replacement: 'cpf-lookup' },
];
