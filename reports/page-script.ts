import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';

const entry = fileURLToPath(new URL('page/main.ts', import.meta.url));

/** The page's own script, bundled and minified into one text that may stand in a `script` element as it is. */
export async function pageScript(): Promise<string> {
  // A page is rendered without the bundler where its script is given or left out.
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({ input: entry, platform: 'browser', tsconfig: false, logLevel: 'warn' });
  try {
    const { output } = await bundle.generate({ format: 'iife', minify: true, comments: false });
    return scriptText(output[0].code.trim());
  } finally {
    await bundle.close();
  }
}

/** What allows exactly this script in a content security policy: `sha256-` and the hash in base64. */
export function scriptHash(script: string): string {
  return `sha256-${createHash('sha256').update(script, 'utf8').digest('base64')}`;
}

/** The script, unless the page's parser would read something else than a script in it; throws then. */
export function scriptText(code: string): string {
  const trap = /<\/script|<script|<!--|\r/i.exec(code);
  if (trap === null) return code;
  throw new Error(
    `reports/page/ bundles to a script with ${JSON.stringify(trap[0])} in it, which a page can't hold: spell it in another way`,
  );
}
