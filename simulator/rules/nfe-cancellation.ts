import type { Invoice } from '../model.ts';
import type { Refusal } from './refusal.ts';

/** How a cancellation is taken. Section 4.1. */
export interface NfeCancellationRules {
  readonly status: number;
  /** `undefined`: an empty body. */
  readonly body: unknown;
  /** Has it done; gives why it was not. `register` has the authority do it, and gives why it does not. */
  readonly cancel: (invoice: Invoice, register: () => Refusal | undefined) => Refusal | undefined;
}

export const nfeCancellationRules: NfeCancellationRules = {
  status: 200,
  body: undefined,
  cancel({ settlement }, register) {
    if (!settlement) return stillWaiting;
    return settlement.outcome === 'Negada' ? denied : register();
  },
};

const stillWaiting: Refusal = { code: 'SIM-NFE-AGUARDANDO', message: 'A NF-e ainda aguarda autorização.' };
const denied: Refusal = { code: 'SIM-NFE-NEGADA', message: 'A NF-e foi negada: não há o que cancelar.' };
