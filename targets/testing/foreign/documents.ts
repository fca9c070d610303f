import { createHash, randomBytes } from 'node:crypto';
import type { AuthorityRecord, Invoice, World } from './world.ts';
import { plain, type Answer } from './gateway.ts';

/** What a document says, as far as this server cares. */
interface DocumentFacts {
  readonly chave: string;
  readonly number: number;
  readonly issuedMs: number;
  readonly protocol: string;
}

/** CNPJ of whoever issues here: a number that everybody uses in examples. */
const issuerCnpj = '11222333000181';

/** The chave of an invoice: state 41, series 7. Section 2.2. */
export function chaveOf(number: number, issuedMs: number): string {
  const month = new Date(issuedMs).toISOString().slice(2, 7).replace('-', '');
  const count = String(number).padStart(9, '0');
  const body = `41${month}${issuerCnpj}55007${count}1${count.slice(1)}`;
  return body + checkDigit(body);
}

function checkDigit(digits: string): number {
  const sum = Array.from(digits)
    .toReversed()
    .reduce((total, digit, at) => total + Number(digit) * (2 + (at % 8)), 0);
  const rest = sum % 11;
  return rest < 2 ? 0 : 11 - rest;
}

/** The facts of an invoice that was issued here. */
export function factsOf({ chave, number, issuedMs }: Invoice): DocumentFacts {
  return { chave, number, issuedMs, protocol: `141${String(number).padStart(12, '0')}` };
}

/** An authorised invoice, indented and without XML declaration. */
export function documentOf({ chave, number, issuedMs, protocol }: DocumentFacts): string {
  const issued = new Date(issuedMs).toISOString().replace(/\.\d+Z$/, '+00:00');
  return `<nfeProc xmlns="http://www.portalfiscal.inf.br/nfe" versao="4.00">
  <NFe>
    <infNFe Id="NFe${chave}" versao="4.00">
      <ide><cUF>41</cUF><natOp>VENDA PARANAENSE</natOp><mod>55</mod><serie>7</serie><nNF>${number}</nNF><dhEmi>${issued}</dhEmi><tpAmb>2</tpAmb></ide>
      <emit><CNPJ>${issuerCnpj}</CNPJ><xNome>Papelaria do Exemplo</xNome></emit>
      <det nItem="1"><prod><cProd>1</cProd><xProd>Resma de papel</xProd><vProd>31.40</vProd></prod></det>
    </infNFe>
  </NFe>
  <protNFe versao="4.00"><infProt><chNFe>${chave}</chNFe><nProt>${protocol}</nProt><cStat>100</cStat></infProt></protNFe>
</nfeProc>
`;
}

/** What a document says between the tags of its `infNFe`, as a digest; white space between tags says nothing. */
export function digestIn(document: string): string {
  const [start, end] = [document.search(/<infNFe[\s>]/), document.lastIndexOf('</infNFe>')];
  const content = start < 0 || end < start ? '' : document.slice(start, end + '</infNFe>'.length);
  return createHash('sha256').update(content.replaceAll(/>\s+</g, '><')).digest('base64');
}

/** The record that the tax authority makes of a document. */
export function recordOf(facts: DocumentFacts, status: AuthorityRecord['status'] = 'Autorizada'): AuthorityRecord {
  const digest = digestIn(documentOf(facts));
  return { digest, status, protocol: facts.protocol, authorizedMs: facts.issuedMs };
}

const firstDayMs = Date.parse('2026-10-01T12:00:00Z');

function fixture(number: number): DocumentFacts {
  return { chave: chaveOf(number, firstDayMs), number, issuedMs: firstDayMs, protocol: `14126000000000${number}` };
}

/** The documents that every foreign server knows from its start: one is sound, the invoice of the other was cancelled. */
export const knownDocuments = { sound: fixture(1), cancelled: fixture(2) } as const;

const lifetimeMs = 600_000;

/** A link to a document that works for ten minutes. Section 8. */
export function linkTo(invoice: Invoice, kind: 'xml' | 'danfe', world: World): string {
  const token = randomBytes(18).toString('base64url');
  world.links.set(token, { invoice, kind, untilMs: world.nowMs() + lifetimeMs });
  return `${world.baseUrl}/arquivos?t=${token}`;
}

/** The document behind a link, by its token. */
export function download(token: string, world: World): Answer {
  const link = world.links.get(token);
  if (!link || link.untilMs < world.nowMs()) return plain(404, 'Link expirado.');
  const { invoice, kind } = link;
  const content = Buffer.from(kind === 'xml' ? signed(documentOf(factsOf(invoice))) : danfeOf(invoice));
  return { status: 200, bytes: { type: kind === 'xml' ? 'text/xml' : 'application/pdf', content } };
}

/** A document with a signature of its issuer that nobody here looks into: the documents of the profile go without. */
function signed(document: string): string {
  const namespace = 'http://www.w3.org/2000/09/xmldsig#';
  return document.replace('</NFe>', `<Signature xmlns="${namespace}"><SignedInfo/></Signature></NFe>`);
}

/** A page that says nothing but whose it is. */
function danfeOf({ chave, number }: Invoice): string {
  return `%PDF-1.4
% DANFE ${number}, chave ${chave}
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>endobj
trailer<</Root 1 0 R>>
%%EOF
`;
}
