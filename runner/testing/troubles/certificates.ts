import { generateKeyPairSync } from 'node:crypto';
import { isIP } from 'node:net';
import forge from 'node-forge';

/** What a server shows of itself, with its key, in PEM. */
export interface Shown {
  readonly cert: string;
  readonly key: string;
}

/** Who a certificate is for, and since and until when it is valid, in days from now. */
export interface CertificateWish {
  /** Name or IPv4 address. */
  readonly host: string;
  readonly fromDays: number;
  readonly untilDays: number;
}

/** Vouches for certificates. */
export interface Authority {
  /** Its own certificate, by which others come to trust it. */
  readonly pem: string;
  readonly issue: (wish: CertificateWish) => Shown;
}

const dayMs = 86_400_000;
const authorityName = [{ name: 'commonName', value: 'Authority of a test' }];
const validNow = { fromDays: -1, untilDays: 90 };

/** An authority of its own, which nobody knows yet. */
export function newAuthority(): Authority {
  const own = newKey();
  const certificate = filledIn(own, { host: 'authority.test', ...validNow }, 1);
  certificate.setSubject(authorityName);
  certificate.setIssuer(authorityName);
  certificate.setExtensions([{ name: 'basicConstraints', cA: true }]);
  certificate.sign(own.privateKey, forge.md.sha256.create());
  return {
    pem: forge.pki.certificateToPem(certificate),
    issue(wish) {
      const key = newKey();
      const issued = filledIn(key, wish, 2);
      issued.setIssuer(authorityName);
      issued.sign(own.privateKey, forge.md.sha256.create());
      return { cert: forge.pki.certificateToPem(issued), key: key.pem };
    },
  };
}

/** A certificate that nobody but its own key vouches for. */
export function selfSignedFor(host: string): Shown {
  const key = newKey();
  const certificate = filledIn(key, { host, ...validNow }, 1);
  certificate.setIssuer(nameOf(host));
  certificate.sign(key.privateKey, forge.md.sha256.create());
  return { cert: forge.pki.certificateToPem(certificate), key: key.pem };
}

interface Key {
  readonly pem: string;
  readonly privateKey: forge.pki.rsa.PrivateKey;
  readonly publicKey: forge.pki.PublicKey;
}

function newKey(): Key {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  return {
    pem: privateKey,
    privateKey: forge.pki.privateKeyFromPem(privateKey),
    publicKey: forge.pki.publicKeyFromPem(publicKey),
  };
}

function nameOf(host: string): forge.pki.CertificateField[] {
  return [{ name: 'commonName', value: host }];
}

/** All of a certificate but its issuer and signature. */
function filledIn(
  { publicKey }: Key,
  { host, fromDays, untilDays }: CertificateWish,
  serial: number,
): forge.pki.Certificate {
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = publicKey;
  certificate.serialNumber = `0${serial}`;
  certificate.validity.notBefore = new Date(Date.now() + fromDays * dayMs);
  certificate.validity.notAfter = new Date(Date.now() + untilDays * dayMs);
  certificate.setSubject(nameOf(host));
  const [dnsName, ipAddress] = [2, 7];
  const name = isIP(host) > 0 ? { type: ipAddress, ip: host } : { type: dnsName, value: host };
  certificate.setExtensions([{ name: 'subjectAltName', altNames: [name] }]);
  return certificate;
}
