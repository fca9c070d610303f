import fc from 'fast-check';
import { fillPath } from '../contract/endpoints.ts';
import { retiredEndpoints, type RetiredEndpoint } from '../contract/retired.ts';
import type { Call } from '../contract/request.ts';
import { cnpj, cpf, nascimento } from './domain.ts';
import { shown } from './named.ts';

/** A call of a retired endpoint, with the endpoint. */
export interface RetiredCall {
  readonly retired: RetiredEndpoint;
  readonly call: Call;
}

/** Numbers that belong to nobody. */
const nobody = { cnpj: '00000000000000', cpf: '00000000000', nascimento: '01011900' };

/** One call of each of the nine retired endpoints, in their order. Section 4.3. */
export const nineRetiredCalls: readonly RetiredCall[] = retiredEndpoints.map((retired) => retiredCall(retired, nobody));

/** A call of any retired endpoint, with path variables of their legal forms. Section 2.2. */
export function anyRetiredCall(): fc.Arbitrary<RetiredCall> {
  const values = fc.record({ cnpj: cnpj(), cpf: cpf(), nascimento: nascimento() });
  return fc
    .record({ retired: fc.constantFrom(...retiredEndpoints), values })
    .map((chosen) => retiredCall(chosen.retired, chosen.values));
}

/** A body that would be harmless if the endpoint were still there. */
function retiredCall(retired: RetiredEndpoint, values: typeof nobody): RetiredCall {
  const { method, path } = retired;
  const body = { contentType: 'application/json', rawBody: Buffer.from('{"ambienteEmissao":"Homologacao"}') };
  return { retired, call: shown({ method, path: fillPath(path, values), ...(method === 'POST' ? body : {}) }) };
}
