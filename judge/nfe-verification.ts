import type { ExchangeRecord } from '../trace/records.ts';
import { codeMessage } from '../schemas/messages.ts';
import { validator } from '../schemas/validate.ts';
import { isAcceptedBy, isFor, summaryOf } from './answers.ts';
import { bare } from './bare.ts';
import { judged, type ExchangePredicate } from './predicate.ts';
import { codeAndMessage } from './refusals.ts';
import { verdict } from './verdict.ts';

const faultsOfCodeMessage = validator(codeMessage);

/** Above this a body is to be refused; between a million bytes and this it may be. Section 4.1. */
const largestBytes = 1_048_576;

/** That such a document is refused with 400. */
function refusedWith400(
  clause: ExchangePredicate['clause'],
  isOne: (record: ExchangeRecord) => boolean,
): ExchangePredicate {
  return {
    clause,
    judge(record) {
      if (record.endpoint?.name !== 'nfe-verification' || !isSentAsXml(record) || !isOne(record)) return undefined;
      if (!isAcceptedBy(record, 'nfe-verification')) return codeAndMessage(record, 'nfe-verification', [400]);
      return record.isRightlySigned ? { expected: '400', actual: String(record.status) } : undefined;
    },
  };
}

function isSentAsXml({ requestHeaders }: ExchangeRecord): boolean {
  return /xml/i.test(requestHeaders.get('content-type') ?? '') && !requestHeaders.has('content-encoding');
}

/** Whether a document names the chave of an NF-e: of what is no invoice there need not be a verdict. */
function isInvoice({ requestBody }: ExchangeRecord): boolean {
  return /\sId\s?=\s?["']NFe\d{44}["']/.test(requestBody.toString('latin1'));
}

/** That an endpoint which fails for itself says so as it is to: 502, 503 and 504 may be of somebody in the way. Section 7.3. */
const systemError: ExchangePredicate = {
  clause: 'nfe-verification.system-error',
  judge(record) {
    const name = (['nfe-verification', 'chave-lookup'] as const).find((each) => isFor(record, each));
    const isError = record.status >= 500 && ![502, 503, 504].includes(record.status);
    if (!name || !isError || !record.isRightlySigned) return undefined;
    const faults = faultsOfCodeMessage(record.json);
    return judged(record.status === 500 && faults.length === 0, () => ({
      expected: '500, an object with code and message',
      actual: `${summaryOf(record)}${faults.length === 0 ? '' : `: ${faults.join('; ')}`}`,
    }));
  },
};

/** Answers to a verification. Sections 4.1, 4.2 and 7.3. */
export const nfeVerification: readonly ExchangePredicate[] = [
  bare('nfe-verification.bare', 'nfe-verification'),
  verdict('nfe-verification.validation-status', 'nfe-verification', (record) => !isInvoice(record)),
  refusedWith400('nfe-verification.empty-body', ({ requestBody }) => requestBody.length === 0),
  refusedWith400('nfe-verification.too-large', ({ requestBody }) => requestBody.length > largestBytes),
  systemError,
];
