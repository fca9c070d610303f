import type { Exchange } from '../../trace/exchange.ts';
import { pathCall, xmlCall } from '../../generators/calls.ts';
import { issuanceCall } from '../../generators/issuance.ts';
import type { Call } from '../../contract/request.ts';
import type { SendCall } from '../../targets/empresa.ts';
import type { JsonObject, RegistryNumbers } from '../../targets/profile.ts';
import { memberText } from './profile-answers.ts';
import { settled, type Pause } from './settlement.ts';

/** An issuance by a body of a profile, for Homologacao whatever the body says. Endpoint 5. */
export function homologationCall(empresaId: string, body: JsonObject, id: string): Call {
  return issuanceCall(empresaId, body, { id, ambienteEmissao: 'Homologacao' });
}

/** The answer to a query of an invoice once it no longer waits, or once time is up. Endpoint 6. */
export function settledQuery(send: SendCall, empresaId: string, nfeId: string, pause: Pause): Promise<Exchange> {
  return settled(() => send(pathCall('nfe-query', { empresaId, nfeId })), pause);
}

/** What the verification of a document came to. */
export interface Verified {
  readonly exchange: Exchange;
  /** `validation.validationStatus`. */
  readonly status: string | undefined;
  /** Whether that is one of the three verdicts. Section 3.2. */
  readonly isVerdict: boolean;
}

/** Has a document verified. Endpoint 8. */
export async function verify(send: SendCall, contentType: string, document: Buffer): Promise<Verified> {
  const exchange = await send({ ...xmlCall('', contentType), rawBody: document });
  const status = memberText(exchange, 'validation', 'validationStatus');
  const isVerdict = status === 'VALIDATED' || status === 'REJECTED' || status === 'VALIDATION_ERROR';
  return { exchange, status, isVerdict };
}

/** Looks a company or a person up. Endpoints 10 and 11. */
export function lookUp(
  send: SendCall,
  name: 'cnpj-lookup' | 'cpf-lookup',
  { cnpj, cpf, nascimento }: RegistryNumbers,
): Promise<Exchange> {
  return send(pathCall(name, { cnpj, cpf, nascimento }));
}
