import { createPrivateKey, hash, type KeyObject, X509Certificate } from 'node:crypto';
import type { Certificate } from '../model.ts';
import {
  type Asn1,
  decrypt,
  elementAt,
  elements,
  fromDer,
  integerOf,
  octetsOf,
  oidOf,
  type Pkcs12Fault,
  Pkcs12Refusal,
  toDer,
  verifyMac,
} from './decryption.ts';

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

/** What a PKCS#12 file holds, in DER. */
interface SafeBags {
  /** PKCS#8, decrypted. */
  readonly keys: readonly Buffer[];
  /** X.509. */
  readonly certificates: readonly Buffer[];
}

const oids = {
  data: '1.2.840.113549.1.7.1',
  encryptedData: '1.2.840.113549.1.7.6',
  keyBag: '1.2.840.113549.1.12.10.1.1',
  shroudedKeyBag: '1.2.840.113549.1.12.10.1.2',
  certificateBag: '1.2.840.113549.1.12.10.1.3',
};

/** Over a whole file. The usual ones have 6,000; a million takes seconds in the older schemes. */
const mostIterations = 1_000_000;
const mostBags = 100;

/** Opens a file with its password; throws a Pkcs12Refusal where it is known why it can't. RFC 7292. */
function openBags(bytes: Buffer, password: string): SafeBags {
  const spend = budget(mostIterations);
  const [version, authSafe, macData] = elements(fromDer(bytes));
  if (!version || !authSafe || integerOf(version) !== 3) throw new Pkcs12Refusal('not-pkcs12');
  const content = octetsOf(elementAt(authSafe, 1, 0));
  if (macData) verifyMac(macData, content, password, spend);
  const open = (algorithm: Asn1, encrypted: Buffer): Asn1 => {
    try {
      return fromDer(decrypt(algorithm, encrypted, password, spend));
    } catch (error) {
      if (error instanceof Pkcs12Refusal) throw error;
      // Where a MAC has told that the password is right, it is something else.
      throw new Pkcs12Refusal(macData ? 'unsupported' : 'wrong-password');
    }
  };
  const bags = elements(fromDer(content)).flatMap((info) => elements(contentOf(info, open)));
  if (bags.length > mostBags) throw new Pkcs12Refusal('unsupported');
  return {
    keys: bags.flatMap((bag) => keyIn(bag, open)),
    certificates: bags.flatMap(certificateIn),
  };
}

type Open = (algorithm: Asn1, encrypted: Buffer) => Asn1;

function contentOf(info: Asn1, open: Open): Asn1 {
  const content = elementAt(info, 1, 0);
  switch (oidOf(elementAt(info, 0))) {
    case oids.data:
      return fromDer(octetsOf(content));
    case oids.encryptedData:
      return open(elementAt(content, 1, 1), octetsOf(elementAt(content, 1, 2)));
    default:
      throw new Pkcs12Refusal('unsupported');
  }
}

function keyIn(bag: Asn1, open: Open): Buffer[] {
  const value = elementAt(bag, 1, 0);
  switch (oidOf(elementAt(bag, 0))) {
    case oids.keyBag:
      return [toDer(value)];
    case oids.shroudedKeyBag:
      return [toDer(open(elementAt(value, 0), octetsOf(elementAt(value, 1))))];
    default:
      return [];
  }
}

function certificateIn(bag: Asn1): Buffer[] {
  const isCertificate = oidOf(elementAt(bag, 0)) === oids.certificateBag;
  return isCertificate ? [octetsOf(elementAt(bag, 1, 0, 1, 0))] : [];
}

/** Spends iterations; refuses the file when none are left. */
function budget(most: number): (iterations: number) => void {
  let left = most;
  return (iterations) => {
    left -= iterations;
    if (!(left >= 0)) throw new Pkcs12Refusal('too-many-iterations');
  };
}
