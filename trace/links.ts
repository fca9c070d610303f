import { jsonIn } from './exchange.ts';
import { endpoints, retiredEndpoints } from '../contract/endpoints.ts';
import { textStarts, unescaped, plainReading, unplacedReading, type TextReading } from './secrets/reading.ts';

/** What a message that came from a target says, as far as it may hold links and cookies. */
interface ReceivedMessage {
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

/** What takes the place of a part of a link that may be a token. */
const linkToken = '$linkToken';
const cookie = '$cookie';

/** Whether that stands for a secret that was received, not for one of an application. */
export function isReceived(stand: string): boolean {
  return stand === linkToken || stand === cookie;
}

/** A name of a namespace or an algorithm of XML. No document of a target is on these hosts, and no other link fits in here. */
const xmlIdentifier = /^https?:\/\/www\.(?:w3\.org|portalfiscal\.inf\.br)(?:\/[\w./#-]*)?$/;

/**
 * A text with the tokens in its links hidden, also where the links are escaped: whoever has a live one needs no more. What is
 * `known` to be a word of an address of ours stays.
 */
export function withoutLinkTokens(text: string, known: ReadonlySet<string> = new Set()): string {
  const tokens = layersOf(text)
    .flatMap(tokensIn)
    .filter(({ token }) => !known.has(token));
  return tokens.length === 0 ? text : replaced(text, tokens);
}

/** The words of the paths of addresses. */
export function wordsOfAddresses(addresses: readonly (string | undefined)[]): ReadonlySet<string> {
  const urls = addresses.filter((address) => address !== undefined && URL.canParse(address));
  return new Set(urls.flatMap((address) => new URL(address ?? '').pathname.split('/')));
}

/** The path and query of a link with the tokens in it hidden. */
export function withoutTokenInTarget(target: string): string {
  const nowhere = 'http://link';
  return withoutLinkTokens(nowhere + target).slice(nowhere.length);
}

/** Most secrets that one message brings, and how long one is: beyond that it's no link. */
const [mostSecrets, longestSecret] = [50, 1024];

/**
 * What lets whoever knows it in: tokens of links and values of cookies, each with what takes its place wherever it turns up again.
 * Not what stands in `sent`, a text of ours, nor numbers that may be a time or a key of an invoice.
 */
export function secretsReceived({ headers, body }: ReceivedMessage, sent: string): Map<string, string> {
  const values = (name: string): string[] =>
    headers.filter(([own]) => own.toLowerCase() === name).map(([, value]) => value);
  const relative = ['location', 'content-location', 'refresh', 'link'].flatMap(values).map(asLink);
  const texts = [body, ...headers.map(([, value]) => value), ...relative, ...relativeLinks(body)];
  const tokens = texts
    .flatMap((text) => layersOf(text, unplacedReading).flatMap(tokensIn))
    .flatMap(({ token }) => [token, ...passwordIn(token)])
    .map((secret) => [secret, linkToken] as const);
  const cookies = values('set-cookie').map((value) => [cookieValue(value), cookie] as const);
  const secrets = [...tokens, ...cookies].filter(([secret]) => isSecret(secret) && !sent.includes(secret));
  return new Map(secrets.slice(0, mostSecrets));
}

/** The password of `user:password`, which lets in by itself. */
function passwordIn(token: string): string[] {
  const colon = token.indexOf(':');
  return colon === -1 ? [] : [token.slice(colon + 1)];
}

function isSecret(text: string): boolean {
  return text.length >= 8 && text.length <= longestSecret && !/^\d{1,20}$|^\d{44}$/.test(text);
}

function cookieValue(header: string): string {
  const [pair = ''] = header.split(';', 1);
  return pair.slice(pair.indexOf('=') + 1).trim();
}

/** A relative link as one on a host; nothing of one that names its host itself. */
function asLink(value: string): string {
  const [target = ''] = value
    .trim()
    .replace(/^</, '')
    .split(/[\s;>]/, 1);
  return /^[a-z][a-z\d+.-]*:|^\/\//i.test(target) ? '' : `http://link/${target.replace(/^\//, '')}`;
}

/** Member names of JSON whose values lead somewhere. */
const linkNames = ['link', 'href', 'url', 'uri', 'location'];
/** Most members that are looked at for relative links. */
const mostMembers = 100_000;

function relativeLinks(body: string): string[] {
  const lower = body.slice(0, longestLookedAt).toLowerCase();
  if (!linkNames.some((name) => lower.includes(name))) return [];
  const links: string[] = [];
  const waiting: unknown[] = [jsonIn(body)];
  for (let seen = 0; waiting.length > 0 && seen < mostMembers; seen += 1) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, own] of Object.entries(value)) {
      const isLink = linkNames.some((part) => name.toLowerCase().includes(part));
      if (typeof own === 'string' && isLink && isRelative(own)) links.push(asLink(own));
      if (typeof own === 'object') waiting.push(own);
    }
  }
  return links;
}

/** Whether a text may be a relative link: words with blanks between them are none, and no part of them is a token. */
function isRelative(text: string): boolean {
  return !text.includes('://') && !/\s/.test(text.trim());
}

const longestLookedAt = 1_000_000;

/** A stretch of the original text that may be a token, and how it reads. */
interface LinkToken {
  readonly from: number;
  readonly to: number;
  readonly token: string;
}

/** A text, and what it is without one, two and three layers of escapes; a percent sign stays, as a part of a link. */
function layersOf(text: string, read = plainReading): TextReading[] {
  if (!/http/i.test(text)) return [];
  const layers = [read(text)];
  for (
    let next = layers[0] && unescaped(layers[0], textStarts);
    next && layers.length <= 3;
    next = unescaped(next, textStarts)
  )
    layers.push(next);
  return layers;
}

/** What may be a token in the links of a text. */
function tokensIn(reading: TextReading): LinkToken[] {
  const text = textOf(reading.codes);
  const tokens: LinkToken[] = [];
  for (const { index, 0: link } of text.matchAll(/https?:\/\/[^\s"'<>\\`]+/gi)) {
    if (xmlIdentifier.test(link)) continue;
    for (const { at, part } of hiddenParts(link)) {
      const [start, end] = [index + at, index + at + part.length];
      tokens.push({ from: reading.places?.from[start] ?? 0, to: reading.places?.to[end - 1] ?? 0, token: part });
    }
  }
  return tokens;
}

/** The parts of a link that may be a token: who is let in, segments that are no known words, values of its query. */
function hiddenParts(link: string): { at: number; part: string }[] {
  const start = link.indexOf('://') + 3;
  const pathStart = firstOf(link, '/?#', start);
  const queryStart = firstOf(link, '?#', pathStart);
  const authority = link.slice(start, pathStart);
  const user = authority.includes('@') ? [{ at: start, part: authority.slice(0, authority.lastIndexOf('@')) }] : [];
  const segments = pieces(link, pathStart, queryStart, '/;').filter(({ part }) => !isWord(part));
  const values = pieces(link, queryStart, link.length, '?#&;')
    .filter(({ part }) => part !== 'amp')
    .map(valueOf)
    .filter(({ part }) => part !== '');
  return [...user, ...segments, ...values].filter(({ part }) => part !== '');
}

/** The value of a parameter, or the whole of it where its name looks like no name. */
function valueOf({ at, part }: { at: number; part: string }): { at: number; part: string } {
  const equals = part.indexOf('=');
  const isNamed = equals >= 0 && /^[A-Za-z][A-Za-z_-]{0,30}$/.test(part.slice(0, equals));
  return isNamed ? { at: at + equals + 1, part: part.slice(equals + 1) } : { at, part };
}

function pieces(text: string, start: number, end: number, separators: string): { at: number; part: string }[] {
  const found: { at: number; part: string }[] = [];
  for (let at = start; at < end;) {
    const next = Math.min(firstOf(text, separators, at), end);
    found.push({ at, part: text.slice(at, next) });
    at = next + 1;
  }
  return found;
}

/** Where the first of some characters stands from there on; the end where there is none. */
function firstOf(text: string, characters: string, start: number): number {
  let at = start;
  while (at < text.length && !characters.includes(text.charAt(at))) at += 1;
  return at;
}

const words: ReadonlySet<string> = new Set([
  ...[...endpoints, ...retiredEndpoints].flatMap(({ path }) => path.toLowerCase().split('/')),
  ...'account accounts auth home index login oauth oauth2 authorize saml sign-in signin sso'.split(' '),
  ...'api arquivo arquivos documento documentos document documents download downloads'.split(' '),
  ...'file files invoice link links'.split(' '),
  ...'nfe nf-e pdf public publico storage xml'.split(' '),
]);

/** Below this no segment is a token. */
const leastToken = 5;

function isWord(segment: string): boolean {
  const [name = '', extension = 'xml'] = segment.toLowerCase().split('.');
  if (segment.length < leastToken || /^v\d{1,3}$/.test(name)) return true;
  return words.has(name) && words.has(extension);
}

/** Stretches that overlap are one token. */
function replaced(text: string, tokens: readonly LinkToken[]): string {
  let [masked, at] = ['', 0];
  for (const { from, to } of tokens.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    if (from >= at) masked += text.slice(at, from) + linkToken;
    at = Math.max(at, to);
  }
  return masked + text.slice(at);
}

function textOf({ buffer, byteOffset, byteLength }: Uint16Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('utf16le');
}
