import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NotTried, env, hide, jsonIn, membersOf, pairs, type Call, type Headers, hasMask, fits } from './kit.ts';

/** Where a certificate was uploaded: the report does not show it, and a profile has it. */
export function isUpload({ evidence: { request } }: Call): boolean {
  return request.body?.text.startsWith('(an uploaded file') === true;
}

function isMultipart({ evidence: { request } }: Call): boolean {
  return pairs(request.headers).some(([name, value]) => /^content-type$/i.test(name) && /^multipart\//i.test(value));
}

/** Whether an empty body is signed, whatever is sent. Section 5.2. */
export function isSignedEmpty(step: Call): boolean {
  return /^(?:GET|DELETE)$/.test(step.evidence.request.method) || isMultipart(step);
}

/** The companies of a profile, each with its certificate. */
export const companies = [
  { body: 'empresa.json', file: 'certificado.pfx' },
  { body: 'outra-empresa.json', file: 'outro-certificado.pfx' },
] as const;

/** The certificate of the company that was registered with that body, in the form that it is uploaded in. */
export async function upload(registered: string): Promise<{ type: string; body: Buffer }> {
  const folder = env['NFE_PROFILE'] ?? '';
  const own = textsIn(jsonIn(registered));
  const inProfile = ({ body }: (typeof companies)[number]): string =>
    existsSync(join(folder, body)) ? readFileSync(join(folder, body), 'utf8') : '';
  const [company = companies[0]] = companies.toSorted(
    (one, other) => inCommon(own, inProfile(other)) - inCommon(own, inProfile(one)),
  );
  const { file } = company;
  const [path, fields] = [join(folder, file), join(folder, 'certificado.json')];
  if (!existsSync(path) || !existsSync(fields)) throw new NotTried(`NFE_PROFILE has no ${file} or no certificado.json`);
  const form = membersOf(jsonIn(readFileSync(fields, 'utf8')));
  const data = new FormData();
  data.append(String(form['file']), new Blob([readFileSync(path)], { type: 'application/x-pkcs12' }), file);
  for (const [name, value] of Object.entries(membersOf(form['fields'])))
    data.append(name, hide(String(value), '$certificado'));
  const made = new Response(data);
  return { type: made.headers.get('content-type') ?? '', body: Buffer.from(await made.arrayBuffer()) };
}

/** A body with what a profile has in the place of what the report masks: a document whole, JSON text by text. What opens a certificate is none. */
export function fromProfile(text: string): string {
  const folder = env['NFE_PROFILE'];
  if (!folder || !hasMask(text)) return text;
  const files = readdirSync(folder)
    .filter((name) => /\.(?:json|xml)$/.test(name) && name !== 'certificado.json')
    .map((name) => readFileSync(join(folder, name), 'utf8'));
  const whole = files.find((content) => fits(text, content) || fits(text, content.trimEnd()));
  if (whole !== undefined) return fits(text, whole) ? whole : whole.trimEnd();
  const json = jsonIn(text);
  if (json === undefined) return isDocument(text) ? filledFrom(files.filter(isDocument), text) : text;
  // The body that it was made of is the one that has most in common with it.
  const own = textsIn(json);
  const [closest = ''] = files.toSorted((one, other) => inCommon(own, other) - inCommon(own, one));
  const body = new Map(textsIn(jsonIn(closest)));
  const unmasked = (was: string, at: string): string => {
    const found = hasMask(was) ? body.get(at) : undefined;
    return found !== undefined && fits(was, found) ? found : was;
  };
  return JSON.stringify(withTexts(json, unmasked));
}

/** A document that was made of one of the profile, and what it shows: each element that is hidden has the text that it has there. */
function filledFrom(documents: readonly string[], masked: string): string {
  const own = elementsOf(masked);
  const textsOf = (document: string) => new Map(elementsOf(document).map(({ at, text }) => [at, text]));
  const commonWith = (texts: ReadonlyMap<string, string>): number =>
    own.filter(({ at, text }) => texts.get(at) === text).length;
  const [known = new Map<string, string>()] = documents
    .map(textsOf)
    .toSorted((one, other) => commonWith(other) - commonWith(one));
  let filled = '';
  let end = 0;
  for (const { at, text, start } of own) {
    const found = known.get(at);
    if (!hasMask(text) || found === undefined || !fits(text, found)) continue;
    filled += masked.slice(end, start) + found;
    end = start + text.length;
  }
  return filled + masked.slice(end);
}

/** The elements of a document that hold a text alone: each by its name and how many of that name come before it. */
function elementsOf(document: string): { at: string; text: string; start: number }[] {
  const counts = new Map<string, number>();
  return [...document.matchAll(/<([\w:.-]{1,100})>([^<>]{1,1000})<\//g)].map(
    ({ 1: name = '', 2: text = '', index }) => {
      const count = counts.get(name) ?? 0;
      counts.set(name, count + 1);
      return { at: `${name} ${count}`, text, start: index + name.length + 2 };
    },
  );
}

/** What the profile has under that name: of what is looked up, or else of its bodies. */
export function inProfile(name: string): string | undefined {
  const folder = env['NFE_PROFILE'];
  if (!folder) return undefined;
  const bodies = readdirSync(folder).filter((file) => file.endsWith('.json') && file !== lookedUp);
  const texts = [lookedUp, ...bodies]
    .filter((file) => existsSync(join(folder, file)))
    .flatMap((file) => textsIn(jsonIn(readFileSync(join(folder, file), 'utf8'))));
  const [, value] = texts.find(([at]) => at.endsWith(`/${name}`)) ?? [];
  return value === undefined ? undefined : hide(value, `$${name}`);
}

const lookedUp = 'consultas.json';

/** How many of these texts a file has at the same place. */
function inCommon(texts: readonly [at: string, text: string][], content: string): number {
  const body = new Map(textsIn(jsonIn(content)));
  return texts.filter(([at, was]) => body.get(at) === was).length;
}

/** The texts in a JSON value, each with its place. */
function textsIn(value: unknown, at = ''): [at: string, text: string][] {
  if (typeof value === 'string') return [[at, value]];
  return Object.entries(membersOf(value)).flatMap(([name, each]) => textsIn(each, `${at}/${name}`));
}

/** A JSON value with each of its texts as `change` has it. */
function withTexts(value: unknown, change: (text: string, at: string) => string, at = ''): unknown {
  if (typeof value === 'string') return change(value, at);
  if (Array.isArray(value)) return value.map((each, index) => withTexts(each, change, `${at}/${index}`));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, withTexts(each, change, `${at}/${name}`)]),
  );
}

/** Whether a text that is sent still holds names in the place of somebody's data. */
export function isMasked(text: string): boolean {
  // A token of ours, or a link, is as good as another.
  return hasMask(text.replaceAll(/\$(?:WEBHOOK_TOKEN|linkToken)/g, ''));
}

/** Whether it is a document with a name in the place of somebody's data: its signature is wrong then. */
export function isMaskedDocument(body: string): boolean {
  return isDocument(body) && isMasked(body);
}

function isDocument(text: string): boolean {
  return /^\s*</.test(text);
}

/** Headers of a body of that media type, whose length is not known. */
export function withType(headers: Headers, type: string): Headers {
  return headers
    .filter(([name]) => !/^content-length$/i.test(name))
    .map(([name, value]) => (/^content-type$/i.test(name) ? [name, type] : [name, value]));
}
