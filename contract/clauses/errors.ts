import type { StatedClause } from '../clause.ts';

/** What the contract says of the refusals of the gateway. Sections 5, 7.1. */
export const errors = [
  {
    id: 'errors.envelope-of-403',
    section: '7.1',
    statement: 'The body of a 403 is a platform envelope with `errorType` 1, on every endpoint.',
    needs: ['unsubscribed-application'],
    buildsOn: ['subscription.missing-refused'],
  },
  {
    id: 'errors.envelope-of-410',
    section: '7.1',
    statement: 'The body of a 410 is a platform envelope with `errorType` 1, on every retired path.',
    buildsOn: ['retirement.gone'],
  },
  {
    id: 'errors.envelope-of-429',
    section: '7.1',
    statement: 'The body of a 429 is a platform envelope.',
    needs: ['rate-limited-application'],
    buildsOn: ['rate-limit.refused'],
  },
  {
    id: 'errors.own-statuses',
    section: '7.1',
    statement:
      'What a right request comes to is told by a status that its endpoint has: none redirects, success is not for errors, 500 is for verification, and issuance and query refuse with 400 and 404 alone.',
    someNeed: ['empresa'],
    buildsOn: ['echo.whole-pipeline'],
  },
  {
    id: 'errors.no-session',
    section: '5',
    statement:
      'Every request is authenticated by itself: no cookie or session is needed, and none stands in for the headers.',
    buildsOn: ['echo.whole-pipeline'],
  },
  {
    id: 'errors.client-does-not-repeat',
    section: '7.2',
    level: 'should',
    binds: 'client',
    statement: 'A client does not repeat a request that got 401 or 403, since nothing has been corrected.',
  },
] as const satisfies readonly StatedClause[];
