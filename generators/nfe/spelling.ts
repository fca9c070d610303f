import fc from 'fast-check';
import { lineBreaks } from '../text.ts';
import { canonicalText, type XmlElement } from './xml-tree.ts';

/** One way to write a document down; canonical XML undoes all of it. */
export interface NfeSpelling {
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
