import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NotTried, env, hide, jsonIn, membersOf, pairs, type Call, type Headers, hasMask, fits } from './kit.ts';

/** Where a certificate was uploaded: the report does not show it, and a profile has it. */
export function isUpload({ evidence: { request } }: Call): boolean {
  return (
    request.body?.cut === true &&
    pairs(request.headers).some(([name, value]) => /^content-type$/i.test(name) && /^multipart\//i.test(value))
  );
}

export async function upload(): Promise<{ type: string; body: Buffer }> {
  const [folder, file] = [env['NFE_PROFILE'] ?? '', 'certificado.pfx'];
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

/** A body with what a profile has in the place of what the report masks: a document whole, JSON text by text. */
export function fromProfile(text: string): string {
  const folder = env['NFE_PROFILE'];
  if (!folder || !hasMask(text)) return text;
  const files = readdirSync(folder)
    .filter((name) => /\.(?:json|xml)$/.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
  const whole = files.find((content) => fits(text, content) || fits(text, content.trimEnd()));
  if (whole !== undefined) return fits(text, whole) ? whole : whole.trimEnd();
  const json = jsonIn(text);
  if (json === undefined) return text;
  // The body that it was made of is the one that has most in common with it.
  const bodies = files.map((content) => new Map(textsIn(jsonIn(content))));
  const own = textsIn(json);
  const inCommon = (body: ReadonlyMap<string, string>): number =>
    own.filter(([at, was]) => body.get(at) === was).length;
  const body = bodies.toSorted((one, other) => inCommon(other) - inCommon(one))[0];
  const unmasked = (was: string, at: string): string => {
    const found = hasMask(was) ? body?.get(at) : undefined;
    return found !== undefined && fits(was, found) ? found : was;
  };
  return JSON.stringify(withTexts(json, unmasked));
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

/** Whether a body still holds names in the place of somebody's data. */
export function isMasked(body: Buffer): boolean {
  // A token of ours, or a link, is as good as another.
  return hasMask(body.toString('utf8').replaceAll(/\$(?:WEBHOOK_TOKEN|linkToken)/g, ''));
}

export function withType(headers: Headers, type: string): Headers {
  return headers
    .filter(([name]) => !/^content-length$/i.test(name))
    .map(([name, value]) => (/^content-type$/i.test(name) ? [name, type] : [name, value]));
}
