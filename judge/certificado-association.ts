import { bare, status200 } from './bare.ts';
import type { ExchangePredicate } from './predicate.ts';

/** Answers to the upload of a certificate. Section 4.2. */
export const certificadoAssociation: readonly ExchangePredicate[] = [
  bare('certificado-association.bare', 'certificado-association'),
  status200('certificado-association.status-200', 'certificado-association'),
];
