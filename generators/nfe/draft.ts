import { createHash } from 'node:crypto';
import { canonical, group, indented, leaf, prefixed, type XmlElement } from './xml-tree.ts';

/** A document before it is put together: what a flaw changes. */
export interface NfeDraft {
  /** `Id` of `infNFe`. */
  readonly id: string;
  /** What `infNFe` holds. */
  readonly content: readonly XmlElement[];
  /** `undefined` for an invoice that is not signed. */
  readonly signature: SignatureDraft | undefined;
  /** `undefined` for an invoice alone. */
  readonly protocol: ProtocolDraft | undefined;
  readonly shape: NfeShape;
}

interface SignatureDraft {
  /** `Id` of what is signed. */
  readonly id: string;
  /** The content that was there when it was signed. */
  readonly content: readonly XmlElement[];
}

interface ProtocolDraft {
  readonly chave: string;
  readonly numero: string;
  readonly cStat: string;
  readonly xMotivo: string;
  readonly dhRecbto: string;
  readonly tpAmb: string;
  /** In base64; `undefined` for what was signed. */
  readonly digestValue: string | undefined;
}

/** What somebody's software makes of the same content before it signs: it changes the digest. */
export interface NfeShape {
  /** Of the names of an invoice; empty for none. */
  readonly prefix: string;
  /** White space of one level; `undefined` for one long line. */
  readonly indent: string | undefined;
  /** Prefixes that the root declares for nothing. */
  readonly idlePrefixes: readonly string[];
  /** Whether `NFe` declares its namespace again, as most do. */
  readonly isRepeated: boolean;
}

const nfeNamespace = 'http://www.portalfiscal.inf.br/nfe';
const signatureNamespace = 'http://www.w3.org/2000/09/xmldsig#';
const canonicalization = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315';

/** The tree of a draft: `nfeProc`, or `NFe` where it has no protocol; its digest is that of what was signed. */
export function treeOf(draft: NfeDraft): XmlElement {
  const { shape, protocol, signature } = draft;
  const digest = signature && digestOf(signature, draft);
  const signed = signature && digest !== undefined ? [signatureOf(signature.id, digest)] : [];
  const invoice = named(group('NFe', [contentOf(draft)], shape.isRepeated ? namespaceOf(shape) : {}), shape);
  const nfe = { ...invoice, content: [...invoice.content, ...signed] };
  const whole = protocol
    ? { ...named(group('nfeProc', [], { versao: '4.00' }), shape), content: [nfe, protocolOf(protocol, digest, shape)] }
    : nfe;
  const root = { ...whole, attributes: { ...namespacesOf(shape), ...whole.attributes } };
  return shape.indent === undefined ? root : indented(root, shape.indent);
}

/** SHA-1 of the canonical form, in base64. */
function digestOf(signed: SignatureDraft, { shape, protocol }: NfeDraft): string {
  const content = named(contentOf(signed), shape);
  const depth = protocol ? 2 : 1;
  const laidOut = shape.indent === undefined ? content : indented(content, shape.indent, depth);
  const apex = { ...laidOut, attributes: { ...namespacesOf(shape), ...laidOut.attributes } };
  return createHash('sha1').update(canonical(apex)).digest('base64');
}

function contentOf({ id, content }: Pick<NfeDraft, 'id' | 'content'>): XmlElement {
  return group('infNFe', content, { versao: '4.00', Id: id });
}

function named(element: XmlElement, { prefix }: NfeShape): XmlElement {
  return prefix === '' ? element : prefixed(element, prefix);
}

function namespacesOf(shape: NfeShape): Readonly<Record<string, string>> {
  const idle: [string, string][] = shape.idlePrefixes.map((one) => [`xmlns:${one}`, `http://${one}.example/`]);
  return { ...namespaceOf(shape), ...Object.fromEntries<string>(idle) };
}

function namespaceOf({ prefix }: NfeShape): Readonly<Record<string, string>> {
  return { [prefix === '' ? 'xmlns' : `xmlns:${prefix}`]: nfeNamespace };
}

function protocolOf(protocol: ProtocolDraft, digest: string | undefined, shape: NfeShape): XmlElement {
  const { tpAmb, chave, dhRecbto, numero, digestValue = digest, cStat, xMotivo } = protocol;
  const parts = [
    leaf('tpAmb', tpAmb),
    leaf('verAplic', 'EXEMPLO_1.0'),
    leaf('chNFe', chave),
    leaf('dhRecbto', dhRecbto),
    leaf('nProt', numero),
    ...(digestValue === undefined ? [] : [leaf('digVal', digestValue)]),
    leaf('cStat', cStat),
    leaf('xMotivo', xMotivo),
  ];
  return named(group('protNFe', [group('infProt', parts)], { versao: '4.00' }), shape);
}

/** In the form that the layout fixes; its value and its certificate only look like some. */
function signatureOf(id: string, digest: string): XmlElement {
  const algorithm = (name: string, address: string): XmlElement => group(name, [], { Algorithm: address });
  const transforms = group('Transforms', [
    algorithm('Transform', `${signatureNamespace}enveloped-signature`),
    algorithm('Transform', canonicalization),
  ]);
  const parts = [transforms, algorithm('DigestMethod', `${signatureNamespace}sha1`), leaf('DigestValue', digest)];
  const signedInfo = group('SignedInfo', [
    algorithm('CanonicalizationMethod', canonicalization),
    algorithm('SignatureMethod', `${signatureNamespace}rsa-sha1`),
    group('Reference', parts, { URI: `#${id}` }),
  ]);
  const value = leaf('SignatureValue', Buffer.from(digest.repeat(9)).subarray(0, 256).toString('base64'));
  const certificate = leaf('X509Certificate', Buffer.from('no certificate').toString('base64'));
  const keyInfo = group('KeyInfo', [group('X509Data', [certificate])]);
  return group('Signature', [signedInfo, value, keyInfo], { xmlns: signatureNamespace });
}
