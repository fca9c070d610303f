import { codes } from '../contract/codes.ts';
import { codeOf, isAcceptedBy, isFor } from './answers.ts';
import { bare, status200 } from './bare.ts';
import type { ExchangePredicate } from './predicate.ts';

/** Answers to the upload of a certificate. Section 4.2. */
export const certificadoAssociation: readonly ExchangePredicate[] = [
  bare('certificado-association.bare', 'certificado-association'),
  {
    clause: 'certificado-association.multipart-upload',
    judge(record) {
      const isMultipart = /^multipart\//i.test(record.requestHeaders.get('content-type') ?? '');
      if (!isFor(record, 'certificado-association') || !record.isRightlySigned || !isMultipart) return undefined;
      if (isAcceptedBy(record, 'certificado-association')) return 'holds';
      const isTakenForSigned = record.status === 401 && codeOf(record) === String(codes.signMismatch.code);
      const expected = 'accepted, signed with an empty body: the multipart body is none of what is signed';
      return isTakenForSigned ? { expected, actual: '401, code 10009003' } : undefined;
    },
  },
  status200('certificado-association.status-200', 'certificado-association'),
];
