import type { Mask } from '../../trace/people/words-mask.ts';
import { type LoggedDelivery, isPathName } from '../../runner/received/receiver-folder.ts';
import { parsedOrRefused, ArgumentError } from '../../runner/command-line/argument-error.ts';
import { parseArgs } from 'node:util';

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
}

/** One line that sums a receiver up. */
export function summaryLine(why: string, { stored, unstored, unknownPath, brokenOff }: Tally, logPath: string): string {
  const further = [
    unstored > 0 ? `${unstored} not stored and answered 500` : '',
    unknownPath > 0 ? `${counted(unknownPath, 'request')} to other paths` : '',
    brokenOff > 0 ? `${counted(brokenOff, 'request')} broken off` : '',
  ].filter(Boolean);
  return [`stopped (${why}): ${counted(stored, 'delivery')} stored in ${logPath}`, ...further].join('; ');
}

function counted(count: number, word: 'delivery' | 'request'): string {
  const plural = word === 'delivery' ? 'deliveries' : 'requests';
  return `${count} ${count === 1 ? word : plural}`;
}

/** What the command line of the receiver asks for. */
export interface ReceiverArguments {
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
export function readReceiverArguments(words: readonly string[]): ReceiverArguments {
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
