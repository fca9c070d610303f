import { generateKeyPairSync } from 'node:crypto';
import forge from 'node-forge';
import { describe, expect, test } from 'vitest';
import { elementAt, fromDer, toDer, type Asn1 } from './der.ts';
import { openPkcs12 } from './pkcs12.ts';

// Files that would keep a reader busy for hours: the counts are set after the encryption.
const password = 'segredo';
const { Class, Type, create, oidToDer, integerToDer } = forge.asn1;

const sequence = (...inside: Asn1[]): Asn1 => create(Class.UNIVERSAL, Type.SEQUENCE, true, inside);
const tagged = (inside: Asn1): Asn1 => create(Class.CONTEXT_SPECIFIC, 0, true, [inside]);
const oid = (dotted: string): Asn1 => create(Class.UNIVERSAL, Type.OID, false, oidToDer(dotted).getBytes());
const integer = (value: number): Asn1 => create(Class.UNIVERSAL, Type.INTEGER, false, integerToDer(value).getBytes());
const octets = (bytes: Buffer): Asn1 => create(Class.UNIVERSAL, Type.OCTETSTRING, false, bytes.toString('latin1'));

const dataId = '1.2.840.113549.1.7.1';
const data = (content: Asn1): Asn1 => sequence(oid(dataId), tagged(octets(toDer(content))));
const file = (...infos: Asn1[]): Asn1 => sequence(integer(3), data(sequence(...infos)));
const shroudedKeyBag = (info: Asn1): Asn1 => sequence(oid('1.2.840.113549.1.12.10.1.2'), tagged(info));

function encryptedData(content: Asn1): Asn1 {
  const info = encrypted(content, 'aes256', 1);
  const inside = create(Class.CONTEXT_SPECIFIC, 0, false, elementAt(info, 1).value);
  const encryptedInfo = sequence(integer(0), sequence(oid(dataId), elementAt(info, 0), inside));
  return sequence(oid('1.2.840.113549.1.7.6'), tagged(encryptedInfo));
}

/** What is encrypted by one iteration and says that it needs so many. */
function encrypted(content: Asn1, algorithm: 'aes256' | '3des', iterations: number): Asn1 {
  const info = forge.pki.encryptPrivateKeyInfo(content, password, { algorithm, count: 1 });
  const way = algorithm === 'aes256' ? [0, 1, 0, 1, 1] : [0, 1, 1];
  elementAt(info, ...way).value = integer(iterations).value;
  return info;
}

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
const key = fromDer(privateKey.export({ type: 'pkcs8', format: 'der' }));
const opened = (pfx: Asn1): unknown => openPkcs12(toDer(pfx), password);

describe('iterations', () => {
  test.each([1, 10_000, 1_000_000])('%i of PBKDF2 are run', (iterations) => {
    const pfx = file(data(sequence(shroudedKeyBag(encrypted(key, 'aes256', iterations)))));
    // Another count gives another key: only the one that was used decrypts.
    expect(opened(pfx)).toEqual({ fault: iterations === 1 ? 'no-certificate' : 'wrong-password' });
  });

  test.each([
    ['aes256', 1_000_001],
    ['aes256', 2_000_000_000],
    ['3des', 1_000_001],
    ['3des', 2_000_000_000],
  ] as const)('a key in %s with %i of them is refused', (algorithm, iterations) => {
    const pfx = file(data(sequence(shroudedKeyBag(encrypted(key, algorithm, iterations)))));
    expect(opened(pfx)).toEqual({ fault: 'too-many-iterations' });
  });

  test('so is one that only shows them once it is decrypted', () => {
    const bag = shroudedKeyBag(encrypted(key, 'aes256', 2_000_000_000));
    expect(opened(file(encryptedData(sequence(bag))))).toEqual({ fault: 'too-many-iterations' });
  });

  test('so is a file that spreads them over many keys', () => {
    const bags = Array.from({ length: 90 }, () => shroudedKeyBag(encrypted(key, '3des', 1)));
    const last = shroudedKeyBag(encrypted(key, 'aes256', 999_911));
    expect(opened(file(data(sequence(...bags, last))))).toEqual({ fault: 'too-many-iterations' });
  });

  test('so is a MAC with 2,000,000,000 of them', () => {
    const sha1 = sequence(sequence(oid('1.3.14.3.2.26')), octets(Buffer.alloc(20)));
    const macData = sequence(sha1, octets(Buffer.alloc(8)), integer(2_000_000_000));
    const pfx = sequence(integer(3), data(sequence()), macData);
    expect(opened(pfx)).toEqual({ fault: 'too-many-iterations' });
  });

  test('a number of more than 53 bits, and none at all, are too many', () => {
    for (const value of ['\u007f'.repeat(200), '']) {
      const info = encrypted(key, 'aes256', 1);
      elementAt(info, 0, 1, 0, 1, 1).value = value;
      expect(opened(file(data(sequence(shroudedKeyBag(info)))))).toEqual({ fault: 'too-many-iterations' });
    }
  });

  test('a file of more than 100 bags is refused', () => {
    const bags = Array.from({ length: 101 }, () => shroudedKeyBag(encrypted(key, 'aes256', 1)));
    expect(opened(file(data(sequence(...bags))))).toEqual({ fault: 'unsupported' });
  });
});
