import { blankSignature, sealed } from './seal.ts';
import { group, indented, leaf, prefixed, type XmlElement } from './xml-tree.ts';

/** A document before it is put together and signed. */
export interface NfeDraft {
  /** `Id` of `infNFe`. */
  readonly id: string;
  /** What `infNFe` holds. */
  readonly content: readonly XmlElement[];
  /** `undefined` for an invoice alone. */
  readonly protocol: ProtocolDraft | undefined;
  readonly shape: NfeShape;
}

interface ProtocolDraft {
  readonly chave: string;
  readonly numero: string;
  readonly cStat: string;
  readonly xMotivo: string;
  readonly dhRecbto: string;
  readonly tpAmb: string;
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

/** The signed tree of a draft: `nfeProc`, or `NFe` where it has no protocol. */
export function treeOf(draft: NfeDraft): XmlElement {
  return sealed(laidOut(draft));
}

/** The tree before it is signed. */
function laidOut({ id, content, shape, protocol }: NfeDraft): XmlElement {
  const own = shape.isRepeated ? namespaceOf(shape) : {};
  const invoice = named(group('NFe', [contentOf({ id, content })], own), shape);
  const nfe = { ...invoice, content: [...invoice.content, blankSignature(id)] };
  const whole = protocol
    ? {
        ...named(group('nfeProc', [], { versao: '4.00' }), shape),
        content: [nfe, protocolOf(protocol, shape)],
      }
    : nfe;
  const root = { ...whole, attributes: { ...namespacesOf(shape), ...whole.attributes } };
  return shape.indent === undefined ? root : indented(root, shape.indent);
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

function protocolOf(protocol: ProtocolDraft, shape: NfeShape): XmlElement {
  const { tpAmb, chave, dhRecbto, numero, cStat, xMotivo } = protocol;
  const parts = [
    leaf('tpAmb', tpAmb),
    leaf('verAplic', 'EXEMPLO_1.0'),
    leaf('chNFe', chave),
    leaf('dhRecbto', dhRecbto),
    leaf('nProt', numero),
    leaf('digVal', ''),
    leaf('cStat', cStat),
    leaf('xMotivo', xMotivo),
  ];
  return named(group('protNFe', [group('infProt', parts)], { versao: '4.00' }), shape);
}
