import { randomPathName, type Receiver } from '../targets/receiver/receiver.ts';
import { tooLargeAnswer, type Script } from '../targets/receiver/address.ts';
import { maskFor } from '../trace/mask.ts';
import type { Mask } from '../trace/people/words-mask.ts';
import { loadEnvironment } from '../runner/settings/settings.ts';
import { fileErrorCode, parsedOrRefused, ArgumentError } from '../runner/command-line/argument-error.ts';
import {
  openReceiverFolder,
  type ReceiverFolder,
  type LoggedDelivery,
  isPathName,
} from '../runner/run/receiver-folder.ts';
import { parseArgs } from 'node:util';
import {
  openWebhookReceiver,
  readWebhookSettings,
  secretsAround,
  type WebhookSettings,
} from '../runner/settings/webhook-receiver.ts';
import { print } from '../runner/command-line/print.ts';

/** What `npm run receiver` does, until it is stopped; gives the exit status: 0. */
export async function run(words: readonly string[]): Promise<number> {
  const asked = readReceiverArguments(words);
  const environment = loadEnvironment('.env', process.env);
  const settings = { ...readWebhookSettings(environment), mask: maskFor(secretsAround(environment)) };
  const folder = await openReceiverFolder(asked.out);
  const stored = { stored: 0, unstored: 0 };
  const { why, strays } = await keepUp(asked, settings, folder, stored).finally(() => folder.log.close());
  print(summaryLine(why, { ...stored, ...strays }, folder.logPath));
  return 0;
}

/** The settings, with what hides the secrets among all of them. */
type ReceiverSettings = WebhookSettings & { readonly mask: Mask };

/** How many deliveries were stored, and how many could not be. */
type Stored = Record<'stored' | 'unstored', number>;

/** Receives until it is stopped; tells why it was, and what came besides deliveries. */
async function keepUp(
  asked: ReceiverArguments,
  settings: ReceiverSettings,
  folder: ReceiverFolder,
  stored: Stored,
): Promise<{ why: string; strays: ReturnType<Receiver['strays']> }> {
  // Everything goes to the log, so that a receiver which stays up for weeks doesn't grow.
  const receiver = await openWebhookReceiver(settings, { keptDeliveries: 0 });
  // Whoever read the lines may go away; deliveries are stored all the same.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  try {
    const pathName = asked.pathName ?? folder.keptPathName ?? randomPathName();
    const { url } = receiver.address(storing(asked.status, settings, folder, pathName, stored), pathName);
    folder.keepPathName(pathName);
    const isReachable = settings.webhookPublicUrl !== undefined;
    print(startLines({ ...asked, url, origin: receiver.origin, isReachable, logPath: folder.logPath }).join('\n'));
    return { why: await stopped(asked.hours), strays: receiver.strays() };
  } finally {
    await receiver.close();
  }
}

/** Stores each delivery before it is answered: what was acknowledged is never lost, what could not be stored comes again. */
function storing(
  status: number,
  { webhookHeaderPrefix, mask }: ReceiverSettings,
  { log }: ReceiverFolder,
  pathName: string,
  stored: Stored,
): Script {
  return async (arrival) => {
    const answeredStatus = arrival.isTooLarge ? tooLargeAnswer.status : status;
    const delivery = { ...arrival, pathName, answeredStatus };
    try {
      await log.append(delivery);
    } catch (error) {
      stored.unstored += 1;
      complain(`a delivery could not be stored (${fileErrorCode(error)}) and is not acknowledged`);
      return { status: 500 };
    }
    stored.stored += 1;
    print(deliveryLine(delivery, webhookHeaderPrefix, mask));
    return { status };
  };
}

/** Resolves with the reason when it is time to stop; further signals change nothing, since npm may pass one on twice. */
function stopped(hours: number | undefined): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => resolve(signal));
    if (hours !== undefined) setTimeout(() => resolve(`after ${hours} h`), hours * 3_600_000);
  });
}

function complain(text: string): void {
  process.stderr.write(`error: ${text}\n`);
}

/** One line about a delivery: time, event type, event id, size; never the values of other headers, nor secrets and people in these. */
export function deliveryLine(delivery: LoggedDelivery, headerPrefix: string, mask: Mask = (text) => text): string {
  const { arrivedAtMs, rawBody, isTooLarge } = delivery;
  const [event, eventId] = ['Event', 'Event-Id'].map((name) => headerText(delivery, `${headerPrefix}-${name}`, mask));
  const size = `${isTooLarge ? 'more than ' : ''}${rawBody.length} bytes`;
  return [new Date(arrivedAtMs).toISOString(), event, eventId, size].join('  ');
}

const longestHeaderText = 100;

/** What the sender wrote there, where it reads like an id or the name of an event; `-` for a header that is missing. */
function headerText({ headers }: LoggedDelivery, name: string, mask: Mask): string {
  const value = headers.find(([other]) => other.toLowerCase() === name.toLowerCase())?.[1];
  if (value === undefined || value === '') return '-';
  const masked = mask(value);
  return isId(masked) ? masked : `(${value.length} characters)`;
}

/** Letters, digits and what joins them: a number alone may be somebody's. */
function isId(text: string): boolean {
  return text.length <= longestHeaderText && /^[\w.:$-]+$/.test(text) && /[a-z]/i.test(text);
}

/** What a person has to know of a receiver that has just started. */
interface Start {
  readonly url: string;
  readonly origin: string;
  /** Whether others than this machine are said to reach it. */
  readonly isReachable: boolean;
  readonly logPath: string;
  readonly status: number;
  readonly hours?: number;
}

/** What a receiver prints at its start: the address to save, and how it will go on. */
export function startLines({ url, origin, isReachable, logPath, status, hours }: Start): string[] {
  const hint = isReachable ? [] : ['             only this machine reaches it: set NFE_WEBHOOK_PUBLIC_URL for others'];
  return [
    `address      ${url}`,
    ...hint,
    `listens at   ${origin}`,
    `stores in    ${logPath}, token headers included`,
    `answers      ${status}`,
    `stops        ${hours === undefined ? '' : `after ${hours} h, or `}when interrupted`,
  ];
}

/** What a receiver came to. */
interface Tally {
  readonly stored: number;
  readonly unstored: number;
  readonly unknownPath: number;
  readonly brokenOff: number;
  readonly unreadable: number;
}

/** One line that sums a receiver up. */
export function summaryLine(why: string, tally: Tally, logPath: string): string {
  const { stored, unstored, unknownPath, brokenOff, unreadable } = tally;
  const further = [
    unstored > 0 ? `${unstored} not stored and answered 500` : '',
    unknownPath > 0 ? `${counted(unknownPath, 'request')} to other paths` : '',
    brokenOff > 0 ? `${counted(brokenOff, 'request')} broken off` : '',
    unreadable > 0 ? `${counted(unreadable, 'request')} that ${unreadable === 1 ? 'is' : 'are'} no HTTP/1` : '',
  ].filter(Boolean);
  return [`stopped (${why}): ${counted(stored, 'delivery')} stored in ${logPath}`, ...further].join('; ');
}

function counted(count: number, word: 'delivery' | 'request'): string {
  const plural = word === 'delivery' ? 'deliveries' : 'requests';
  return `${count} ${count === 1 ? word : plural}`;
}

/** What the command line of the receiver asks for. */
interface ReceiverArguments {
  /** When it stops by itself; never when absent. */
  readonly hours?: number;
  /** The path of the address; the kept one, or a new one, when absent. */
  readonly pathName?: string;
  readonly out: string;
  /** With what it answers. */
  readonly status: number;
}

const options = {
  hours: { type: 'string' },
  path: { type: 'string' },
  out: { type: 'string', default: 'reports/receiver' },
  status: { type: 'string', default: '200' },
} as const;

/** What `--help` prints. */
export const usage = `npm run receiver -- [options]

Keeps a webhook receiver up and stores what arrives, for the time between two runs of the suite. It prints the address
to save in the provider's console; the address stays the same from start to start. Runs until interrupted.

  --hours N     stop after N hours (fractions allowed, at most 500)
  --path SECRET path of the address: 22 or more letters, digits, - and _ (default: the one kept in the out folder, or
                a random one); kept for the next starts. Whoever knows it can send deliveries
  --out DIR     folder of deliveries.jsonl and of the kept path (default reports/receiver)
  --status N    answer every delivery with this status, 200 to 599 (default 200). Anything but 2xx leaves events
                unacknowledged, so that the retries can be watched; the console's test delivery fails then as well:
                save the address before
  --help        print this

Each delivery is a line of JSON in deliveries.jsonl, on the disk before it is answered. The lines hold the token header
as it was received, because a later run has to compare it: the file is readable by its owner only (mode 0600).

Settings are read from .env and the environment; of them NFE_WEBHOOK_LISTEN, NFE_WEBHOOK_PUBLIC_URL and
NFE_WEBHOOK_HEADER_PREFIX matter here. .env.example explains them.`;

/** Reads the command line. Throws an ArgumentError that names the flag. */
function readReceiverArguments(words: readonly string[]): ReceiverArguments {
  const { hours, path, out, status } = parsedOrRefused(
    () => parse(words),
    'npm run receiver -- --help lists the options',
  );
  if (out === '') throw new ArgumentError('--out takes a folder');
  return {
    out,
    status: statusOf(status),
    ...(hours === undefined ? {} : { hours: hoursOf(hours) }),
    ...(path === undefined ? {} : { pathName: pathNameOf(path) }),
  };
}

const parse = (words: readonly string[]) => parseArgs({ args: [...words], options, allowPositionals: false }).values;

function statusOf(text: string): number {
  if (/^[2-5]\d\d$/.test(text)) return Number(text);
  throw new ArgumentError(`--status takes a number from 200 to 599, not ${text || 'an empty text'}`);
}

/** A timer holds no more than 596 hours. */
const mostHours = 500;

function hoursOf(text: string): number {
  const hours = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (hours > 0 && hours <= mostHours) return hours;
  throw new ArgumentError(`--hours takes a number above 0 and up to ${mostHours}, not ${text || 'an empty text'}`);
}

/** The refused text stays out of the error: it may be a secret all the same. */
function pathNameOf(text: string): string {
  if (isPathName(text)) return text;
  throw new ArgumentError('--path takes 22 or more letters, digits, - and _, so that nobody can guess it');
}
