import { createPrivateKey, hash, X509Certificate, type KeyObject } from 'node:crypto';
import type { Certificate } from '../model/empresa.ts';
import { Pkcs12Refusal, type Pkcs12Fault } from './refusal.ts';
import { openBags, type SafeBags } from './safe-bags.ts';

/** What came of opening a PKCS#12 file. */
type Opened = { readonly certificate: Certificate } | { readonly fault: Pkcs12Fault };

/** By the hash of file and password: those opened last. A password takes long to try, and many companies have the same file. */
const openedBefore = new Map<string, Opened>();
const mostRemembered = 50;

/** The private key in a PKCS#12 file (`.pfx`, `.p12`), with the certificate that belongs to it. */
export function openPkcs12(bytes: Buffer, password: string): Opened {
  const key = hash('sha256', Buffer.concat([Buffer.from(`${Buffer.byteLength(password)} ${password}`), bytes]));
  const opened = openedBefore.get(key) ?? openedNow(bytes, password);
  if (openedBefore.size >= mostRemembered) openedBefore.clear();
  openedBefore.set(key, opened);
  return opened;
}

function openedNow(bytes: Buffer, password: string): Opened {
  try {
    return { certificate: pairIn(openBags(bytes, password)) };
  } catch (error) {
    return { fault: error instanceof Pkcs12Refusal ? error.fault : 'not-pkcs12' };
  }
}

function pairIn(bags: SafeBags): Certificate {
  const keys = bags.keys.flatMap(readKey).filter((key) => key.asymmetricKeyType === 'rsa');
  if (keys.length === 0) throw new Pkcs12Refusal('no-key');
  const certificates = bags.certificates.flatMap(readCertificate);
  for (const key of keys) {
    const certificate = certificates.find((one) => one.checkPrivateKey(key));
    if (certificate) return described(certificate, key);
  }
  throw new Pkcs12Refusal('no-certificate');
}

function described(certificate: X509Certificate, key: KeyObject): Certificate {
  const commonName = commonNameIn(certificate.subject);
  const cnpj = /:([0-9A-Z]{12}\d{2})$/.exec(commonName)?.[1];
  return {
    commonName,
    ...(cnpj === undefined ? {} : { cnpj }),
    notBeforeMs: certificate.validFromDate.getTime(),
    notAfterMs: certificate.validToDate.getTime(),
    certificatePem: certificate.toString(),
    privateKeyPem: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/**
 * The last common name of a subject as Node writes it, an attribute a line, with escapes. A certificate's legacy object has it
 * without, but where that is asked for before anybody used TLS, Node 24 loads TLS half, and no https of the process works again.
 */
function commonNameIn(subject: string): string {
  const name = subject.split('\n').findLast((line) => line.startsWith('CN='));
  return (name ?? 'CN=')
    .slice('CN='.length)
    .replaceAll(/\\([\dA-F]{2}|.)/g, (_, escaped: string) =>
      escaped.length === 2 ? String.fromCharCode(Number.parseInt(escaped, 16)) : escaped,
    );
}

/** None where the bytes are of a kind that Node does not know. */
function readKey(der: Buffer): KeyObject[] {
  try {
    return [createPrivateKey({ key: der, type: 'pkcs8', format: 'der' })];
  } catch {
    return [];
  }
}

function readCertificate(der: Buffer): X509Certificate[] {
  try {
    return [new X509Certificate(der)];
  } catch {
    return [];
  }
}
