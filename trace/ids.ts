import { createHash } from 'node:crypto';
import type { Endpoint } from '../contract/endpoints.ts';
import { isHttpUrl } from '../contract/xml-link.ts';

/** The things that a message names, by which its history is followed: texts that are equal where the things are. */
export interface Ids {
  readonly empresaId?: string;
  /** The `id` of an invoice: unique in its company. */
  readonly nfeId?: string;
  readonly chave?: string;
  readonly eventId?: string;
  /** What a delivery brings, byte by byte. */
  readonly content?: string;
  /** Path and query of the addresses of documents. */
  readonly links?: readonly string[];
}

/** What a call of an endpoint names: in its path, in what is sent, and in what comes back. Section 4. */
export function idsOfCall({ name, path }: Endpoint, target: string, sent: unknown, came: unknown): Ids {
  const values = path.split('/').map((segment, at) => [segment, target.split('?', 1).join('').split('/')[at]] as const);
  const inPath = (variable: string): string | undefined => values.find(([segment]) => segment === `{${variable}}`)?.[1];
  return present({
    empresaId: inPath('empresaId') ?? (name === 'empresa-registration' ? textIn(came, 'empresaId') : undefined),
    nfeId: inPath('nfeId') ?? (name === 'nfe-issuance' ? textIn(sent, 'id') : undefined),
    chave: inPath('chave') ?? chaveOfXml(sent) ?? textIn(came, 'chaveAcesso') ?? textIn(came, 'chave'),
    links: linksIn(came),
  });
}

/** What a delivery names: in its body, and by the header of its event. Sections 2.3, 6.1 and 6.6. */
export function idsOfDelivery(json: unknown, eventId: string | undefined, body: Buffer): Ids {
  const data = memberOf(json, 'data');
  return present({
    empresaId: textIn(json, 'empresaId'),
    nfeId: textIn(json, 'nfeId'),
    chave: textIn(json, 'nfeChaveAcesso') ?? textIn(data, 'chaveAcesso'),
    eventId: eventId ?? textIn(json, 'event_id'),
    content: createHash('sha256').update(body).digest('base64url'),
    links: linksIn(json),
  });
}

/** The chave in the one `Id` of a document that has one. */
function chaveOfXml(document: unknown): string | undefined {
  return typeof document === 'string' ? /\bId\s*=\s*["']NFe(\d{44})["']/.exec(document)?.[1] : undefined;
}

/** The same with each text as `hidden` has it. */
export function hiddenIds(
  { empresaId, nfeId, chave, eventId, content, links }: Ids,
  hidden: (text: string) => string,
): Ids {
  const hide = (text: string | undefined): string | undefined => (text === undefined ? undefined : hidden(text));
  return present({
    empresaId: hide(empresaId),
    nfeId: hide(nfeId),
    chave: hide(chave),
    eventId: hide(eventId),
    content: hide(content),
    links: links?.map(hidden),
  });
}

function present({ links = [], ...ids }: { [Name in keyof Ids]?: Ids[Name] | undefined }): Ids {
  const texts = Object.entries(ids).filter(([, text]) => text !== undefined && text !== '');
  return { ...Object.fromEntries(texts), ...(links.length === 0 ? {} : { links }) };
}

function linksIn(body: unknown): readonly string[] {
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body)
    .filter(([name, value]) => /xml|danfe/i.test(name) && isHttpUrl(value))
    .map(([, value]) => new URL(String(value)))
    .map(({ pathname, search }) => pathname + search);
}

function textIn(value: unknown, name: string): string | undefined {
  const found = memberOf(value, name);
  return typeof found === 'string' ? found : undefined;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Object.getOwnPropertyDescriptor(value, name)?.value
    : undefined;
}
