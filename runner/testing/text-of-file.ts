import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** The text of a file; of one that is packed, of what is in it. */
export function textOfFile(path: string): string {
  const bytes = readFileSync(path);
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
}
