import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Shows a file in the browser of whoever runs the command. */
export type OpenFile = (path: string) => Promise<unknown>;

/** The system's browser, which is looked for only when it is asked for: a CI job has none. */
export const systemBrowser: OpenFile = async (path) => {
  const { default: open } = await import('open');
  return open(path);
};

/** Opens the report in a folder; gives, in one line, why it could not be opened. */
export async function openReport(reportDir: string, open: OpenFile): Promise<string | undefined> {
  const path = resolve(join(reportDir, 'index.html'));
  if (!existsSync(path)) return `${path} is not there to be opened: npm test writes it`;
  try {
    await open(path);
    return undefined;
  } catch (error) {
    return `no browser could be started (${error instanceof Error ? error.message : String(error)}): open ${path} yourself`;
  }
}
