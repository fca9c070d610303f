import { checkAddress } from './advice.ts';
import { inFront, json, page } from './front.ts';
import type { StagedTrouble } from './staged-trouble.ts';

const notFound = json(404, { status: 404, error: 'Not Found', message: 'No static resource' });

/** Addresses that lead elsewhere on the right machine, or to it at the wrong hour. */
export const addressTroubles: readonly StagedTrouble[] = [
  {
    name: 'a wrong path in the base address, which gets 404 with JSON',
    start: inFront(() => notFound, '/wrong'),
    says: [/\b404\b/, /\/wrong\b/],
    advises: [checkAddress, /\/openapi\b/],
    names: ['NFE_BASE_URL'],
  },
  {
    name: 'a wrong path in the base address, which gets 404 with a page',
    start: inFront(() => page(404, '404 Not Found'), '/wrong'),
    says: [/\b404\b/, /\/wrong\b/],
    advises: [checkAddress, /\/openapi\b/],
    names: ['NFE_BASE_URL'],
  },
  ...[502, 503, 504].map((status) => ({
    name: `${status} to everything`,
    start: inFront(() => page(status, 'The service is down for maintenance')),
    says: [new RegExp(String.raw`\b${RegExp.escape(String(status))}\b`), /\bnot available|\bunavailable/i],
    advises: [/\blater\b/],
  })),
];
