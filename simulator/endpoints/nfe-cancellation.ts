import { cancelAtAuthority } from '../authority/cancellation.ts';
import type { PathVariables } from '../http/path.ts';
import type { Reply } from '../http/reply.ts';
import type { RequestFacts } from '../http/request-facts.ts';
import type { Invoice } from '../model/invoice.ts';
import type { Refusal } from '../rules/refusal.ts';
import type { Call } from './call.ts';
import { findInvoice } from './nfe-query.ts';

/** Cancels an invoice of the caller's; 404 for any other, 400 for one that can't be cancelled. */
export function nfeCancellationEndpoint(_request: RequestFacts, call: Call, variables: PathVariables): Reply {
  const { rules } = call;
  const found = findInvoice(call, variables);
  if ('refusal' in found) return call.refuse(found.refusal);
  const refusal = rules.nfeCancellation.cancel(found.invoice, () => register(found.invoice, call));
  if (refusal) return call.refuse(refusal);
  return { status: rules.nfeCancellation.status, body: rules.nfeCancellation.body };
}

/** Has the authority register a cancellation, after which no verdict on the invoice holds; gives why it does not. */
function register(invoice: Invoice, call: Call): Refusal | undefined {
  const { state, nowMs } = call;
  return state.transaction(() => {
    const refusal = cancelAtAuthority(invoice, nowMs, call);
    if (!refusal) state.verifications.forgetVerdicts(invoice.chave);
    return refusal;
  });
}
