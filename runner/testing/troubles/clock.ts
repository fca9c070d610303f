import { createServer } from 'node:http';
import { passOn } from '../runs.ts';
import { listening } from './front.ts';
import type { StagedTrouble } from './staged-trouble.ts';

const tenMinutes = /\b(?:59\d|60\d)(?:\.\d+)? s\b|\b10(?:\.\d+)? min/;
const setClock = [/^(?=.*\b(?:set|correct)\b).*\bclock\b/im];

/** Clocks so far off that no timestamp is right. */
export const clockTroubles: readonly StagedTrouble[] = [
  {
    name: 'a clock that is ten minutes ahead, as its Date says',
    start: clockOffBy(600, { isDated: true }),
    says: [/\bclock\b/, tenMinutes, /\bahead\b/],
    advises: setClock,
  },
  {
    name: 'a clock that is ten minutes behind, as its Date says',
    start: clockOffBy(-600, { isDated: true }),
    says: [/\bclock\b/, tenMinutes, /\bbehind\b/],
    advises: setClock,
  },
  {
    name: 'a clock that is ten minutes ahead and tells no time',
    start: clockOffBy(600, { isDated: false }),
    says: [/10009001/, /\bclock\b/],
    advises: setClock,
  },
];

/** An application whose clock stands so far from this machine's; the answers are dated by that clock, or not at all. */
function clockOffBy(seconds: number, { isDated }: { readonly isDated: boolean }): StagedTrouble['start'] {
  const now = (): Date => new Date(Date.now() + seconds * 1000);
  return async ({ baseUrl, secret }) => {
    const headersOf = (): Record<string, string> => (isDated ? { date: now().toUTCString() } : {});
    const { port, stop } = await listening(createServer(passOn(baseUrl, { headersOf, isDated })));
    const appSecret = await secret({ clock: now().toISOString() });
    return { settings: { NFE_BASE_URL: `http://127.0.0.1:${port}`, NFE_APP_SECRET: appSecret }, stop };
  };
}
