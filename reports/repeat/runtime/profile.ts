import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NotTried, env, hide, jsonIn, membersOf, pairs, type Call, type Headers } from './kit.ts';
import { hasMask, maskOf } from './masked.ts';

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
  const whole = files.find((content) => maskOf(text).test(content) || maskOf(text).test(content.trimEnd()));
  if (whole !== undefined) return maskOf(text).test(whole) ? whole : whole.trimEnd();
  const texts = files.flatMap((content) => content.match(/"(?:[^"\\]|\\.)*"/g) ?? []);
  return text.replaceAll(/"(?:[^"\\]|\\.)*"/g, (own) =>
    hasMask(own) ? (texts.find((other) => maskOf(own).test(other)) ?? own) : own,
  );
}

export function withType(headers: Headers, type: string): Headers {
  return headers
    .filter(([name]) => !/^content-length$/i.test(name))
    .map(([name, value]) => (/^content-type$/i.test(name) ? [name, type] : [name, value]));
}
