import { parseArgs } from 'node:util';
import { type LogForm, logForms, requestLog } from './request-log.ts';
import { SettingError, certificateChecks } from './settings.ts';
import { type Simulator, type SimulatorOptions, startSimulator } from './start.ts';

const flags = {
  port: { type: 'string', default: '8080' },
  host: { type: 'string', default: '127.0.0.1' },
  data: { type: 'string' },
  'control-token': { type: 'string' },
  'public-url': { type: 'string' },
  'header-prefix': { type: 'string' },
  'public-callbacks-only': { type: 'boolean', default: false },
  'reissue-after-denial': { type: 'boolean', default: false },
  'strict-content': { type: 'boolean', default: false },
  'alphanumeric-cnpj': { type: 'boolean', default: false },
  'certificate-check': { type: 'string', default: 'settlement' },
  log: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const;

/** Which flag carries an option of the simulator. */
const flagOf = {
  port: '--port',
  host: '--host',
  dataFile: '--data',
  controlToken: '--control-token',
  publicUrl: '--public-url',
  headerPrefix: '--header-prefix',
  certificateCheck: '--certificate-check',
  log: '--log',
} as const;

const help = `npm run simulator -- [options]

Runs the simulator of the Fiscal Document Service Interface until it is interrupted.

  --port N            port to listen on; 0 takes a free one (default 8080)
  --host H            interface to listen on (default 127.0.0.1)
  --data FILE         keep the state in this SQLite file (default: in memory, gone at the end)
  --control-token T   guards the control API; without it a random one on loopback, and no control API elsewhere;
                      SIMULATOR_CONTROL_TOKEN of the environment says the same, and no list of processes shows it
  --public-url URL    where callers reach it, if not where it listens: links to documents start with it
  --header-prefix P   starts the names of the webhook headers (default X-Service)
  --public-callbacks-only
                      call no webhook address that is private, link-local or this machine's own
  --reissue-after-denial
                      the id of a denied invoice may be issued again
  --strict-content    refuse an issuance with fields that the simulator does not use
  --alphanumeric-cnpj take CNPJs with letters, and access keys with such a CNPJ
  --certificate-check WHEN
                      when a certificate that has expired or is another company's is refused: at the upload, at the
                      issuance, or at the settlement, as a denial (default settlement)
  --log FORM          a line for each request on standard output: pretty, json or off (default pretty on a terminal, else off)
  --help              print this
`;

/** Unsuitable flags or settings; 1 is left to what fails on its own. */
const badSettingStatus = 2;

try {
  const options = readFlags(process.argv.slice(2));
  if (options === 'help') process.stdout.write(help);
  else await run(options);
} catch (error) {
  const why = explained(error);
  if (why === undefined) throw error;
  process.stderr.write(`simulator: ${why}\n`);
  process.exitCode = badSettingStatus;
}

function readFlags(args: string[]): SimulatorOptions | 'help' {
  const { values } = parseArgs({ args, options: flags });
  if (values.help) return 'help';
  // The flag comes first; an empty variable counts as unset, an empty flag is refused.
  const controlToken = values['control-token'] ?? (process.env['SIMULATOR_CONTROL_TOKEN'] || undefined);
  return {
    host: values.host,
    port: portOf(values.port),
    ...(values.data === undefined ? {} : { dataFile: values.data }),
    ...(values['public-url'] === undefined ? {} : { publicUrl: values['public-url'] }),
    ...(values['header-prefix'] === undefined ? {} : { headerPrefix: values['header-prefix'] }),
    publicCallbacksOnly: values['public-callbacks-only'],
    reissueAfterDenial: values['reissue-after-denial'],
    strictContent: values['strict-content'],
    alphanumericCnpj: values['alphanumeric-cnpj'],
    certificateCheck: wordOf('certificateCheck', values['certificate-check'], certificateChecks),
    ...logOf(wordOf('log', values.log ?? (process.stdout.isTTY ? 'pretty' : 'off'), logForms)),
    ...(controlToken === undefined ? {} : { controlToken }),
  };
}

function logOf(form: LogForm): Pick<SimulatorOptions, 'log'> {
  const log = requestLog(form, (line) => process.stdout.write(line));
  return log ? { log } : {};
}

function wordOf<T extends string>(setting: 'certificateCheck' | 'log', text: string, words: readonly T[]): T {
  const word = words.find((one) => one === text);
  if (word !== undefined) return word;
  throw new SettingError(setting, `${text || 'an empty text'} is none of ${words.join(', ')}`);
}

function portOf(text: string): number {
  if (/^\d{1,5}$/.test(text)) return Number(text);
  throw new SettingError('port', `${text || 'an empty text'} is no port; ports go from 0 to 65535`);
}

/** What was wrong with the command line, in one line; `undefined` for an error that has another cause. */
function explained(error: unknown): string | undefined {
  if (error instanceof SettingError) return `${flagOf[error.setting]}: ${error.message}`;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (!(error instanceof Error) || !code.startsWith('ERR_PARSE_ARGS')) return undefined;
  // Node's further sentences explain its own parser.
  const [first] = error.message.split(/\.\s|\n/);
  return `${first}; --help lists the flags`;
}

/** How long requests under way may take to be answered once the simulator is to end. */
const graceMs = 10_000;

async function run(options: SimulatorOptions): Promise<void> {
  const simulator = await startSimulator(options);
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void simulator.stop(graceMs));
  process.stdout.write(described(simulator));
}

function described(simulator: Simulator): string {
  const { baseUrl, controlUrl, controlToken } = simulator;
  const ready = simulator.readyApplication();
  const control =
    controlUrl === undefined
      ? ['control API    off on this interface; --control-token or SIMULATOR_CONTROL_TOKEN offers it']
      : [`control URL    ${controlUrl}`, `control token  ${controlToken ?? ''}`];
  const lines = [
    `base URL       ${baseUrl}`,
    ...control,
    `App Key        ${ready.appKey}`,
    `App Name       ${ready.appName}`,
    `App Secret     ${ready.appSecret}`,
  ];
  return `${lines.join('\n')}\n`;
}
