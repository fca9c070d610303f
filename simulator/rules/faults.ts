import type { Reply } from '../http/reply.ts';

/** One thing that is wrong with a request. The codes are the simulator's own: the contract shows none. Section 7.4. */
export interface Fault {
  /** Starts with `SIM-`. */
  readonly codigo: string;
  /** In Portuguese; names the field where there is one. */
  readonly mensagem: string;
}

/** How endpoints 2 to 7 refuse. Section 7.3. */
export interface FaultsRules {
  /** The body of a refusal, of all that is wrong. */
  readonly body: (faults: readonly Fault[]) => unknown;
}

export const faultsRules: FaultsRules = { body: (faults) => faults };

/** Refuses with everything that is wrong. */
export function refuseFaults(faults: readonly Fault[], { body }: FaultsRules, status: 400 | 404 = 400): Reply {
  return { status, body: body(faults) };
}

/** What is wrong where no company of the caller has that id: the same whether it is another's or nobody's. */
export const unknownEmpresa: Fault = {
  codigo: 'SIM-EMPRESA-DESCONHECIDA',
  mensagem: 'A empresa não existe ou não pertence a este integrador.',
};
