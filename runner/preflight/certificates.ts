import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { counted } from '../../reports/language.ts';
import { fileErrorCode } from '../results/file-error.ts';
import { notSet, ok, problem, warning, type Remark } from './finding.ts';

const variable = 'NODE_EXTRA_CA_CERTS';
const takes = 'it takes a file of certificates in PEM form (-----BEGIN CERTIFICATE-----), or its absence';

/** Examines the file of further certificate authorities. */
export function examineCertificates(path: string | undefined, now: Date): Remark {
  if (!path) return notSet(variable, 'only the usual certificate authorities are trusted');
  try {
    return judgeCertificates(path, readFileSync(path, 'utf8'), now);
  } catch (error) {
    return problem(variable, `${path} can't be read (${fileErrorCode(error)})`, takes);
  }
}

/** Judges the text of such a file. */
export function judgeCertificates(path: string, pem: string, now: Date): Remark {
  const blocks = blocksIn(pem);
  if (blocks.length === 0) return problem(variable, `${path} holds no certificate in PEM form`, takes);
  const certificates = blocks.map(parsed);
  const broken = certificates.indexOf(undefined);
  if (broken >= 0) return problem(variable, `certificate ${broken + 1} in ${path} can't be read`, takes);
  const read = certificates.flatMap((certificate) => certificate ?? []);
  const expired = read.filter(({ validToDate }) => validToDate < now);
  const count = counted(read.length, 'certificate');
  if (expired.length < read.length) {
    return ok(variable, `${count} in ${path}${expired.length > 0 ? `, ${expired.length} of them expired` : ''}`);
  }
  const last = read.map(({ validToDate }) => validToDate).reduce((one, other) => (one > other ? one : other));
  return warning(
    variable,
    `${count} in ${path}, expired on ${dayOf(last)} at the latest`,
    'ask the issuer for the present one',
  );
}

const [begin, end] = ['-----BEGIN CERTIFICATE-----', '-----END CERTIFICATE-----'];

/** What stands between such lines without a hyphen in it, the lines included. */
function blocksIn(pem: string): string[] {
  const parts = pem.split(begin).slice(1);
  return parts.flatMap((part) => {
    const length = part.indexOf('-');
    return length >= 0 && part.startsWith(end, length) ? [begin + part.slice(0, length) + end] : [];
  });
}

/** A date as its day in UTC. */
export function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}

function parsed(block: string): X509Certificate | undefined {
  try {
    return new X509Certificate(block);
  } catch {
    return undefined;
  }
}
