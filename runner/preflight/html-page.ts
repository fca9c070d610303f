import { textOf, type Response } from '../../trace/exchange.ts';

/** Comments and an XML declaration may come first. */
const preamble = /^(?:\s|<!--(?:[^-]|-[^-]|--+[^->])*--+>|<\?xml[^>]*\?>)*/i;
const documentStart = /^<(?:!doctype\s+html|html)[\s>]/i;
const headStart = /^<(?:head|title|meta|style|script|body)[\s>]/i;

/** Bytes at the start of a body that are looked at. */
const lookedAtBytes = 4096;

/**
 * Whether a response is a page for people, as a proxy or a login server sends it: its body begins as an HTML document does,
 * or it is said to be HTML and begins as the document's head or body does.
 * The Content-Type alone proves nothing: a service that says HTML over its JSON, over nothing or over a warning in front of
 * its JSON is at fault itself.
 */
export function isPage({ headers, rawBody }: Response): boolean {
  const start = textOf({ headers, rawBody: rawBody.subarray(0, lookedAtBytes) }).replace(preamble, '');
  const contentType = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  return documentStart.test(start) || (/^\s*text\/html\b/i.test(contentType) && headStart.test(start));
}
