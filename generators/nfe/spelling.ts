import fc from 'fast-check';
import { lineBreaks } from '../text.ts';
import { canonicalText, type XmlElement } from './xml-tree.ts';
import { named } from '../named.ts';

/** One way to write a document down; canonical XML undoes all of it. */
interface NfeSpelling {
  /** Taken one after the other, again and again: 0, as when there is none, is the plain way. */
  readonly choices: readonly number[];
  readonly lineBreak: string;
  readonly encoding: keyof typeof encodings;
  /** Stands behind the XML declaration. */
  readonly before: string;
  readonly after: string;
}

const encodings = {
  'UTF-8': (text: string) => Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>${text}`),
  undeclared: (text: string) => Buffer.from(text),
  'marked UTF-8': (text: string) => Buffer.from(`\uFEFF<?xml version='1.0' encoding='utf-8'?>${text}`),
  'marked and undeclared': (text: string) => Buffer.from(`\uFEFF${text}`),
  standalone: (text: string) => Buffer.from(`<?xml version="1.0" standalone="yes" ?>${text}`),
  'ISO-8859-1': (text: string) => Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${text}`, 'latin1'),
} as const;

const outside = ['', '\n', '<!-- NF-e -->', '<!-- <!DOCTYPE a> -->', "<?exemplo a='b'?>", '\r\n<!----> <?x?>\t'];

/** Every way to write down a document; shrinks to the plain one. */
export function nfeSpelling(): fc.Arbitrary<NfeSpelling> {
  const kinds: readonly NfeSpelling['encoding'][] = [
    'UTF-8',
    'undeclared',
    'marked UTF-8',
    'marked and undeclared',
    'standalone',
    'ISO-8859-1',
  ];
  return fc.record({
    choices: fc.array(fc.nat({ max: 839 }), { maxLength: 24 }),
    lineBreak: fc.constantFrom(lineBreaks.lf, lineBreaks.crlf, lineBreaks.cr),
    encoding: fc.constantFrom(...kinds),
    before: fc.constantFrom(...outside),
    after: fc.constantFrom(...outside),
  });
}

/** The bytes of a tree in a spelling; a text that is not Latin-1 stays in UTF-8. */
export function spelled(tree: XmlElement, { choices, lineBreak, encoding, before, after }: NfeSpelling): Buffer {
  const next = choicesOf(choices);
  const text = before + writtenElement(tree, next).replaceAll('\n', lineBreak) + after;
  const isTooRich = encoding === 'ISO-8859-1' && /[^\0-\xFF]/.test(text);
  return encodings[isTooRich ? 'UTF-8' : encoding](text);
}

/** The text of a tree in the plain spelling, without a declaration. */
export function plainly(tree: XmlElement): string {
  return writtenElement(tree, () => 0);
}

type Next = () => number;

function choicesOf(choices: readonly number[]): Next {
  let at = 0;
  return () => choices[at++ % Math.max(1, choices.length)] ?? 0;
}

function pick<T>(options: readonly [T, ...T[]], choice: number): T {
  return options[choice % options.length] ?? options[0];
}

function writtenElement({ name, attributes, content }: XmlElement, next: Next): string {
  const start = name + writtenAttributes(attributes, next);
  const space = pick(['', '', ' ', '\n'], next());
  const parts = content.map((part) =>
    typeof part === 'string' ? writtenText(part, next) : writtenElement(part, next),
  );
  const inner = parts.join('');
  if (inner === '' && next() % 2 === 0) return `<${start}${space}/>`;
  const comment = content.some((part) => typeof part !== 'string') ? pick(['', '', '', '<!-- & -->'], next()) : '';
  return `<${start}${space}>${comment}${inner}</${name}${space}>`;
}

function writtenAttributes(attributes: Readonly<Record<string, string>>, next: Next): string {
  const entries = Object.entries(attributes);
  const ordered = next() % 2 === 0 ? entries : entries.toReversed();
  return ordered.map((entry) => pick(attributeSpellings, next())(...entry)).join('');
}

const attributeSpellings: readonly [AttributeSpelling, ...AttributeSpelling[]] = [
  (name, value) => ` ${name}="${canonicalText(value).replaceAll('"', '&quot;')}"`,
  (name, value) => ` ${name}='${canonicalText(value).replaceAll("'", '&apos;')}'`,
  (name, value) => `\n  ${name} = "${canonicalText(value).replaceAll('"', '&#34;')}"`,
  // An address of a namespace is one by its value, however it is written.
  (name, value) => ` ${name}="${referred(value, (codePoint) => `&#x${codePoint.toString(16)};`)}"`,
];

type AttributeSpelling = (name: string, value: string) => string;

function writtenText(text: string, next: Next): string {
  // What stands between elements is no text.
  return text.trim() === '' ? text : pick(textSpellings, next())(text);
}

const textSpellings: readonly [TextSpelling, ...TextSpelling[]] = [
  canonicalText,
  (text) => `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`,
  (text) => canonicalText(text).replaceAll(/[^ -~]/gu, (character) => `&#${character.codePointAt(0)};`),
  (text) => canonicalText(text).replaceAll('"', '&quot;').replaceAll("'", '&apos;'),
  (text) => referred(text, (codePoint) => `&#x${codePoint.toString(16).toUpperCase()};`),
  (text) => halves(text, '<!-- </x> -->'),
  (text) => halves(text, '<![CDATA[]]>'),
  (text) => referred(text, (codePoint) => `&#000${codePoint};`),
];

type TextSpelling = (text: string) => string;

function referred(text: string, write: (codePoint: number) => string): string {
  return Array.from(text, (character) => write(character.codePointAt(0) ?? 0)).join('');
}

function halves(text: string, between: string): string {
  const characters = Array.from(text);
  const middle = Math.ceil(characters.length / 2);
  return (
    canonicalText(characters.slice(0, middle).join('')) + between + canonicalText(characters.slice(middle).join(''))
  );
}

/** What a spelling is about. */
type SpellingGroup = 'bytes' | 'around' | 'beside' | 'within' | 'markup';

/** One way to write a signed document down that changes nothing of what was signed. */
export interface LegalSpelling {
  readonly name: string;
  readonly group: SpellingGroup;
  /** The bytes of a document; a text that the encoding does not have is written in UTF-8. */
  readonly write: (root: XmlElement) => Buffer;
}

const declaration = '<?xml version="1.0" encoding="UTF-8"?>';

/** Bytes and declarations. */
function inBytes(name: string, write: (text: string) => Buffer | string): LegalSpelling {
  return named(name, { name, group: 'bytes', write: (root) => Buffer.from(write(plainly(root))) });
}

/** A change of the text behind the declaration. */
function inText(group: SpellingGroup, name: string, change: (text: string) => string): LegalSpelling {
  return named(name, { name, group, write: (root) => Buffer.from(declaration + change(plainly(root))) });
}

function inLatin1(text: string): Buffer | string {
  if (/[^\0-\xFF]/.test(text)) return declaration + text;
  return Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${text}`, 'latin1');
}

const bytes: readonly LegalSpelling[] = [
  inBytes('declared', (text) => declaration + text),
  inBytes('undeclared', (text) => text),
  inBytes('declared in apostrophes and small letters', (text) => `<?xml version='1.0' encoding='utf-8'?>${text}`),
  inBytes('standalone', (text) => `<?xml version="1.0" encoding="UTF-8" standalone="no" ?>${text}`),
  inBytes('declared without an encoding', (text) => `<?xml version="1.0"?>${text}`),
  inBytes('behind a byte order mark', (text) => `\uFEFF${text}`),
  inBytes('declared behind a byte order mark', (text) => `\uFEFF${declaration}${text}`),
  inBytes('in Latin-1', inLatin1),
];

const around: readonly LegalSpelling[] = [
  inText('beside', 'on a line of its own', (text) => `\n${text}\n`),
  inText('beside', 'with CR and LF around it', (text) => `\r\n${text}\r\n\r\n`),
  inText('around', 'with a comment before it', (text) => `<!-- NF-e -->${text}`),
  inText('around', 'with a comment behind it', (text) => `${text}<!-- </nfeProc> -->`),
  inText('around', 'with a processing instruction before it', (text) => `<?exemplo a="b"?>${text}`),
];

/** White space and more between elements that nobody signs: those of the protocol, and those directly in `Signature`. */
const beside: readonly LegalSpelling[] = [
  inText('beside', 'with a line break before the protocol', (text) => text.replace(/<(?=(?:\w+:)?protNFe)/, '\n  <')),
  inText('beside', 'with white space in the protocol', (text) => {
    const at = text.search(/<(?:\w+:)?protNFe/);
    return at < 0 ? text : text.slice(0, at) + text.slice(at).replaceAll('><', '>\n <');
  }),
  inText('beside', 'with a comment in the protocol', (text) =>
    text.replace(/<(?=(?:\w+:)?infProt)/, '<!-- protocolo --><'),
  ),
  inText('beside', 'with a line break before the signature', (text) =>
    text.replace(/<(?=(?:\w+:)?Signature[ >])/, '\r\n<'),
  ),
  inText('beside', 'with line breaks in the signature', (text) =>
    text.replace(/<(?=(?:\w+:)?(?:SignatureValue|KeyInfo|X509Data|X509Certificate)[ >])/g, '\n<'),
  ),
  inText('beside', 'with a comment in the signature', (text) => text.replace(/<(?=(?:\w+:)?KeyInfo)/, '<!-- --><')),
  inText('beside', 'with a SignatureValue in lines', (text) =>
    inLines(text, /(<(?:\w+:)?SignatureValue[^<>]*>)([^<]*)/, '\n'),
  ),
  inText('beside', 'with a certificate in lines', (text) =>
    inLines(text, /(<(?:\w+:)?X509Certificate[^<>]*>)([^<]*)/, '\r\n'),
  ),
];

/** With what the second part of the pattern finds in lines. */
function inLines(text: string, tagAndValue: RegExp, lineBreak: string): string {
  return text.replace(tagAndValue, (_, tag: string, value: string) => {
    const lines = value.match(/.{1,64}/g) ?? [];
    return [tag, ...lines, ''].join(lineBreak);
  });
}

/** What canonical XML undoes within that which is signed. */
const within: readonly LegalSpelling[] = [
  inText('within', 'with apostrophes around attributes', (text) =>
    text.replaceAll(/ ([\w:]+)="([^"'<]*)"/g, " $1='$2'"),
  ),
  inText('within', 'with attributes in another order', (text) =>
    text.replaceAll(/(<[\w:]+)((?: [\w:]+="[^"]*")(?: [\w:]+="[^"]*")+)/g, (_, tag: string, attributes: string) => {
      const each = attributes.match(/ [\w:]+="[^"]*"/g) ?? [];
      return tag + each.toReversed().join('');
    }),
  ),
  inText('within', 'with white space in the tags', (text) =>
    text.replaceAll(/<([\w:]+)((?: [\w:]+="[^"]*")*)>/g, '<$1$2\n>').replaceAll(/<\/([\w:]+)>/g, '</$1 >'),
  ),
  inText('within', 'with closed tags of empty elements', (text) =>
    text.replaceAll(/<([\w:]+)((?: [\w:]+="[^"]*")*)\/>/g, '<$1$2></$1>'),
  ),
  inText('within', 'with comments', (text) => text.replaceAll(/<\/(?:\w+:)?(?:ide|det|SignedInfo)>/g, '<!-- & -->$&')),
  inText('within', 'with the namespace declared again', (text) =>
    text.replace(/<infNFe /, '<infNFe xmlns="http://www.portalfiscal.inf.br/nfe" '),
  ),
];

/** Texts that say the same. */
const markup: readonly LegalSpelling[] = [
  inText('markup', 'with CDATA', (text) =>
    // A carriage return can't stand there as it is, nor the end of a CDATA section.
    text.replaceAll(/>([^<>]+)<\/((?:\w+:)?x\w+)>/g, (whole, value: string, name: string) =>
      /&#xD;|]]/.test(value) ? whole : `><![CDATA[${unescaped(value)}]]></${name}>`,
    ),
  ),
  inText('markup', 'with named references', (text) =>
    text.replaceAll(
      />([^<>]+)</g,
      (_, value: string) => `>${value.replaceAll('"', '&quot;').replaceAll("'", '&apos;')}<`,
    ),
  ),
  inText('markup', 'with decimal references', (text) => referring(text, (code) => `&#${code};`)),
  inText('markup', 'with hexadecimal references', (text) => referring(text, (code) => `&#x${code.toString(16)};`)),
  inText('markup', 'with zeros before references', (text) =>
    referring(text, (code) => `&#x000${code.toString(16).toUpperCase()};`),
  ),
];

function referring(text: string, write: (code: number) => string): string {
  return text.replaceAll(/>([^<>]+)<\/((?:\w+:)?x\w+)>/g, (_, value: string, name: string) => {
    const written = Array.from(unescaped(value), (character) => write(character.codePointAt(0) ?? 0));
    return `>${written.join('')}</${name}>`;
  });
}

/** The text that canonical XML writes so. */
function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&#xD;', '\r').replaceAll('&amp;', '&');
}

/** Every legal spelling of a signed document: canonical XML undoes it, or it is not signed. */
export const legalSpellings: readonly LegalSpelling[] = [...bytes, ...around, ...beside, ...within, ...markup];
