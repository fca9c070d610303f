import { createDecipheriv, createHash, createHmac, getCipherInfo, pbkdf2Sync, timingSafeEqual } from 'node:crypto';
import forge from 'node-forge';

/** Why a file gives no certificate. */
export type Pkcs12Fault =
  | 'not-pkcs12'
  | 'wrong-password'
  /** It is protected in a way that the simulator can't undo. */
  | 'unsupported'
  /** Opening it would take too long. */
  | 'too-many-iterations'
  /** It holds no private RSA key: NF-e signatures need one. */
  | 'no-key'
  /** It holds no certificate that belongs to its key. */
  | 'no-certificate';

/** Thrown while a file is opened, when it is known why that fails. */
export class Pkcs12Refusal extends Error {
  readonly fault: Pkcs12Fault;

  constructor(fault: Pkcs12Fault) {
    super(fault);
    this.name = 'Pkcs12Refusal';
    this.fault = fault;
  }
}

export type Asn1 = forge.asn1.Asn1;

/** The ASN.1 value that those bytes hold; throws for anything else, and for one nested deeper than 256. */
export function fromDer(bytes: Buffer): Asn1 {
  return forge.asn1.fromDer(bytes.toString('latin1'));
}

export function toDer(node: Asn1): Buffer {
  return Buffer.from(forge.asn1.toDer(node).getBytes(), 'latin1');
}

/** The elements of a SEQUENCE, a SET or a tag; throws for a value without elements. */
export function elements(node: Asn1): readonly Asn1[] {
  if (!Array.isArray(node.value)) throw new Error('the ASN.1 value has no elements');
  return node.value;
}

/** The element that a way of positions leads to; throws where there is none. */
export function elementAt(node: Asn1, ...positions: readonly number[]): Asn1 {
  return positions.reduce((from, position) => {
    const found = elements(from)[position];
    if (!found) throw new Error('the ASN.1 value has too few elements');
    return found;
  }, node);
}

/** The bytes of a string; BER may have cut them into pieces. */
export function octetsOf(node: Asn1): Buffer {
  if (typeof node.value === 'string') return Buffer.from(node.value, 'latin1');
  return Buffer.concat(node.value.map(octetsOf));
}

/** An object identifier with its dots. */
export function oidOf(node: Asn1): string {
  return forge.asn1.derToOid(octetsOf(node).toString('latin1'));
}

/** An INTEGER taken as unsigned; one of more than 53 bits loses its last digits. */
export function integerOf(node: Asn1): number {
  return Number(`0x${octetsOf(node).toString('hex')}`);
}

interface Scheme {
  /** Where the iteration count stands in an AlgorithmIdentifier. */
  readonly countAt: readonly number[];
  readonly decrypt: (algorithm: Asn1, encrypted: Buffer, password: string) => Buffer;
}

const schemes: Readonly<Record<string, Scheme>> = {
  // PBES2: what files are made with today.
  '1.2.840.113549.1.5.13': { countAt: [1, 0, 1, 1], decrypt: decryptPbes2 },
  // SHA-1 with 3DES, and with 40-bit RC2: older files. Node has neither their key derivation nor RC2.
  '1.2.840.113549.1.12.1.3': { countAt: [1, 1], decrypt: decryptLegacy },
  '1.2.840.113549.1.12.1.6': { countAt: [1, 1], decrypt: decryptLegacy },
};

/** Undoes an encryption by password; `spend` is told the iterations beforehand. Throws for a password that is wrong. */
export function decrypt(
  algorithm: Asn1,
  encrypted: Buffer,
  password: string,
  spend: (iterations: number) => void,
): Buffer {
  const scheme = schemes[oidOf(elementAt(algorithm, 0))];
  if (!scheme) throw new Pkcs12Refusal('unsupported');
  spend(integerOf(elementAt(algorithm, ...scheme.countAt)));
  return scheme.decrypt(algorithm, encrypted, password);
}

const pseudoRandomFunctions: Readonly<Record<string, string>> = {
  '1.2.840.113549.2.7': 'sha1',
  '1.2.840.113549.2.9': 'sha256',
  '1.2.840.113549.2.10': 'sha384',
  '1.2.840.113549.2.11': 'sha512',
};

const ciphers: Readonly<Record<string, string>> = {
  '2.16.840.1.101.3.4.1.2': 'aes-128-cbc',
  '2.16.840.1.101.3.4.1.22': 'aes-192-cbc',
  '2.16.840.1.101.3.4.1.42': 'aes-256-cbc',
  '1.2.840.113549.3.7': 'des-ede3-cbc',
};

/** By Node and not by forge, which is slower and takes the password for Latin-1. RFC 8018. */
function decryptPbes2(algorithm: Asn1, encrypted: Buffer, password: string): Buffer {
  const [salt, count, ...others] = elements(elementAt(algorithm, 1, 0, 1));
  const cipher = ciphers[oidOf(elementAt(algorithm, 1, 1, 0))] ?? '';
  const hmac = others.find(({ type }) => type === forge.asn1.Type.SEQUENCE);
  const digest = hmac ? pseudoRandomFunctions[oidOf(elementAt(hmac, 0))] : 'sha1';
  const keyBytes = getCipherInfo(cipher)?.keyLength;
  if (!salt || !count || digest === undefined || keyBytes === undefined) throw new Pkcs12Refusal('unsupported');
  const key = pbkdf2Sync(Buffer.from(password, 'utf8'), octetsOf(salt), integerOf(count), keyBytes, digest);
  const decipher = createDecipheriv(cipher, key, octetsOf(elementAt(algorithm, 1, 1, 1)));
  return Buffer.concat([decipher.update(encrypted), decipher.final()]);
}

function decryptLegacy(algorithm: Asn1, encrypted: Buffer, password: string): Buffer {
  const { create, Class, Type } = forge.asn1;
  const content = create(Class.UNIVERSAL, Type.OCTETSTRING, false, encrypted.toString('latin1'));
  const info = create(Class.UNIVERSAL, Type.SEQUENCE, true, [algorithm, content]);
  const decrypted: Asn1 | null = forge.pki.decryptPrivateKeyInfo(info, password);
  if (!decrypted) throw new Error('the padding is none: the password is wrong');
  return toDer(decrypted);
}

type DigestName = 'sha1' | 'sha256' | 'sha384' | 'sha512';

const digests: Readonly<Record<string, DigestName>> = {
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};

/** Marks key material for a MAC. RFC 7292, appendix B.3. */
const macKeyId = 3;

/** Refuses a password that the MAC over the content was not made with. RFC 7292, section 5.1. */
export function verifyMac(macData: Asn1, content: Buffer, password: string, spend: (iterations: number) => void): void {
  const [digestInfo, salt, count] = elements(macData);
  const digest = digestInfo && digests[oidOf(elementAt(digestInfo, 0, 0))];
  if (!digest || !salt) throw new Pkcs12Refusal('unsupported');
  const iterations = count ? integerOf(count) : 1;
  spend(iterations);
  const md = nativeDigest(digest);
  const saltBuffer = forge.util.createBuffer(octetsOf(salt).toString('latin1'));
  const key = forge.pkcs12.generateKey(password, saltBuffer, macKeyId, iterations, md.digestLength, md).getBytes();
  const right = createHmac(digest, Buffer.from(key, 'latin1')).update(content).digest();
  const found = octetsOf(elementAt(digestInfo, 1));
  if (found.length !== right.length || !timingSafeEqual(found, right)) throw new Pkcs12Refusal('wrong-password');
}

/** A digest of forge's that OpenSSL works out: a key takes thousands of rounds, and forge's own is ten times as slow. */
function nativeDigest(name: DigestName): forge.md.MessageDigest {
  let hash = createHash(name);
  const digest = Object.assign(forge.md[name].create(), {
    start() {
      hash = createHash(name);
      return digest;
    },
    update(bytes: string) {
      hash.update(bytes, 'latin1');
      return digest;
    },
    digest: () => forge.util.createBuffer(hash.digest().toString('latin1')),
  });
  return digest;
}
