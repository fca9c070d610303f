import { systemBrowser } from './browser.ts';
import { runCommand } from './command.ts';
import { loadEnvironment } from './environment.ts';
import { reportCommand } from './report-command.ts';

await runCommand((words) =>
  reportCommand(words, {
    environment: () => loadEnvironment('.env', process.env),
    open: systemBrowser,
    print: (text) => void process.stdout.write(`${text}\n`),
    warn: (text) => void process.stderr.write(`${text}\n`),
  }),
);
