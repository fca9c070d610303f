import { codes } from '../../../contract/values.ts';
import { inFront, json, page } from './front.ts';
import type { StagedTrouble } from './staged-trouble.ts';

const { code, status } = codes.rateLimited;

/** Limits that let nothing through. */
export const rateLimitTroubles: readonly StagedTrouble[] = [
  {
    name: '429 to everything',
    start: inFront(() =>
      json(status, { success: false, errorType: 1, code, message: 'Limite de requisições excedido' }),
    ),
    says: [/\b429\b/, /\blimit/i],
    advises: [/\bNFE_MAX_RPS\b/, /\bwait\b|\blater\b/i],
  },
  {
    name: 'a page with 429 to everything, as of a network that delivers content',
    start: inFront(() => page(status, 'Error 1015: you are being rate limited')),
    says: [/\b429\b/, /\bHTML\b|\bpage\b/i],
    advises: [/\bNFE_MAX_RPS\b|\bproxy\b|\bfirewall\b|in between/, /\bwait\b|\blater\b|\bask\b/i],
  },
];
