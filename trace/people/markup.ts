import { shownWords } from './explaining.ts';
import { isNameShown, isChaveText, isShortNumber } from './looks.ts';
import { shownValue } from './json.ts';
import type { View } from './veil.ts';

const pages = new Set(
  'html head body title meta div p h1 h2 h3 h4 center table pre span b br hr a ul script style'.split(' '),
);

/** Whether a markup is a page for people: by its doctype, or by its first element. */
function wordsMayStandIn(text: string): boolean {
  const start = text.slice(0, longestStart);
  if (/<!doctype html/i.test(start)) return true;
  const [, name = ''] = /<([a-z\d]+)/i.exec(start) ?? [];
  return pages.has(name.toLowerCase());
}

const longestStart = 2_000;

/** What markup is being read, and what was shown of it so far. */
interface Reading {
  readonly text: string;
  readonly view: View;
  readonly isHtml: boolean;
  readonly out: string[];
  /** Names of the elements that are open. */
  readonly open: string[];
}

/** What begins and ends what is no element: its content is hidden. */
const enclosed = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
  ['<!', '>'],
] as const;

/**
 * XML or HTML as it is shown: elements and attributes stay, of XML the texts by the element that they stand in, of HTML known words;
 * comments, CDATA and instructions only by their length.
 */
export function shownMarkup(text: string, view: View): string {
  const reading: Reading = { text, view, isHtml: wordsMayStandIn(text), out: [], open: [] };
  let at = 0;
  while (at < text.length) at = text.charAt(at) === '<' ? readTag(reading, at) : readText(reading, at);
  return reading.out.join('');
}

/** Reads to the next tag. What begins like one and is none belongs to the text. */
function readText({ text, view, isHtml, out, open }: Reading, from: number): number {
  const found = text.indexOf('<', from + 1);
  const end = found === -1 ? text.length : found;
  const raw = text.slice(from, end);
  const content = raw.trim();
  if (content === '') out.push(raw);
  else {
    const start = raw.indexOf(content);
    const value = withoutEntities(content);
    const shown = shownText(value, { isHtml, name: open.at(-1), parent: open.at(-2), isCut: found === -1 }, view);
    out.push(raw.slice(0, start), shown === value ? content : shown, raw.slice(start + content.length));
  }
  return end;
}

interface TextPlace {
  readonly isHtml: boolean;
  readonly name: string | undefined;
  readonly parent: string | undefined;
  readonly isCut: boolean;
}

/** Elements of HTML whose content is no text for its reader. */
const unread = new Set(['script', 'style', 'template', 'textarea']);

function shownText(value: string, { isHtml, name, parent, isCut }: TextPlace, view: View): string {
  if (isHtml) return unread.has(name?.toLowerCase() ?? '') ? view.hide(value) : shownWords(value, view);
  if (!isCut && isShortNumber(value)) return value;
  return shownValue(value, { name, parent, isCut }, view);
}

function readTag(reading: Reading, from: number): number {
  const { text, out, view } = reading;
  const next = text.charAt(from + 1);
  if (next === '!' || next === '?') return readEnclosed(reading, from);
  if (next !== '/' && !/[\p{L}_:]/u.test(next)) {
    out.push('<');
    return from + 1;
  }
  const start = next === '/' ? from + 2 : from + 1;
  const nameEnd = endWhere(text, start, (one) => isBlank(one) || one === '>' || one === '/' || one === '=');
  const name = text.slice(start, nameEnd);
  out.push(text.slice(from, start), shownTagName(name, view));
  const end = readAttributes(reading, nameEnd);
  if (next === '/') reading.open.pop();
  else if (text.charAt(end - 2) !== '/') reading.open.push(localName(name));
  return end;
}

function readEnclosed({ text, view, out }: Reading, from: number): number {
  const declaration =
    /^<\?xml version="1\.\d"(?: encoding="[\w-]{1,20}")?(?: standalone="(?:yes|no)")? ?\?>|^<!doctype html>/i.exec(
      text.slice(from, from + longestDeclaration),
    )?.[0];
  if (declaration !== undefined) {
    out.push(declaration);
    return from + declaration.length;
  }
  const [opening, closing] = enclosed.find(([start]) => text.startsWith(start, from)) ?? enclosed[3];
  const found = text.indexOf(closing, from + opening.length);
  const end = found === -1 ? text.length : found;
  out.push(opening, view.hide(text.slice(from + opening.length, end)), found === -1 ? '' : closing);
  return found === -1 ? end : end + closing.length;
}

const longestDeclaration = 120;

/** Reads attributes to the end of a tag. */
function readAttributes({ text, view, out }: Reading, from: number): number {
  let at = from;
  while (at < text.length) {
    const character = text.charAt(at);
    if (character === '>') {
      out.push('>');
      return at + 1;
    }
    if (isBlank(character) || character === '/' || character === '=') {
      out.push(character);
      at += 1;
      continue;
    }
    const nameEnd = endWhere(text, at, (one) => isBlank(one) || one === '=' || one === '>' || one === '/');
    const name = text.slice(at, nameEnd);
    out.push(shownTagName(name, view));
    at = nameEnd;
    const valueAt = endWhere(text, nameEnd, (one) => !isBlank(one) && one !== '=');
    if (text.slice(nameEnd, valueAt).includes('=')) {
      out.push(text.slice(nameEnd, valueAt));
      at = readValue(text, valueAt, localName(name), name, view, out);
    }
  }
  return at;
}

function readValue(text: string, from: number, name: string, wholeName: string, view: View, out: string[]): number {
  const quote = text.charAt(from);
  const isQuoted = quote === '"' || quote === "'";
  const start = isQuoted ? from + 1 : from;
  const end = endWhere(text, start, (one) => (isQuoted ? one === quote : isBlank(one) || one === '>'));
  const raw = text.slice(start, end);
  const value = withoutEntities(raw);
  const isPlain = isNamespaceName(wholeName, value) || isShortNumber(value) || isChaveText(value);
  const shown = end === text.length ? view.hide(value) : isPlain ? value : shownValue(value, { name }, view);
  const marks = isQuoted ? quote : '';
  out.push(marks, shown === value ? raw : shown.replaceAll('"', "'"), end === text.length ? '' : marks);
  return end + (isQuoted && end < text.length ? 1 : 0);
}

/** A name of a namespace or an algorithm of XML. */
function isNamespaceName(name: string, value: string): boolean {
  const isOfXml =
    name === 'xmlns' || name.startsWith('xmlns:') || name === 'Algorithm' || name === 'xsi:schemaLocation';
  return (
    isOfXml &&
    value.length <= 200 &&
    /^https?:\/\/(?:www\.w3\.org|www\.portalfiscal\.inf\.br|schemas\.xmlsoap\.org)(?:\/[a-z\d./#-]*)?$/i.test(value)
  );
}

function shownTagName(name: string, view: View): string {
  const colon = name.indexOf(':');
  const prefix = colon === -1 ? '' : name.slice(0, colon);
  const isShown = /^[a-z\d]{0,12}$/i.test(prefix) && isNameShown(localName(name));
  return isShown || name.startsWith('xmlns') ? (isShown ? name : shownPrefixName(name, view)) : view.hide(name);
}

/** `xmlns:soap`: the prefix is a name of its own. */
function shownPrefixName(name: string, view: View): string {
  return /^xmlns(?::[a-z\d]{1,12})?$/i.test(name) ? name : view.hide(name);
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function endWhere(text: string, from: number, isEnd: (character: string) => boolean): number {
  let at = from;
  while (at < text.length && !isEnd(text.charAt(at))) at += 1;
  return at;
}

function isBlank(character: string): boolean {
  return character === ' ' || character === '\n' || character === '\r' || character === '\t';
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

/** A text with its character references resolved. */
export function withoutEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#x([\da-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos|nbsp));/gi,
    (whole, hex: string | undefined, decimal: string | undefined, name: string | undefined) => {
      if (name !== undefined) return named[name.toLowerCase()] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
    },
  );
}
