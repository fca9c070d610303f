import type { Mask } from '../../trace/people/words-mask.ts';
import type { LoggedDelivery } from '../../runner/received/receiver-folder.ts';

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
export interface Start {
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
export interface Tally {
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
