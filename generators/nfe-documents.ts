import fc from 'fast-check';
import { limits } from '../contract/values.ts';
import { named } from './named.ts';
import { type SignatureBreakage, untrueSignatures } from './nfe/breakages.ts';
import { nfeContent } from './nfe/content.ts';
import { treeOf, type NfeDraft, type NfeShape } from './nfe/draft.ts';
import { chaveOfFacts, nfeFacts, type NfeFacts, type XmlElement } from './nfe/xml-tree.ts';
import { nfeSpelling, spelled } from './nfe/spelling.ts';

/** A generated NF-e of layout 4.00, as somebody else's software could have written it. */
interface NfeText {
  /** What stands in its `Id`, without `NFe`. */
  readonly chave: string;
  readonly rawBody: Buffer;
}

/** A sound authorised invoice: `nfeProc`, in any spelling. Shrinks to a short one in the plain spelling. */
export function authorisedNfe(): fc.Arbitrary<NfeText> {
  return fc
    .tuple(nfeDraft(), nfeSpelling())
    .map(([draft, spelling]) => textOf(draft, spelling))
    .filter(isTaken);
}

/** A sound invoice without what the authority said of it: `NFe`, in any spelling. */
export function bareNfe(): fc.Arbitrary<NfeText> {
  return fc
    .tuple(nfeDraft(), nfeSpelling())
    .map(([draft, spelling]) => textOf({ ...draft, protocol: undefined }, spelling))
    .filter(isTaken);
}

/** A sound authorised invoice that goes beyond the layout: empty elements, and characters that it forbids. */
export function looseNfe(): fc.Arbitrary<NfeText> {
  const loose = fc.subarray(
    [
      { name: 'infCpl', attributes: {}, content: [] },
      {
        name: 'obs',
        attributes: { nota: 'caf\u00E9 \u2014 <"\u{1F4C4}">' },
        content: ['\u2014 \u{1F4C4} e\u0301 \u4E2D'],
      },
    ],
    { minLength: 1 },
  );
  return fc
    .tuple(nfeDraft(), loose, nfeSpelling())
    .map(([draft, parts, spelling]) => {
      const content = [...draft.content, ...parts];
      return textOf({ ...draft, content }, spelling);
    })
    .filter(isTaken);
}

/** A sound authorised invoice before anybody has decided how it is written, but for what its signature rests on. */
export function signedTree(): fc.Arbitrary<XmlElement> {
  return nfeDraft().map(treeOf);
}

/** An authorised invoice that somebody tampered with, and its twin as it was. */
export interface BrokenNfe {
  readonly breakage: SignatureBreakage;
  readonly broken: NfeText;
  readonly sound: NfeText;
}

/** An authorised invoice with one thing wrong with its signature, any of these, in any spelling. */
export function brokenNfe(breakages: readonly SignatureBreakage[] = untrueSignatures): fc.Arbitrary<BrokenNfe> {
  return fc
    .tuple(fc.constantFrom(...breakages), nfeDraft(), nfeSpelling())
    .map(([breakage, draft, spelling]) => {
      const sound = textOf(draft, spelling);
      const rawBody = spelled(breakage.apply(treeOf(draft)), spelling);
      return { breakage, sound, broken: named(JSON.stringify(rawBody.toString('utf8')), { ...sound, rawBody }) };
    })
    .filter(({ broken, sound }) => isTaken(broken) && isTaken(sound));
}

/** A long invoice that has every character as a reference is longer than what a service need take. */
function isTaken({ rawBody }: NfeText): boolean {
  return rawBody.length <= limits.xmlVerificationBytes;
}

function nfeDraft(): fc.Arbitrary<NfeDraft> {
  const protocolNumber = fc.integer({ min: 1, max: 999_999_999 });
  return fc
    .tuple(
      nfeFacts().chain((some) => nfeContent(some).map((content) => ({ facts: some, content }))),
      shape(),
      protocolNumber,
    )
    .map(([{ facts: some, content }, itsShape, number]) => draftOf(some, content, itsShape, number));
}

function shape(): fc.Arbitrary<NfeShape> {
  return fc.record({
    prefix: fc.constantFrom('', '', '', 'nfe', 'n'),
    indent: fc.constantFrom(undefined, undefined, '', '  ', '\t'),
    idlePrefixes: fc.constantFrom([], [], ['xsi'], ['z', 'a']),
    isRepeated: fc.boolean(),
  });
}

function draftOf(facts: NfeFacts, content: readonly XmlElement[], itsShape: NfeShape, number: number): NfeDraft {
  const chave = chaveOfFacts(facts);
  const id = `NFe${chave}`;
  const numero = `1${chave.slice(0, 4)}1${String(number).padStart(9, '0')}`;
  return {
    id,
    content,
    protocol: {
      chave,
      numero,
      cStat: '100',
      xMotivo: 'Autorizado o uso da NF-e',
      dhRecbto: facts.dhEmi,
      tpAmb: facts.tpAmb,
    },
    shape: itsShape,
  };
}

/** Shown in counterexamples as it is written. */
function textOf(draft: NfeDraft, spelling: Parameters<typeof spelled>[1]): NfeText {
  const rawBody = spelled(treeOf(draft), spelling);
  return named(JSON.stringify(rawBody.toString('utf8')), { chave: draft.id.replace('NFe', ''), rawBody });
}

/** A way to change a document, by what it does. */
interface DocumentChange {
  readonly name: string;
  readonly apply: (document: string) => string;
}

function change(name: string, apply: (document: string) => string): DocumentChange {
  return named(name, { name, apply });
}

/** Puts a text in front of the root element, behind the XML declaration. */
function beforeRoot(text: string): (document: string) => string {
  return (document) => {
    const declaration = /^\uFEFF?\s*<\?xml[^>]*\?>/.exec(document)?.[0] ?? '';
    return declaration + text + document.slice(declaration.length);
  };
}

/** Every kind of DTD: internal and external subsets, entities that nobody uses, and what may stand before it; what tells most first. Section 8. */
export const dtds: readonly DocumentChange[] = [
  change('a DTD without a declaration of XML', (document) =>
    beforeRoot('<!DOCTYPE nfeProc>')(document.replace(/^\uFEFF?\s*<\?xml[^>]*\?>\s*/, '')),
  ),
  change('a DTD behind white space, and a tab in it', beforeRoot(' \t <!DOCTYPE\tnfeProc >')),
  change(
    // Where all of them named one, who looks at their beginning alone would find that.
    'a DTD behind 3 kB of comments, the last of which names one',
    beforeRoot(`${'<!-- NF-e -->'.repeat(240)}<!-- <!DOCTYPE a> --><!DOCTYPE nfeProc>`),
  ),
  change('a DTD of another name', beforeRoot('<!DOCTYPE html>')),
  change('a DTD behind a byte order mark', (document) => `\uFEFF${beforeRoot('<!DOCTYPE nfeProc>')(document)}`),
  change('an internal entity', beforeRoot('<!DOCTYPE nfeProc [<!ENTITY empresa "EMPRESA FICTICIA">]>')),
  change('an external DTD', beforeRoot('<!DOCTYPE nfeProc SYSTEM "http://dtd.example/nfe.dtd">')),
  change('a public DTD', beforeRoot('<!DOCTYPE nfeProc PUBLIC "-//EXAMPLE//NFE" "http://dtd.example/nfe.dtd">')),
  change('an external entity', beforeRoot('<!DOCTYPE nfeProc [<!ENTITY fora SYSTEM "file:///etc/hostname">]>')),
  change('a DTD behind a comment of 100 kB', beforeRoot(`<!-- ${'nota '.repeat(20_000)}--><!DOCTYPE nfeProc>`)),
  change('an empty DTD', beforeRoot('<!DOCTYPE nfeProc>')),
  change('an internal subset', beforeRoot('<!DOCTYPE nfeProc [<!ELEMENT nfeProc ANY>]>')),
  change(
    'a parameter entity',
    beforeRoot('<!DOCTYPE nfeProc [<!ENTITY % fora SYSTEM "http://dtd.example/x"> %fora;]>'),
  ),
  change('a DTD behind a comment', beforeRoot('<!-- NF-e --><!DOCTYPE nfeProc>')),
  change('a DTD behind a processing instruction', beforeRoot('<?exemplo a="b"?><!DOCTYPE nfeProc>')),
  change(
    'a DTD behind 20 kB of processing instructions',
    beforeRoot(`${'<?exemplo a="b"?>'.repeat(1_250)}<!DOCTYPE nfeProc>`),
  ),
  change(
    'a DTD behind 70 kB of white space',
    beforeRoot(`${' \n'.repeat(35_000)}<!DOCTYPE nfeProc [<!ENTITY a "b">]>`),
  ),
  change('a DTD whose name is on the next line', beforeRoot('<!DOCTYPE\r\nnfeProc>')),
  change('a DTD over several lines', beforeRoot('<!DOCTYPE\n nfeProc\r\n [\n<!ENTITY a "]>">\n]\n>')),
  change(
    'entities that grow',
    beforeRoot('<!DOCTYPE nfeProc [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>'),
  ),
];

/** A document with a DTD that nobody uses. */
export const withDtd = beforeRoot('<!DOCTYPE nfeProc [<!ENTITY a "b">]>');

/** Documents that only mention a DTD. */
export const dtdWords: readonly DocumentChange[] = [
  change('in a comment before the root', beforeRoot('<!-- DTD: <!DOCTYPE nfeProc> -->')),
  change('in a comment behind the root', (document) => `${document.trimEnd()}<!-- <!DOCTYPE nfeProc [ -->`),
];

/** What is not well-formed. */
export const malformedXml: readonly string[] = [
  '<nfeProc>',
  ' \t ',
  '<nfeProc/><nfeProc/>',
  '{"chave":"1"}',
  '<nfeProc></nfe>',
  'NF-e',
  '<?xml version="1.0" encoding="UTF-8"?>',
  '<nfeProc a=1/>',
  '<nfeProc a="1" a="2"/>',
  '<nfeProc>&empresa;</nfeProc>',
  '<nfeProc>a & b</nfeProc>',
  '<x:nfeProc/>',
  '<nfeProc><!-- -- --></nfeProc>',
];

/** Documents that a reader may stumble over: deep, long, with references to no character, with a chave that is none. */
export const strainingXml: readonly string[] = [
  `${'<a>'.repeat(2000)}${'</a>'.repeat(2000)}`,
  `<nfeProc versao="${'4'.repeat(60_000)}"/>`,
  `<nfeProc>${'<det/>'.repeat(5000)}</nfeProc>`,
  '<nfeProc>&#x110000;</nfeProc>',
  '<nfeProc>&#0;</nfeProc>',
  '<NFe xmlns="http://www.portalfiscal.inf.br/nfe"><infNFe Id="NFe"/></NFe>',
  '<NFe xmlns="http://www.portalfiscal.inf.br/nfe"><infNFe Id="NFe1234"/></NFe>',
  '<?xml version="1.1"?><nfeProc/>',
];

/** Well-formed documents that name no invoice. */
export const withoutChave: readonly string[] = [
  '<nfeProc/>',
  '<nfeProc xmlns="http://www.portalfiscal.inf.br/nfe" versao="4.00"/>',
  '<html><body>NF-e</body></html>',
];

/** The document with another encoding in its declaration; its bytes stay UTF-8. */
export function declaring(document: string, encoding: string): string {
  const rest = document.replace(/^\uFEFF?\s*<\?xml[^>]*\?>/, '');
  return `<?xml version="1.0" encoding="${encoding}"?>${rest}`;
}

/** The document with white space behind it, so that it is so many bytes long in UTF-8. */
export function padded(document: string, bytes: number, space: ' ' | '\n' = ' '): string {
  return document + space.repeat(Math.max(0, bytes - Buffer.byteLength(document, 'utf8')));
}

/** The document with a comment of that character behind it, so that it is as many bytes long at least. */
export function paddedWith(document: string, bytes: number, character: string): string {
  const missing = Math.max(0, bytes - Buffer.byteLength(document, 'utf8'));
  return `${document}<!--${character.repeat(Math.ceil(missing / Buffer.byteLength(character)))}-->`;
}

/**
 * The document with one letter changed of a name of its items, its issuer or its buyer: of the first one that it has, and of
 * the last one. None where it names none.
 */
export function alterations(document: string): readonly string[] {
  const names = [...document.matchAll(/(<(?:\w+:)?(?:xProd|natOp|xNome)>[^<A-Za-z]*)([A-Za-z])[^<]*</g)];
  const ends = new Set([names.at(0), names.at(-1)].filter((found) => found !== undefined));
  return [...ends].map(({ index, 1: before = '', 2: letter }) => {
    const at = index + before.length;
    return document.slice(0, at) + (letter === 'A' ? 'B' : 'A') + document.slice(at + 1);
  });
}
