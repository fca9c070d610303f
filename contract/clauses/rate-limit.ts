import type { StatedClause } from '../clause.ts';

/** What the contract says of the rate limit. Sections 7.1, 7.2, 8. */
export const rateLimit = [
  {
    id: 'rate-limit.refused',
    section: '7.2',
    statement: 'A request beyond the rate limit is refused with 429 and code 10009006.',
    needs: ['rate-limited-application'],
  },
  {
    id: 'rate-limit.within-limit-served',
    section: '8',
    statement: 'Requests within the rate limit are served.',
    needs: ['chosen-application'],
    buildsOn: ['rate-limit.refused'],
  },
  {
    id: 'rate-limit.served-again',
    section: '7.2',
    level: 'implied',
    statement: 'After a wait the application is served again.',
    needs: ['chosen-application', 'movable-clock'],
    buildsOn: ['rate-limit.within-limit-served'],
  },
  {
    id: 'rate-limit.client-backs-off',
    section: '7.2',
    level: 'should',
    binds: 'client',
    statement: 'A client meets a 429 with exponential backoff from 1 s, doubling up to 30 s, with jitter.',
  },
] as const satisfies readonly StatedClause[];
