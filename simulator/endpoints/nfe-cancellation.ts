import { cancelAtAuthority } from '../authority/cancellation.ts';
import type { Context } from '../gateway/stage.ts';
import type { PathVariables } from '../http/path.ts';
import type { Reply } from '../http/reply.ts';
import type { RequestFacts } from '../http/request-facts.ts';
import type { Invoice } from '../model/invoice.ts';
import { refuseFaults, type Fault } from '../rules/faults.ts';
import { findInvoice } from './nfe-query.ts';

/** Cancels an invoice of the caller's; 404 for any other, 400 for one that can't be cancelled. */
export function nfeCancellationEndpoint(_request: RequestFacts, context: Context, variables: PathVariables): Reply {
  const { rules } = context;
  const found = findInvoice(context, variables);
  if ('fault' in found) return refuseFaults([found.fault], rules.faults, 404);
  const fault = rules.nfeCancellation.cancel(found.invoice, () => register(found.invoice, context));
  if (fault) return refuseFaults([fault], rules.faults);
  return { status: rules.nfeCancellation.status, body: rules.nfeCancellation.body };
}

/** Has the authority register a cancellation, after which no verdict on the invoice holds; gives why it does not. */
function register(invoice: Invoice, context: Context): Fault | undefined {
  const { state, nowMs } = context;
  return state.transaction(() => {
    const refusal = cancelAtAuthority(invoice, nowMs, context);
    if (!refusal) state.verifications.forgetVerdicts(invoice.chave);
    return refusal;
  });
}
