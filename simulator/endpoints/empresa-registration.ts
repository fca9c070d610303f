import { parseJsonObject } from '../http/json.ts';
import type { Reply } from '../http/reply.ts';
import type { RequestFacts } from '../http/request-facts.ts';
import { refuseFaults, type Fault } from '../rules/faults.ts';
import type { Call } from './call.ts';
import { readEmpresa } from './empresa-body.ts';

/** A company in JSON has about 1 kB; parsed JSON takes many times its size in memory. */
const largestBodyBytes = 1024 * 1024;

/** Registers a company of the caller's integrator; refuses with all that is wrong with it. Section 4, endpoint 2. */
export function empresaRegistrationEndpoint(request: RequestFacts, call: Call): Reply {
  const { rules, state, caller } = call;
  if (request.rawBody.length > largestBodyBytes) return refuseFaults([tooLarge], rules.faults);
  const body = parseJsonObject(request.rawBody);
  if (!body) return refuseFaults([noObject], rules.faults);
  const read = readEmpresa(body);
  if ('faults' in read) return refuseFaults(read.faults, rules.faults);
  const empresa = state.empresas.create(caller.integratorId, read.data);
  if (!empresa) return refuseFaults([repeated(read.data.cnpj)], rules.faults);
  const { status, empresaId, body: bodyOf } = rules.empresaRegistration;
  return { status, body: bodyOf(empresaId(empresa)) };
}

const tooLarge: Fault = { codigo: 'SIM-EMPRESA-CORPO', mensagem: 'O corpo da requisição é grande demais.' };
const noObject: Fault = { codigo: 'SIM-EMPRESA-CORPO', mensagem: 'O corpo deve ser um objeto JSON em UTF-8.' };

function repeated(cnpj: string): Fault {
  return { codigo: 'SIM-EMPRESA-CNPJ-REPETIDO', mensagem: `Este integrador já tem uma empresa com o cnpj ${cnpj}.` };
}
