import { chaveCheckDigit } from '../domain.ts';
import { named } from '../named.ts';
import {
  canonicalization,
  issuerOf,
  sealed,
  signatureNamespace,
  valued,
  type SealOptions,
  foreignSignerOf,
  signerOf,
} from './signer.ts';
import { found, group, leaf, replaced, textOf, withText, type XmlElement } from './xml-tree.ts';

/** One thing that is wrong with the signature of a document, or with what it holds together; all else is right. */
export interface SignatureBreakage {
  readonly name: string;
  /** The document with that wrong; one that has nothing of that kind comes back as it was. */
  readonly apply: (root: XmlElement) => XmlElement;
}

type Change = (root: XmlElement) => XmlElement;

function breakage(name: string, apply: Change): SignatureBreakage {
  return named(name, { name, apply });
}

/** Changes what is signed of the signature itself, and signs that: nothing else is wrong then. */
function signedAnew(name: string, change: Change, options: SealOptions = {}): SignatureBreakage {
  return breakage(name, (root) => valued(change(sealed(root, options)), options));
}

/** Parts whose absence, emptiness or repetition is a breakage; those of the first kind are signed. */
const signedParts = [
  'SignedInfo',
  'CanonicalizationMethod',
  'SignatureMethod',
  'Reference',
  'Transforms',
  'DigestMethod',
  'DigestValue',
] as const;
const unsignedParts = ['Signature', 'SignatureValue', 'KeyInfo', 'X509Data', 'X509Certificate'] as const;

/** Without these the element around them is empty, which is a breakage of its own. */
const onlyParts: ReadonlySet<string> = new Set(['X509Data', 'X509Certificate']);

const absent =
  (name: string): Change =>
  (root) =>
    replaced(root, name, () => []);
const doubled =
  (name: string): Change =>
  (root) =>
    replaced(root, name, (one) => [one, one]);
const emptied =
  (name: string): Change =>
  (root) =>
    replaced(root, name, ({ name: whole, attributes }) => {
      const rest = Object.entries(attributes).filter(([attribute]) => attribute !== 'Algorithm');
      return [{ name: whole, attributes: Object.fromEntries(rest), content: [] }];
    });

const damagedParts: readonly SignatureBreakage[] = [
  ...signedParts.flatMap((part) => [
    signedAnew(`the ${part} is absent`, absent(part)),
    signedAnew(`the ${part} is empty`, emptied(part)),
    signedAnew(`the ${part} is doubled`, doubled(part)),
  ]),
  ...unsignedParts.flatMap((part) => [
    ...(onlyParts.has(part) ? [] : [breakage(`the ${part} is absent`, absent(part))]),
    breakage(`the ${part} is empty`, emptied(part)),
    breakage(`the ${part} is doubled`, doubled(part)),
  ]),
];

/** The algorithms of the elements of that name, one after the other. */
function algorithms(name: string, change: (algorithms: readonly string[]) => readonly string[]): Change {
  return (root) => {
    const parent = name === 'Transform' ? 'Transforms' : 'SignedInfo';
    return replaced(root, parent, (holder) => {
      const own = holder.content.filter((part) => typeof part !== 'string').filter((part) => part.name.endsWith(name));
      const [model] = own;
      if (!model) return [holder];
      const made = change(own.map(({ attributes }) => attributes['Algorithm'] ?? '')).map((Algorithm) => ({
        ...model,
        attributes: { Algorithm },
      }));
      const at = holder.content.indexOf(model);
      const rest = holder.content.filter((part) => typeof part === 'string' || !own.includes(part));
      return [{ ...holder, content: rest.toSpliced(at, 0, ...made) }];
    });
  };
}

function method(name: string, Algorithm: string): Change {
  return (root) => replaced(root, name, (one) => [{ ...one, attributes: { Algorithm } }]);
}

const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const sha256 = 'http://www.w3.org/2001/04/xmlenc#sha256';

const otherAlgorithms: readonly SignatureBreakage[] = [
  signedAnew('canonical XML is exclusive', method('CanonicalizationMethod', exclusive)),
  signedAnew('canonical XML has comments', method('CanonicalizationMethod', `${canonicalization}#WithComments`)),
  signedAnew('canonical XML is of 1.1', method('CanonicalizationMethod', 'http://www.w3.org/2006/12/xml-c14n11')),
  signedAnew(
    'it is signed with SHA-256',
    method('SignatureMethod', 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'),
    { signatureHash: 'sha256' },
  ),
  signedAnew('the SignatureMethod is another', method('SignatureMethod', `${signatureNamespace}hmac-sha1`)),
  signedAnew('the SignatureMethod does not exist', method('SignatureMethod', `${signatureNamespace}rsa-sha17`)),
  signedAnew('the digest is of SHA-256', method('DigestMethod', sha256), { digestHash: 'sha256' }),
  signedAnew('the DigestMethod is another', method('DigestMethod', sha256)),
  signedAnew('the DigestMethod does not exist', method('DigestMethod', `${signatureNamespace}sha17`)),
  signedAnew(
    'only the enveloped signature is taken out',
    algorithms('Transform', (all) => all.slice(0, 1)),
  ),
  signedAnew(
    'the enveloped signature is not taken out',
    algorithms('Transform', (all) => all.slice(1)),
  ),
  signedAnew(
    'the Transforms are in another order',
    algorithms('Transform', (all) => all.toReversed()),
  ),
  signedAnew(
    'there are three Transforms',
    algorithms('Transform', (all) => [...all, canonicalization]),
  ),
  signedAnew(
    'a Transform is exclusive',
    algorithms('Transform', ([first = '']) => [first, exclusive]),
  ),
  signedAnew(
    'a Transform is another',
    algorithms('Transform', ([first = '']) => [first, `${signatureNamespace}base64`]),
  ),
];

/** A digit of what the invoice comes to, in front of the others. */
const altered: Change = (root) => {
  const total = found(root, 'vNF');
  return total ? withText(root, 'vNF', `9${textOf(total)}`) : root;
};

/** A text in base64 with another first character. */
function otherStart(text: string): string {
  return (text.startsWith('A') ? 'B' : 'A') + text.slice(1);
}

function changedText(name: string, change: (text: string) => string): Change {
  return (root) => replaced(root, name, (one) => [{ ...one, content: [change(textOf(one).trim())] }]);
}

/** The plainest forgery: whoever looks at digests alone takes it. */
export const forgery = breakage('the invoice is altered, and its digests are made anew', (root) => {
  const value = textOf(found(root, 'SignatureValue'));
  const certificate = textOf(found(root, 'X509Certificate'));
  return withText(withText(sealed(altered(root)), 'SignatureValue', value), 'X509Certificate', certificate);
});

const otherValues: readonly SignatureBreakage[] = [
  breakage('the SignatureValue is altered', changedText('SignatureValue', otherStart)),
  breakage(
    'the SignatureValue is cut short',
    changedText('SignatureValue', (text) => text.slice(0, -8)),
  ),
  breakage(
    'the SignatureValue is not in base64',
    changedText('SignatureValue', (text) => `*${text.slice(1)}`),
  ),
  breakage(
    'the SignatureValue has text behind it',
    changedText('SignatureValue', (text) => `${text}AAAA`),
  ),
  breakage('the SignatureValue is of another document', (root) => {
    const other = found(sealed(altered(root)), 'SignatureValue');
    return withText(sealed(root), 'SignatureValue', textOf(other));
  }),
  signedAnew('the DigestValue is altered', changedText('DigestValue', otherStart)),
  breakage('the DigestValue is altered and not signed', changedText('DigestValue', otherStart)),
  breakage('the invoice is altered', altered),
  forgery,
  breakage(
    'the certificate is none',
    changedText('X509Certificate', () => Buffer.from('none').toString('base64')),
  ),
  breakage(
    'the certificate is cut short',
    changedText('X509Certificate', (text) => text.slice(0, 400)),
  ),
  breakage('the certificate is of another key', (root) => sealed(root, { signer: foreignSignerOf(issuerOf(root)) })),
  breakage('the certificate is of another company', (root) =>
    sealed(root, { signer: signerOf(issuerOf(root).startsWith('99999999') ? '11222333000181' : '99999999000191') }),
  ),
  breakage('the certificate had expired', (root) => sealed(root, { signer: signerOf(issuerOf(root), 'to 2016') })),
];

function withUri(change: (uri: string) => string | undefined): Change {
  return (root) =>
    replaced(root, 'Reference', (one) => {
      const { URI = '', ...rest } = one.attributes;
      const changed = change(URI);
      return [{ ...one, attributes: changed === undefined ? rest : { ...rest, URI: changed } }];
    });
}

/** The chave of the invoice with the next number. */
function nextChave(chave: string): string {
  const first43 = chave.slice(0, 33) + ((Number(chave[33]) + 1) % 10) + chave.slice(34, 43);
  return first43 + chaveCheckDigit(first43);
}

const otherId = (id: string): string => id.slice(0, -44) + nextChave(id.slice(-44));

function secondReference(uri: string): Change {
  return (root) => replaced(root, 'Reference', (one) => [one, { ...one, attributes: { ...one.attributes, URI: uri } }]);
}

const otherReferences: readonly SignatureBreakage[] = [
  signedAnew(
    'the reference is of the whole document',
    withUri(() => ''),
  ),
  signedAnew(
    'the reference has no URI',
    withUri(() => undefined),
  ),
  signedAnew('the reference is of another invoice', withUri(otherId)),
  signedAnew(
    'the reference is no fragment',
    withUri((uri) => uri.slice(1)),
  ),
  signedAnew(
    'the reference is an XPointer',
    withUri((uri) => `#xpointer(id('${uri.slice(1)}'))`),
  ),
  signedAnew(
    'the reference leads elsewhere',
    withUri(() => 'http://assinado.example/nfe.xml'),
  ),
  signedAnew('a second reference is of nothing', secondReference('#NFe')),
  signedAnew('a second reference is of the whole document', secondReference('')),
  breakage('Id and URI are apart', renumbered),
];

/** The document as one of the next number, in all but its signature. */
function renumbered(root: XmlElement): XmlElement {
  const invoice = found(root, 'infNFe');
  const { Id = '' } = invoice?.attributes ?? {};
  const chave = nextChave(Id.slice(-44));
  const identified = replaced(root, 'infNFe', (one) => [
    { ...one, attributes: { ...one.attributes, Id: `NFe${chave}` } },
  ]);
  const numbered = withText(identified, 'nNF', String(Number(chave.slice(25, 34))));
  return withText(withText(numbered, 'cDV', chave.slice(43)), 'chNFe', chave);
}

/** The document with something put into one of its elements, behind all else there. */
function appended(root: XmlElement, name: string, ...parts: readonly XmlElement[]): XmlElement {
  return replaced(root, name, (one) => [{ ...one, content: [...one.content, ...parts] }]);
}

function original(root: XmlElement): XmlElement {
  return found(root, 'infNFe') ?? root;
}

/** The signed invoice kept somewhere, where the reference may find it, and an altered one in its place. */
const wrappings: readonly SignatureBreakage[] = [
  breakage('the signed invoice is in an Object, an altered one in its place', (root) =>
    appended(altered(root), 'Signature', group('Object', [original(root)])),
  ),
  breakage('the signed invoice is in an Object, one of another Id in its place', (root) =>
    appended(renumbered(altered(root)), 'Signature', group('Object', [original(root)])),
  ),
  breakage('the signed invoice is in the KeyInfo, an altered one in its place', (root) =>
    appended(altered(root), 'KeyInfo', original(root)),
  ),
  breakage('an altered invoice stands before the signed one', (root) =>
    replaced(root, 'infNFe', (one) => [found(altered(root), 'infNFe') ?? one, one]),
  ),
  breakage('an altered invoice stands behind the signed one', (root) =>
    replaced(root, 'infNFe', (one) => [one, found(altered(root), 'infNFe') ?? one]),
  ),
  breakage('an altered invoice of another Id stands before the signed one', (root) =>
    replaced(root, 'infNFe', (one) => [found(renumbered(altered(root)), 'infNFe') ?? one, one]),
  ),
  breakage('the signed invoice is in the altered one', (root) => appended(altered(root), 'infNFe', original(root))),
  breakage('the signed invoice is in the protocol, an altered one in its place', (root) =>
    appended(altered(root), 'infProt', original(root)),
  ),
  breakage('another element has the Id of the invoice', (root) => {
    const { Id = '' } = original(root).attributes;
    return appended(root, 'KeyInfo', { name: 'KeyName', attributes: { Id }, content: ['nota'] });
  }),
  breakage('the protocol has the Id of the invoice', (root) =>
    replaced(root, 'infProt', (one) => [
      { ...one, attributes: { ...one.attributes, Id: original(root).attributes['Id'] ?? '' } },
    ]),
  ),
  breakage('an element stands around the invoice', (root) =>
    replaced(root, 'infNFe', (one) => [{ ...group('envelope', [one]), name: one.name.replace('infNFe', 'envelope') }]),
  ),
  breakage('the signature is in the invoice', (root) => {
    const signature = found(root, 'Signature');
    return signature ? appended(absent('Signature')(root), 'infNFe', signature) : root;
  }),
  breakage('the signature is of another namespace', (root) =>
    replaced(root, 'Signature', (one) => [{ ...one, attributes: { xmlns: 'http://www.w3.org/2000/09/xmldsig' } }]),
  ),
  breakage('a signature holds what it does not sign', (root) =>
    appended(root, 'Signature', group('Object', [leaf('nota', 'assinada')])),
  ),
];

const otherProtocols: readonly SignatureBreakage[] = [
  breakage('the protocol is of another invoice', changedText('chNFe', nextChave)),
  breakage('the digest in the protocol is another', changedText('digVal', otherStart)),
  breakage('there are two protocols', doubled('protNFe')),
  breakage('there are two answers in the protocol', doubled('infProt')),
];

const all: readonly SignatureBreakage[] = [
  ...damagedParts,
  ...otherAlgorithms,
  ...otherValues,
  ...otherReferences,
  ...wrappings,
  ...otherProtocols,
];

/**
 * What no key and no digest make good, what tells most first: the signature is none, or not of the invoice that the document tells of.
 * Whoever verifies a signature at all sees these, by whatever algorithms, certificates and forms he allows.
 */
const untrue: readonly string[] = [
  forgery.name,
  'the SignatureValue is altered',
  'the Signature is absent',
  'the SignatureValue is empty',
  'the signed invoice is in an Object, an altered one in its place',
  'the SignatureValue is absent',
  'the invoice is altered',
  'the SignatureValue is of another document',
  'the DigestValue is altered',
  'the DigestValue is altered and not signed',
  'Id and URI are apart',
  'an altered invoice of another Id stands before the signed one',
  'the signed invoice is in the KeyInfo, an altered one in its place',
  'the signed invoice is in an Object, one of another Id in its place',
  'the signed invoice is in the protocol, an altered one in its place',
  'the signed invoice is in the altered one',
  'an altered invoice stands before the signed one',
  'an altered invoice stands behind the signed one',
  'the reference is of another invoice',
  'the reference leads elsewhere',
  'the Signature is empty',
  'the SignedInfo is absent',
  'the SignedInfo is empty',
  'the Reference is absent',
  'the DigestValue is absent',
  'the DigestValue is empty',
  'the SignatureValue is cut short',
  'the certificate is none',
  'the certificate is cut short',
];

/** Everything that is wrong with a signature, one thing at a time; xmlsec1 or the layout of the NF-e takes none of it. */
export const signatureBreakages: readonly SignatureBreakage[] = all;

/** Those of them with which the signature does not hold, what tells most first. */
export const untrueSignatures: readonly SignatureBreakage[] = untrue.flatMap((name) =>
  all.filter((one) => one.name === name),
);

/**
 * The others, made as the layout of the NF-e does not have it. The contract does not speak of the layout: what holds with most of these by
 * the algorithm that is named, or by the usual one whatever is named, or with anybody's certificate, is told of by nobody.
 */
export const unusualSignatures: readonly SignatureBreakage[] = all.filter(({ name }) => !untrue.includes(name));
