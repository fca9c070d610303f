import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RequestListener } from 'node:http';

/** A certificate for this machine that nobody vouches for; for tests. */
export interface SelfSigned {
  /** File with the certificate in PEM form. */
  readonly path: string;
  /** A server that shows it. */
  server(listener: RequestListener): Server;
  remove(): void;
}

/** Makes a certificate that expires within 5 days; `undefined` on a machine without openssl. */
export function selfSigned(): SelfSigned | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'nfe-certificate-'));
  const [path, keyPath] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  const words = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '5'];
  const names = ['-subj', '/CN=Doctor test', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    execFileSync('openssl', [...words, ...names, '-keyout', keyPath, '-out', path], { stdio: 'ignore' });
  } catch {
    remove();
    return undefined;
  }
  const [pem, key] = [readFileSync(path, 'utf8'), readFileSync(keyPath, 'utf8')];
  return { path, remove, server: (listener) => createServer({ cert: pem, key }, listener) };
}
