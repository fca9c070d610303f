import type { FiscalState } from '../../contract/values.ts';
import type { AuthorityRecord } from '../model/authority-record.ts';
import type { Findings } from '../model/findings.ts';
import { isAuthorisation } from './authority-answer.ts';

/** Why an invoice is rejected, as stable English text: by itself, by its state, or by what was authorised. Section 2.4. */
export function rejection(findings: Findings, record: AuthorityRecord): string | undefined {
  return findings.fault ?? reasonOfState[record.status] ?? contradiction(findings, record);
}

const reasonOfState: Partial<Readonly<Record<FiscalState, string>>> = {
  Cancelada: 'The invoice was cancelled.',
  Denegada: 'The use of the invoice was denied.',
  Inutilizada: 'The number of the invoice was voided.',
  NaoEncontrada: 'The tax authority has no record of the invoice.',
};

/** What the document says of its authorisation and the authority does not. */
function contradiction({ digestValue, protocol }: Findings, record: AuthorityRecord): string | undefined {
  const { protocolo, dataAutorizacao, status } = record;
  if (differ(digestValue, protocolo?.digestValue)) return 'The tax authority authorised another content.';
  if (!protocol || status !== 'Autorizada') return undefined;
  if (!isAuthorisation(protocol.cStat)) return 'The protocol in the document is no authorisation.';
  if (differ(protocol.numero, protocolo?.numero)) return 'The protocol number is not the one on record.';
  if (differ(secondOf(protocol.receivedAt), secondOf(dataAutorizacao)))
    return 'The authorisation time is not the one on record.';
  return undefined;
}

/** Whether two texts are both known and not the same. */
function differ(one: string | null | undefined, other: string | null | undefined): boolean {
  return Boolean(one) && Boolean(other) && one !== other;
}

/** Protocols go by whole seconds. */
function secondOf(time: string | null): string | null {
  return time === null ? null : new Date(time).toISOString().slice(0, 19);
}
