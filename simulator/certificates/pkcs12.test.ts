import forge from 'node-forge';
import { execFileSync } from 'node:child_process';
import { createPrivateKey, createSign, createVerify, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Certificate } from '../model.ts';
import { textLike } from '../testing/call.ts';
import { type Asn1, elementAt, elements, fromDer, octetsOf, toDer } from './decryption.ts';
import { openPkcs12 } from './pkcs12.ts';
import vectors from './vectors/pkcs12.json' with { type: 'json' };

// vectors/make-pkcs12-vectors.sh made them, with these passwords.
const password = 'segredo';
const accented = 'maçã-Ção';

type Vector = keyof typeof vectors;

function vector(name: Vector): Buffer {
  return Buffer.from(vectors[name], 'base64');
}

const pem = (what: string): unknown =>
  textLike(new RegExp(`^-----BEGIN ${what}-----\n[\\w+/=\n]+-----END ${what}-----\n$`));
const loja = {
  commonName: 'LOJA DE TESTE LTDA:99999991000125',
  cnpj: '99999991000125',
  notBeforeMs: Date.UTC(2025, 0, 1),
  notAfterMs: Date.UTC(2055, 0, 1),
  certificatePem: pem('CERTIFICATE'),
  privateKeyPem: pem('PRIVATE KEY'),
};

describe('a file', () => {
  test.each<[Vector, string]>([
    ['aes-256', password],
    ['aes-128-sha-512', password],
    ['3des', password],
    ['rc2-40', password],
    ['accents-aes-256', accented],
    ['accents-3des', accented],
    ['empty-password', ''],
    ['without-mac', password],
    ['unencrypted', password],
    ['unencrypted-chain', password],
  ])('%s gives its certificate and key', (name, right) => {
    expect(openPkcs12(vector(name), right)).toEqual({ certificate: loja });
  });

  test('the key belongs to the certificate: what it signs is verified by it', () => {
    const opened = openPkcs12(vector('aes-256'), password);
    if ('fault' in opened) throw new Error(opened.fault);
    const { certificatePem, privateKeyPem } = opened.certificate;
    const signature = createSign('RSA-SHA1').update('NF-e').sign(createPrivateKey(privateKeyPem));
    expect(createVerify('RSA-SHA1').update('NF-e').verify(certificatePem, signature)).toBe(true);
  });

  test('the certificate is the one of the key, wherever it stands in the chain', () => {
    const opened = openPkcs12(withReversedBags(vector('unencrypted-chain')), password);
    expect(opened).toEqual({ certificate: loja });
  });

  test('a common name without a CNPJ names none', () => {
    const { cnpj: _cnpj, ...rest } = loja;
    const certificate = { ...rest, commonName: 'AÇAÍ DE TESTE' };
    expect(openPkcs12(vector('without-cnpj'), password)).toEqual({ certificate });
  });

  test('in BER, with indefinite lengths and its content in pieces, it opens like in DER', () => {
    expect(openPkcs12(inPieces(vector('aes-256')), password)).toEqual({ certificate: loja });
  });
});

describe('what gives no certificate', () => {
  test.each<Vector>(['aes-256', 'aes-128-sha-512', '3des', 'rc2-40', 'empty-password', 'without-mac', 'unencrypted'])(
    '%s with another password',
    (name) => {
      expect(openPkcs12(vector(name), 'Segredo')).toEqual({ fault: 'wrong-password' });
    },
  );

  test.each<Vector>(['accents-aes-256', 'accents-3des'])('%s with a password without accents', (name) => {
    expect(openPkcs12(vector(name), 'maca-Cao')).toEqual({ fault: 'wrong-password' });
  });

  test.each<[Vector, string]>([
    ['without-key', 'no-key'],
    ['elliptic-curve', 'no-key'],
    ['without-certificate', 'no-certificate'],
    ['rc2-128', 'unsupported'],
  ])('%s: %s', (name, fault) => {
    expect(openPkcs12(vector(name), password)).toEqual({ fault });
  });

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('-----BEGIN CERTIFICATE-----\n')],
    ['zeros', Buffer.alloc(1000)],
    ['a number', Buffer.from('020101', 'hex')],
    ['an empty sequence', Buffer.from('3000', 'hex')],
    ['a certificate', new X509Certificate(certificateIn(vector('aes-256'))?.certificatePem ?? '').raw],
    ['the content of one', octetsOf(elementAt(fromDer(vector('unencrypted')), 1, 1, 0))],
    ['a file that is cut short', vector('aes-256').subarray(0, -1)],
    ['a file that goes on', Buffer.concat([vector('aes-256'), Buffer.from([0])])],
    ['sequences within sequences', Buffer.from('3080'.repeat(100_000), 'hex')],
  ])('%s is no PKCS#12', (_what, bytes) => {
    expect(openPkcs12(bytes, password)).toEqual({ fault: 'not-pkcs12' });
  });

  test('a file with a byte changed gives nothing, or what it gave before', () => {
    const bytes = vector('aes-256');
    const before = certificateIn(bytes);
    const places = [...bytes.keys()].filter((place) => place < 60 || place > bytes.length - 90 || place % 50 === 0);
    for (const place of places) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(place) ^ 0x15, place);
      expect([undefined, before], `byte ${place}`).toContainEqual(certificateIn(changed));
    }
  });
});

function certificateIn(bytes: Buffer): Certificate | undefined {
  const opened = openPkcs12(bytes, password);
  return 'certificate' in opened ? opened.certificate : undefined;
}

/** The bags of an unencrypted file in the reverse order. */
function withReversedBags(file: Buffer): Buffer {
  const pfx = fromDer(file);
  const safe = fromDer(octetsOf(elementAt(pfx, 1, 1, 0)));
  for (const info of elements(safe)) {
    const content = elementAt(info, 1, 0);
    const bags = fromDer(octetsOf(content));
    bags.value = elements(bags).toReversed();
    content.value = toDer(bags).toString('latin1');
  }
  elementAt(pfx, 1, 1, 0).value = toDer(safe).toString('latin1');
  return toDer(pfx);
}

/** The file as browsers write it: no length at the start, the content cut into pieces of 1,000 bytes. */
function inPieces(file: Buffer): Buffer {
  const [version, authSafe, macData] = elements(fromDer(file)).map(toDer);
  const content = octetsOf(elementAt(fromDer(authSafe ?? file), 1, 0));
  const pieces: Buffer[] = [];
  for (let start = 0; start < content.length; start += 1000) {
    const piece = content.subarray(start, start + 1000).toString('latin1');
    pieces.push(toDer(forge.asn1.create(forge.asn1.Class.UNIVERSAL, forge.asn1.Type.OCTETSTRING, false, piece)));
  }
  const open = (tag: string, ...inside: Buffer[]): Buffer =>
    Buffer.concat([Buffer.from(`${tag}80`, 'hex'), ...inside, Buffer.alloc(2)]);
  const data = toDer(elementAt(fromDer(authSafe ?? file), 0));
  const parts = [version ?? data, open('30', data, open('a0', open('24', ...pieces))), macData ?? data];
  return open('30', ...parts);
}

test('a process that has opened a file can use https', () => {
  const code = `
    import { openPkcs12 } from '${new URL('pkcs12.ts', import.meta.url).href}';
    openPkcs12(Buffer.from('${vectors['aes-256']}', 'base64'), '${password}');
    const { createServer } = await import('node:https');
    createServer({}).close();
    console.log('served');`;
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', code], { encoding: 'utf8' });
  expect(printed).toBe('served\n');
});

// Files that would keep a reader busy for hours: the counts are set after the encryption.
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
