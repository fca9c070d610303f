import { createDecipheriv, getCipherInfo, pbkdf2Sync } from 'node:crypto';
import forge from 'node-forge';
import { elementAt, elements, integerOf, octetsOf, oidOf, toDer, type Asn1 } from './der.ts';
import { Pkcs12Refusal } from './refusal.ts';

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
