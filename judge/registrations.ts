import { registration } from '../schemas/messages.ts';
import { validator } from '../schemas/validate.ts';
import {
  contentOf,
  isAcceptedBy,
  codeOf,
  isFor,
  isOfMoment,
  isPage,
  isRefusedForContent,
  notJson,
  summaryOf,
} from './answers.ts';
import { before, isCall, isJustBefore } from './history.ts';
import type { ExchangeRecord } from '../trace/records.ts';
import { bare, status200 } from './endpoints.ts';
import { judged, type ExchangePredicate, type HistoryPredicate, ofHistory, predicate } from './predicate.ts';
import { codes } from '../contract/values.ts';

const faultsOfRegistration = validator(registration);

/**
 * That what is accepted was not refused just before, byte for byte the same. Of an address for callbacks nobody asks that: whether it
 * could be reached at that moment may decide.
 */
export const registrationsAgain: readonly HistoryPredicate[] = (
  ['empresa-registration', 'certificado-association'] as const
).map((name) =>
  ofHistory(`${name}.status-200`, 'application', (latest, earlier) => {
    // A page of what stands before the service accepts nothing.
    if (!isCall(latest, name) || !isAcceptedBy(latest, name) || isPage(latest)) return undefined;
    const same = before(latest, earlier).findLast(
      (one): one is ExchangeRecord =>
        isCall(one, name) && one.target === latest.target && one.requestBody.equals(latest.requestBody),
    );
    if (!same || !isRefusedForContent(same.status) || isOfMoment(same.status) || !isJustBefore(same, latest, earlier))
      return undefined;
    return {
      expected: 'a registration accepted each time, or not at all',
      actual: `refused by ${summaryOf(same)}; the next time, byte for byte the same, it was accepted`,
    };
  }),
);

/** Answers to the registration of a company. Sections 4.1 and 4.2. */
export const empresaRegistration: readonly ExchangePredicate[] = [
  bare('empresa-registration.bare', 'empresa-registration'),
  status200('empresa-registration.status-200', 'empresa-registration'),
  predicate('empresa-registration.empresa-id', (record) => {
    // Another status of success, which may be one without a body, is a clause of its own.
    if (record.status !== 200 || !isAcceptedBy(record, 'empresa-registration')) return undefined;
    const faults = faultsOfRegistration(contentOf(record.json));
    return judged(faults.length === 0, () => ({
      expected: 'an object with empresaId, a string',
      actual: record.json === undefined ? notJson(record) : faults.join('; '),
    }));
  }),
];

/** Answers to the upload of a certificate. Section 4.2. */
export const certificadoAssociation: readonly ExchangePredicate[] = [
  bare('certificado-association.bare', 'certificado-association'),
  predicate('certificado-association.multipart-upload', (record) => {
    const isMultipart = /^multipart\//i.test(record.requestHeaders.get('content-type') ?? '');
    if (!isFor(record, 'certificado-association') || !record.isRightlySigned || !isMultipart) return undefined;
    if (isAcceptedBy(record, 'certificado-association')) return 'holds';
    const isTakenForSigned = record.status === 401 && codeOf(record) === String(codes.signMismatch.code);
    const expected = 'accepted, signed with an empty body: the multipart body is none of what is signed';
    return isTakenForSigned ? { expected, actual: '401, code 10009003' } : undefined;
  }),
  status200('certificado-association.status-200', 'certificado-association'),
];
