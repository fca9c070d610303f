import { createHash, createVerify, X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import forge from 'node-forge';
import { describe, expect, test } from 'vitest';
import { chaveCheckDigit, cnpjCheckDigits, cpfCheckDigits } from '../generators/domain.ts';
import {
  issuanceBody,
  readProfile,
  type BodyFile,
  type ProfileFile,
  type JsonObject,
  type JsonValue,
} from './profile.ts';

const profile = readProfile(join(import.meta.dirname, '../profiles/default'));
const recipientName = 'NF-E EMITIDA EM AMBIENTE DE HOMOLOGACAO - SEM VALOR FISCAL';

function body(file: BodyFile): JsonObject {
  const found = profile.json(file);
  if (!found) throw new Error(`${file} is missing`);
  return found;
}

function bytes(file: ProfileFile): Buffer {
  const found = profile.bytes(file);
  if (!found) throw new Error(`${file} is missing`);
  return found;
}

/** Every text and number in a value, as text, with the name of its field. */
function leaves(value: JsonValue | undefined, name = ''): { name: string; text: string }[] {
  if (typeof value !== 'object' || value === null) return [{ name, text: String(value) }];
  return Object.entries<JsonValue>(value).flatMap(([field, part]) => leaves(part, field));
}

function textsOf(value: JsonValue | undefined, names: RegExp): string[] {
  const wanted = leaves(value).filter(({ name }) => names.test(name));
  return wanted.map(({ text }) => text);
}

function expectRightNumber(text: string): void {
  const [body, digits] = text.length === 14 ? [12, cnpjCheckDigits] : [9, cpfCheckDigits];
  expect(text.slice(body)).toBe(digits(text.slice(0, body)));
}

function cents(text: string | undefined): number {
  return Math.round(Number(text) * 100);
}

test('the default profile lacks nothing', () => {
  expect(profile.missing()).toEqual([]);
  expect(profile.certificado?.fields).toHaveProperty('senha');
});

describe('tax numbers', () => {
  const files: BodyFile[] = ['empresa.json', 'outra-empresa.json', 'nf-e.autorizada.json', 'nf-e.negada.json'];
  const inBodies = files.flatMap((file) => textsOf(body(file), /^(cnpj|cpfCnpj)$/));
  const { consultas } = profile;
  const inLookups = [consultas, consultas?.unknown].flatMap((numbers) => [`${numbers?.cnpj}`, `${numbers?.cpf}`]);

  test.each([...inBodies, ...inLookups])('%s has right check digits', (text) => {
    expectRightNumber(text);
  });

  test('are four in the bodies and four in the lookups, all of them different there', () => {
    expect(inBodies).toHaveLength(4);
    expect(new Set(inLookups).size).toBe(4);
  });

  test('and the birth dates are days of the calendar', () => {
    for (const text of [consultas?.nascimento, consultas?.unknown.nascimento].map(String)) {
      const iso = `${text.slice(4)}-${text.slice(2, 4)}-${text.slice(0, 2)}`;
      expect(new Date(`${iso}T00:00:00Z`).toISOString().slice(0, 10)).toBe(iso);
    }
  });
});

describe('the issuance bodies', () => {
  const authorised = body('nf-e.autorizada.json');

  test('are addressed as homologation demands', () => {
    expect(authorised['cliente']).toHaveProperty('nome', recipientName);
  });

  test('add up', () => {
    const { itens, pedido, valorTotal } = authorised;
    const sum = textsOf(itens, /^valorTotal$/).reduce((total, text) => total + cents(text), 0);
    expect(valorTotal).toBe(sum / 100);
    expect(textsOf(pedido, /^valor$/)).toEqual(textsOf(authorised, /^valorTotal$/).slice(-1));
  });

  test('leave the fields of the contract to the suite', () => {
    const fields = { id: 'n-1', ambienteEmissao: 'Homologacao' } as const;
    expect(issuanceBody(authorised, fields)).toEqual({ ...fields, ...authorised });
  });

  test('are denied for the trigger alone', () => {
    const denied = body('nf-e.negada.json');
    const [text] = textsOf(authorised, /^informacoesAdicionais$/);
    expect(denied).toEqual({ ...authorised, informacoesAdicionais: `${text} SIMULAR-NEGADA-302` });
  });

  test('are refused for want of itens alone', () => {
    const { itens, ...rest } = authorised;
    expect(itens).toHaveLength(2);
    expect(body('nf-e.invalida.json')).toEqual(rest);
  });
});

describe.each([
  ['certificado.pfx', 'empresa.json'],
  ['outro-certificado.pfx', 'outra-empresa.json'],
] as const)('%s', (file, company) => {
  const pfx = bytes(file);

  test('opens with the password and with no other', () => {
    expect(createSecureContext({ pfx, passphrase: profile.certificado?.fields['senha'] })).toBeDefined();
    expect(() => createSecureContext({ pfx, passphrase: 'another' })).toThrow('mac verify failure');
  });

  test(`is that of ${company}, for thirty years`, () => {
    const [cnpj, razaoSocial] = textsOf(body(company), /^(cnpj|razaoSocial)$/);
    const certificate = certificateIn(pfx);
    expect(certificate.subject.split('\n')).toContain(`CN=${razaoSocial}:${cnpj}`);
    expect(certificate.publicKey.asymmetricKeyDetails?.modulusLength).toBe(2048);
    const days = (certificate.validToDate.getTime() - certificate.validFromDate.getTime()) / 86_400_000;
    expect([days, certificate.validFromDate.getUTCFullYear()]).toEqual([10_957, 2025]);
  });
});

/** The certificate that a PFX holds. */
function certificateIn(pfx: Buffer): X509Certificate {
  const asn1 = forge.asn1.fromDer(pfx.toString('binary'));
  const bags = forge.pkcs12
    .pkcs12FromAsn1(asn1, profile.certificado?.fields['senha'] ?? '')
    .getBags({ bagType: forge.pki.oids['certBag'] ?? '' });
  const certificate = Object.values(bags).flat()[0]?.cert;
  if (!certificate) throw new Error('the PFX holds no certificate');
  return new X509Certificate(forge.pki.certificateToPem(certificate));
}

describe.each(['verificacao.autorizada.xml', 'verificacao.rejeitada.xml'] as const)('%s', (file) => {
  const xml = bytes(file).toString();
  const chave = textAt(xml, 'chNFe');

  test('has a chave with a right check digit that says what the invoice says', () => {
    const [first = '', ...others] = Array.from(
      xml.matchAll(/(?:Id="NFe|URI="#NFe|<chNFe>)(\d{44})/g),
      ([, one]) => one,
    );
    expect(first.slice(43)).toBe(chaveCheckDigit(first.slice(0, 43)));
    expect(others).toEqual([first, first]);
    const issued = textAt(xml, 'dhEmi');
    const fields = ['cUF', 'CNPJ', 'mod', 'serie', 'nNF', 'tpEmis', 'cNF', 'cDV'].map((name) => textAt(xml, name));
    const [uf = '', cnpj = '', mod = '', serie = '', nNF = '', ...rest] = fields;
    const month = issued.slice(2, 4) + issued.slice(5, 7);
    expect(chave).toBe([uf, month, cnpj, mod, serie.padStart(3, '0'), nNF.padStart(9, '0'), ...rest].join(''));
  });

  test('is an invoice of the company to the recipient of the bodies, in homologation', () => {
    const { cnpj } = body('empresa.json');
    expect(Array.from(xml.matchAll(/<CNPJ>(\d+)</g), ([, one]) => one)).toEqual([cnpj, '99999999000191']);
    expect(xml.match(/<tpAmb>\d<\/tpAmb>/g)).toEqual(['<tpAmb>2</tpAmb>', '<tpAmb>2</tpAmb>']);
    expect(xml).toContain(`<dest><CNPJ>99999999000191</CNPJ><xNome>${recipientName}</xNome>`);
  });

  test('is signed with the key of certificado.pfx', () => {
    const signer = new X509Certificate(Buffer.from(textAt(xml, 'X509Certificate'), 'base64'));
    expect(signer.raw).toEqual(certificateIn(bytes('certificado.pfx')).raw);
    const signedInfo = canonical(xml, 'SignedInfo', 'http://www.w3.org/2000/09/xmldsig#');
    const verifier = createVerify('RSA-SHA1').update(signedInfo);
    expect(verifier.verify(signer.publicKey, textAt(xml, 'SignatureValue'), 'base64')).toBe(true);
  });

  test('was authorised by the digest that was signed', () => {
    expect(textAt(xml, 'digVal')).toBe(textAt(xml, 'DigestValue'));
    expect(textAt(xml, 'cStat')).toBe('100');
    expect(textAt(xml, 'nProt')).toMatch(/^13526\d{10}$/);
  });
});

test.each([
  ['verificacao.autorizada.xml', 'is as it was signed', true],
  ['verificacao.rejeitada.xml', 'was altered after it was signed', false],
] as const)('%s %s', (file, _, isWhole) => {
  const xml = bytes(file).toString();
  const digest = createHash('sha1').update(canonical(xml, 'infNFe', 'http://www.portalfiscal.inf.br/nfe'));
  expect(digest.digest('base64') === textAt(xml, 'DigestValue')).toBe(isWhole);
});

test('the documents to verify are two invoices', () => {
  const chaves = (['verificacao.autorizada.xml', 'verificacao.rejeitada.xml'] as const).map((file) =>
    textAt(bytes(file).toString(), 'chNFe'),
  );
  expect(new Set(chaves).size).toBe(2);
});

/** The text of the first element of that name. */
function textAt(xml: string, element: string): string {
  return new RegExp(`<${element}>([^<]*)<`).exec(xml)?.[1] ?? '';
}

/** Canonical form of an element of these documents: they have sorted attributes and no blanks, comments or references. */
function canonical(xml: string, element: string, namespace: string): string {
  const text = new RegExp(`<${element}[ >].*</${element}>`, 's').exec(xml)?.[0] ?? '';
  return text
    .replace(`<${element}`, `<${element} xmlns="${namespace}"`)
    .replaceAll(/<(\w+)([^<>]*)\/>/g, '<$1$2></$1>');
}
