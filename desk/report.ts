import { loadEnvironment } from '../runner/settings/settings.ts';
import { systemBrowser, reportCommand } from './report/report-command.ts';

export { usage } from './report/report-command.ts';

/** What `npm run report` does; gives the exit status. */
export function run(words: readonly string[]): Promise<number> {
  return reportCommand(words, {
    environment: () => loadEnvironment('.env', process.env),
    open: systemBrowser,
    print: (text) => void process.stdout.write(`${text}\n`),
    warn: (text) => void process.stderr.write(`${text}\n`),
  });
}
