import type { ApplicationWish } from '../../../targets/control.ts';
import { type StagedTrouble, listening } from './front.ts';
import { createServer } from 'node:http';
import { passOn } from '../runs.ts';

/** Applications by the settings that their secrets are put into; `nobody` is a secret that was never given out. */
type Placed = Readonly<Record<string, ApplicationWish | 'nobody'>>;

const active: ApplicationWish = {};
const disabled: ApplicationWish = { state: 'disabled' };
const pending: ApplicationWish = { state: 'pending' };

const takeAnother = [/\b(?:copy|put|set|swap|exchange|give|unset|use)\b/i];

/** Secrets of other applications than the settings say. */
export const credentialTroubles: readonly StagedTrouble[] = [
  {
    name: 'the active and the disabled application in each other’s place',
    start: placed({ NFE_APP_SECRET: disabled, NFE_APP_SECRET_DISABLED: active }),
    says: [/\bdisabled\b/, /10009004/],
    advises: [/\bswap|\bexchange|changed places|each other/i],
    names: ['NFE_APP_SECRET', 'NFE_APP_SECRET_DISABLED'],
  },
  {
    name: 'an active application that is said to be disabled',
    start: placed({ NFE_APP_SECRET: active, NFE_APP_SECRET_DISABLED: active }),
    says: [/\bnot disabled\b|\bactive\b/, /\b200\b/],
    advises: takeAnother,
    names: ['NFE_APP_SECRET_DISABLED'],
  },
  {
    name: 'a secret that nobody knows',
    start: placed({ NFE_APP_SECRET: 'nobody' }),
    says: [/10009002/, /not know|unknown|invalid token/],
    advises: takeAnother,
    names: ['NFE_APP_SECRET'],
  },
  {
    // Both states have one code: no answer tells them apart.
    name: 'one secret under two names',
    async start({ baseUrl, secret }) {
      const one = await secret(pending);
      const settings = { NFE_BASE_URL: baseUrl, NFE_APP_SECRET: await secret() };
      return {
        settings: { ...settings, NFE_APP_SECRET_PENDING: one, NFE_APP_SECRET_REJECTED: one },
        stop: () => Promise.resolve(),
      };
    },
    says: [/\bsame secret\b/],
    advises: [/\bof its own\b|\banother\b|\bunset\b/],
    names: ['NFE_APP_SECRET_PENDING', 'NFE_APP_SECRET_REJECTED'],
  },
];

function placed(applications: Placed): StagedTrouble['start'] {
  return async ({ baseUrl, secret }) => {
    const secrets = await Promise.all(
      Object.entries(applications).map(
        async ([name, wish]) => [name, wish === 'nobody' ? 'Never-given-0ut-to-anybody' : await secret(wish)] as const,
      ),
    );
    return {
      settings: { NFE_BASE_URL: baseUrl, ...Object.fromEntries(secrets) },
      stop: () => Promise.resolve(),
    };
  };
}

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
