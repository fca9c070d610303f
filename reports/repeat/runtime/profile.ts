import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NotTried, env, hide, jsonIn, membersOf, pairs, type Call, type Headers } from './kit.ts';
import { hasMask, fits } from './masked.ts';

/** Where a certificate was uploaded: the report does not show it, and a profile has it. */
export function uploadOf({ evidence: { request } }: Call): { readonly file: string } | undefined {
  const isUpload =
    request.body?.cut &&
    pairs(request.headers).some(([name, value]) => /^content-type$/i.test(name) && /^multipart\//i.test(value));
  return isUpload ? { file: 'certificado.pfx' } : undefined;
}

export async function multipart(
  _target: string,
  { file }: { readonly file: string },
): Promise<{ type: string; body: Buffer }> {
  const folder = env['NFE_PROFILE'] ?? '';
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
  const texts = files.flatMap((content) => textsIn(jsonIn(content)));
  return JSON.stringify(
    withTexts(json, (own) => (hasMask(own) ? (texts.find((other) => fits(own, other)) ?? own) : own)),
  );
}

/** The texts in a JSON value. */
function textsIn(value: unknown): string[] {
  return typeof value === 'string' ? [value] : Object.values(membersOf(value)).flatMap(textsIn);
}

/** A JSON value with each of its texts as `change` has it. */
function withTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((each) => withTexts(each, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withTexts(each, change)]));
}

export function withType(headers: Headers, type: string): Headers {
  return headers
    .filter(([name]) => !/^content-length$/i.test(name))
    .map(([name, value]) => (/^content-type$/i.test(name) ? [name, type] : [name, value]));
}
