import { checkAddress, lookInBetween } from './advice.ts';
import { answering, inFront, json, page } from './front.ts';
import type { StagedTrouble } from './staged-trouble.ts';

const isNoEcho = [/\b200\b/, /\becho\b/i];

/** Places that say yes to everything and are no service: captive portals, placeholders, mocks. */
export const portalTroubles: readonly StagedTrouble[] = [
  {
    name: 'a page with 200 to everything',
    start: inFront(() => page(200, 'Welcome to our network')),
    says: [/\b200\b/, /\bHTML\b|\bpage\b/i],
    advises: [checkAddress, lookInBetween],
    names: ['NFE_BASE_URL'],
  },
  {
    name: 'an empty JSON object with 200 to everything',
    start: inFront(() => json(200, {})),
    says: isNoEcho,
    advises: [checkAddress],
    names: ['NFE_BASE_URL'],
  },
  {
    name: 'a JSON success with 200 to everything',
    start: inFront(() => json(200, { success: true })),
    says: isNoEcho,
    advises: [checkAddress],
    names: ['NFE_BASE_URL'],
  },
  {
    name: 'an empty body with 200 to everything',
    start: inFront(() => answering(200, '')),
    says: [...isNoEcho, /\bempty\b|\bnothing\b|no body|without body/i],
    advises: [checkAddress],
    names: ['NFE_BASE_URL'],
  },
];
