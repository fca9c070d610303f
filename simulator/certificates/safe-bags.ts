import { elementAt, elements, fromDer, integerOf, octetsOf, oidOf, toDer, type Asn1 } from './der.ts';
import { decrypt } from './encryption.ts';
import { verifyMac } from './mac.ts';
import { Pkcs12Refusal } from './refusal.ts';

/** What a PKCS#12 file holds, in DER. */
export interface SafeBags {
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
export function openBags(bytes: Buffer, password: string): SafeBags {
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
