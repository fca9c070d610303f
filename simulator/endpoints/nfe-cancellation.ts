import { cancelAtAuthority } from '../authority/cancellation.ts';
import type { Context } from '../gateway/stage.ts';
import type { PathVariables } from '../http/path.ts';
import type { Reply } from '../http/reply.ts';
import type { RequestFacts } from '../http/request-facts.ts';
import type { Invoice } from '../model/invoice.ts';
import { refuseFaults, type Fault } from './faults.ts';
import { findInvoice } from './nfe-query.ts';

/** How a cancellation is taken. Section 4.1. */
export interface NfeCancellationRules {
  readonly status: number;
  /** `undefined`: an empty body. */
  readonly body: unknown;
  /** Has it done; gives why it was not. */
  readonly cancel: (invoice: Invoice, context: Context) => Fault | undefined;
}

export const nfeCancellationRules: NfeCancellationRules = {
  status: 200,
  body: undefined,
  cancel(invoice, context) {
    if (!invoice.settlement) return stillWaiting;
    if (invoice.settlement.outcome === 'Negada') return denied;
    return context.state.transaction(() => {
      const refusal = cancelAtAuthority(invoice, context.nowMs, context);
      if (!refusal) context.state.verifications.forgetVerdicts(invoice.chave);
      return refusal;
    });
  },
};

const stillWaiting: Fault = { codigo: 'SIM-NFE-AGUARDANDO', mensagem: 'A NF-e ainda aguarda autorização.' };
const denied: Fault = { codigo: 'SIM-NFE-NEGADA', mensagem: 'A NF-e foi negada: não há o que cancelar.' };

/** Cancels an invoice of the caller's; 404 for any other, 400 for one that can't be cancelled. */
export function nfeCancellationEndpoint(_request: RequestFacts, context: Context, variables: PathVariables): Reply {
  const { rules } = context;
  const found = findInvoice(context, variables);
  if ('fault' in found) return refuseFaults([found.fault], rules.faults, 404);
  const fault = rules.nfeCancellation.cancel(found.invoice, context);
  if (fault) return refuseFaults([fault], rules.faults);
  return { status: rules.nfeCancellation.status, body: rules.nfeCancellation.body };
}
