import type { IncomingMessage, RequestListener } from 'node:http';
import { lookInBetween } from './advice.ts';
import { answering, inFront, page } from './front.ts';
import type { StagedTrouble } from './staged-trouble.ts';

const title = 'Access denied: this request was blocked by security policy';
const isPage = /\bHTML\b|\bpage\b/i;

/** Firewalls for web applications, which answer in the place of the server. */
export const firewallTroubles: readonly StagedTrouble[] = [
  {
    name: 'a page with 403 to everything',
    start: inFront(() => page(403, title)),
    says: [/\b403\b/, isPage],
    advises: [lookInBetween],
  },
  {
    name: 'a plain text with 403 to everything',
    start: inFront(() => answering(403, 'Forbidden\n', { 'content-type': 'text/plain' })),
    says: [/\b403\b/, /\btext\b|no JSON|envelope/i],
    advises: [lookInBetween],
  },
  blockedBy('a page with 403 to every DELETE', 403, ({ method }) => method === 'DELETE', /\bDELETE\b/),
  blockedBy('a page with 403 to every GET', 403, ({ method }) => method === 'GET', /\bGET\b/),
  blockedBy('a page with 403 to every body of XML', 403, isXml, /\bXML\b/i),
  blockedBy('a page with 403 to every multipart upload', 403, isMultipart, /multipart/i),
  blockedBy('a page with 200 to every body of XML', 200, isXml, /\bXML\b/i),
];

function blockedBy(
  name: string,
  status: number,
  isBlocked: (incoming: IncomingMessage) => boolean,
  what: RegExp,
): StagedTrouble {
  const blocking: RequestListener = page(status, title);
  return {
    name,
    start: inFront((onward) => (incoming, outgoing) => {
      if (isBlocked(incoming)) blocking(incoming, outgoing);
      else onward(incoming, outgoing);
    }),
    says: [new RegExp(String.raw`\b${RegExp.escape(String(status))}\b`), isPage, what],
    advises: [lookInBetween],
  };
}

function isXml({ headers }: IncomingMessage): boolean {
  return /\bxml\b/i.test(headers['content-type'] ?? '');
}

function isMultipart({ headers }: IncomingMessage): boolean {
  return /^multipart\//i.test(headers['content-type'] ?? '');
}
