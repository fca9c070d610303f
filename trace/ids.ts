import { createHash } from 'node:crypto';
import type { Endpoint } from '../contract/endpoints.ts';
import { chaveIn, isHttpUrl, xmlLinkIn } from '../contract/values.ts';
import { member } from '../schemas/values.ts';
import { percentDecoded } from './people/veil.ts';

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
  /** Which of them leads to the XML, and which to the DANFE. */
  readonly xml?: string;
  readonly danfe?: string;
}

/** What a call of an endpoint names: in its path, in what is sent, and in what comes back. Section 4. */
export function idsOfCall({ name, path }: Endpoint, target: string, sent: unknown, came: unknown): Ids {
  const values = path.split('/').map((segment, at) => [segment, target.split('?', 1).join('').split('/')[at]] as const);
  const inPath = (variable: string): string | undefined =>
    unescaped(values.find(([segment]) => segment === `{${variable}}`)?.[1]);
  return present({
    empresaId: inPath('empresaId') ?? (name === 'empresa-registration' ? registeredIn(came) : undefined),
    nfeId: inPath('nfeId') ?? (name === 'nfe-issuance' ? textIn(sent, 'id') : undefined),
    chave: inPath('chave') ?? textIn(came, 'chaveAcesso') ?? textIn(came, 'chave'),
    ...linksIn(came),
  });
}

/** The company that a registration tells of, be it in an envelope. */
function registeredIn(came: unknown): string | undefined {
  return textIn(came, 'empresaId') ?? textIn(member(came, 'data'), 'empresaId');
}

/** What a document names: the chave of its invoice. */
export function idsOfDocument(document: Buffer): Ids {
  return present({ chave: chaveIn(document.toString('latin1')) });
}

/** What a call of the control API names. */
export function idsOfSteering(path: string): Ids {
  return present({ chave: /^\/authority\/invoices\/([^/]+)$/.exec(path)?.[1] });
}

/** The App Key of the application that a call of the control API was done to, or that came of it. */
export function applicationOfSteering(path: string, came: unknown): string | undefined {
  return unescaped(/^\/applications\/([^/]+)/.exec(path)?.[1]) ?? textIn(came, 'appKey');
}

/** What a delivery names: in its body, and by the header of its event. Sections 2.3, 6.1 and 6.6. */
export function idsOfDelivery(json: unknown, eventId: string | undefined, body: Buffer): Ids {
  const data = member(json, 'data');
  return present({
    empresaId: textIn(json, 'empresaId'),
    nfeId: textIn(json, 'nfeId'),
    chave: textIn(json, 'nfeChaveAcesso') ?? textIn(data, 'chaveAcesso'),
    eventId: eventId ?? textIn(json, 'event_id'),
    content: createHash('sha256').update(body).digest('base64url'),
    ...linksIn(json),
  });
}

/** The same with each text as `hidden` has it. */
export function hiddenIds({ links, ...ids }: Ids, hidden: (text: string) => string): Ids {
  const names = Object.entries(ids).map(([kind, name]: [string, string]) => [kind, hidden(name)] as const);
  const named: Ids = Object.fromEntries(names);
  return present({ ...named, links: links?.map(hidden) });
}

function present({ links = [], ...ids }: { [Name in keyof Ids]?: Ids[Name] | undefined }): Ids {
  const texts = Object.entries(ids).filter(([, text]) => text !== undefined && text !== '');
  return { ...Object.fromEntries(texts), ...(links.length === 0 ? {} : { links }) };
}

function linksIn(body: unknown): Pick<Ids, 'links'> & { [Kind in 'xml' | 'danfe']: string | undefined } {
  if (typeof body !== 'object' || body === null) return { xml: undefined, danfe: undefined };
  const links = Object.entries(body).flatMap(([name, value]) => (/xml|danfe/i.test(name) ? [pathOf(value)] : []));
  const xml = pathOf(xmlLinkIn(body));
  return {
    links: [...new Set([...links, xml])].filter((link) => link !== undefined),
    xml,
    danfe: pathOf(member(body, 'linkDanfe')),
  };
}

function pathOf(link: unknown): string | undefined {
  if (!isHttpUrl(link)) return undefined;
  const { pathname, search } = new URL(link);
  return pathname + search;
}

function unescaped(segment: string | undefined): string | undefined {
  return segment === undefined ? undefined : percentDecoded(segment);
}

function textIn(value: unknown, name: string): string | undefined {
  const found = member(value, name);
  return typeof found === 'string' ? found : undefined;
}
