import { createPrivateKey, createSign, X509Certificate, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { onFirstUse } from '../../schemas/values.ts';

/** Who signs an invoice. */
export interface Signer {
  readonly key: KeyObject;
  /** DER in base64. */
  readonly certificate: string;
}

/** How long a certificate is good. */
export type Validity = 'to 2055' | 'to 2016';

/** The signer of an issuer, by its CNPJ or CPF, with a certificate as ICP-Brasil makes them; another number gives another one. */
export function signerOf(number: string, validity: Validity = 'to 2055'): Signer {
  const { holder, authority, company, person } = keys();
  return {
    key: holder,
    certificate: certificateFor(number, validity, number.length === 11 ? person : company, authority),
  };
}

/** The same, with a key to which its certificate does not belong. */
export function foreignSignerOf(number: string): Signer {
  return { ...signerOf(number), key: keys().authority };
}

/** Length of what a key of 2048 bits signs: it ends a certificate. */
const signatureBytes = 256;

/** The certificate with this number and validity in place of its own, signed anew; all of these are as long as those before. */
function certificateFor(number: string, validity: Validity, template: Buffer, authority: KeyObject): string {
  const zeros = '0'.repeat(number.length);
  const serial = Buffer.from(number.padStart(18, '0'), 'hex').toString('latin1');
  const numbered = template
    .toString('latin1')
    .replace('20550101', () => (validity === 'to 2055' ? '20550101' : '20160101'))
    .replace(`:${zeros}`, () => `:${number}`)
    // The CPF of a person stands behind the date of birth.
    .replace(number.length === 11 ? `01011980${zeros}` : zeros, (found) => found.slice(0, -number.length) + number)
    .replace(`\x7E\x57${'\0'.repeat(18)}`, () => `\x7E\x57${'\0'.repeat(9)}${serial}`);
  const unsigned = Buffer.from(numbered, 'latin1').subarray(0, -signatureBytes);
  const toBeSigned = unsigned.subarray(headerBytes, headerBytes + headerBytes + unsigned.readUInt16BE(headerBytes + 2));
  const signature = createSign('RSA-SHA256').update(toBeSigned).sign(authority);
  return Buffer.concat([unsigned, signature]).toString('base64');
}

/** Of a sequence of 256 bytes and more: tag, kind of length, and the length in two bytes. */
const headerBytes = 4;

interface Keys {
  readonly holder: KeyObject;
  readonly authority: KeyObject;
  /** DER. */
  readonly company: Buffer;
  readonly person: Buffer;
}

const keys = onFirstUse((): Keys => {
  const read = (file: string): Buffer => readFileSync(new URL(`../certificates/${file}`, import.meta.url));
  return {
    holder: createPrivateKey(read('holder-key.pem')),
    authority: createPrivateKey(read('authority-key.pem')),
    company: new X509Certificate(read('e-cnpj.pem')).raw,
    person: new X509Certificate(read('e-cpf.pem')).raw,
  };
});
