import { X509Certificate } from 'node:crypto';

/** What an ICP-Brasil certificate says of whom it belongs to. */
export interface CertificateHolder {
  /** 14 digits. */
  readonly cnpj?: string | undefined;
  /** 11 digits. */
  readonly cpf?: string | undefined;
}

/** Whom a certificate belongs to: by its other names of ICP-Brasil, else by the end of its common name, `NAME:number`. */
export function holderOf({ raw, subject }: X509Certificate): CertificateHolder {
  const company = /^[0-9A-Z]{12}\d{2}$/.exec(otherName(raw, 3))?.[0];
  // Of a person: the date of birth, the CPF, and other numbers.
  const person = /^\d{8}(\d{11})/.exec(otherName(raw, 1))?.[1];
  return {
    cnpj: company ?? /^CN=.*:([0-9A-Z]{12}\d{2})$/m.exec(subject)?.[1],
    cpf: person ?? /^CN=.*:(\d{11})$/m.exec(subject)?.[1],
  };
}

/** The text of the other name 2.16.76.1.3.n; empty where there is none. */
function otherName(raw: Buffer, n: 1 | 3): string {
  const identifier = Buffer.from([0x06, 0x05, 0x60, 0x4c, 0x01, 0x03, n]);
  const at = raw.indexOf(identifier);
  if (at < 0) return '';
  // Behind it: the tag 0 and a length, then the kind of the string and its length, each a byte.
  const [, , , length = 0, ...text] = raw.subarray(at + identifier.length);
  return Buffer.from(text.slice(0, length)).toString('latin1');
}

/** The certificate in these bytes; `undefined` for what is none. */
export function certificateIn(der: Buffer): X509Certificate | undefined {
  try {
    return new X509Certificate(der);
  } catch {
    return undefined;
  }
}
