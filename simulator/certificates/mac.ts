import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import forge from 'node-forge';
import { elementAt, elements, integerOf, octetsOf, oidOf, type Asn1 } from './der.ts';
import { Pkcs12Refusal } from './refusal.ts';

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
