import { parseJsonObject } from '../http/json.ts';
import type { Reply } from '../http/reply.ts';
import type { RequestFacts } from '../http/request-facts.ts';
import type { Refusal } from '../rules/refusal.ts';
import type { Call } from './call.ts';
import { readEmpresa } from './empresa-body.ts';

/** A company in JSON has about 1 kB; parsed JSON takes many times its size in memory. */
const largestBodyBytes = 1024 * 1024;

/** Registers a company of the caller's integrator; refuses with all that is wrong with it. Section 4, endpoint 2. */
export function empresaRegistrationEndpoint(request: RequestFacts, call: Call): Reply {
  const { rules, state, caller } = call;
  if (request.rawBody.length > largestBodyBytes) return call.refuse(tooLarge);
  const body = parseJsonObject(request.rawBody);
  if (!body) return call.refuse(noObject);
  const read = readEmpresa(body, rules.empresaRegistration.isCnpj);
  if ('faults' in read) return call.refuse(...read.faults);
  const empresa = state.empresas.create(caller.integratorId, read.data);
  if (!empresa) return call.refuse(repeated(read.data.cnpj));
  const { status, empresaId, body: bodyOf } = rules.empresaRegistration;
  return { status, body: bodyOf(empresaId(empresa)) };
}

const tooLarge: Refusal = { code: 'SIM-EMPRESA-CORPO', message: 'O corpo da requisição é grande demais.' };
const noObject: Refusal = { code: 'SIM-EMPRESA-CORPO', message: 'O corpo deve ser um objeto JSON em UTF-8.' };

function repeated(cnpj: string): Refusal {
  return { code: 'SIM-EMPRESA-CNPJ-REPETIDO', message: `Este integrador já tem uma empresa com o cnpj ${cnpj}.` };
}
