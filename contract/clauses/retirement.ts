import type { StatedClause } from '../clause.ts';

/** What the contract says of the nine retired endpoints. Sections 4.3, 7.2, 9. */
export const retirement = [
  {
    id: 'retirement.gone',
    section: '4.3',
    statement: 'Each of the nine retired paths answers a correctly signed request with 410 and code 10009034.',
  },
  {
    id: 'retirement.any-variables',
    section: '4.3',
    statement: 'The retired registry lookups answer 410 whatever numbers are looked up.',
    buildsOn: ['retirement.gone'],
  },
  {
    id: 'retirement.no-grace-period',
    section: '4.3',
    statement: 'There is no grace period: no request to a retired path is served, the first one neither.',
    buildsOn: ['retirement.gone'],
  },
  {
    id: 'retirement.not-implemented-code-gone',
    section: '7.2',
    statement: 'Code 10009011, which the retired issuance contracts once returned, is returned no more.',
  },
  {
    id: 'retirement.replacement-named',
    section: '4.3',
    statement: 'The message of a 410 names the endpoint that replaces the retired one.',
    buildsOn: ['retirement.gone'],
  },
  {
    id: 'retirement.english-text',
    section: '7.2',
    statement:
      'In English the message of a 410 is `This API has been retired, please use R instead`, where R names the replacement.',
    buildsOn: ['retirement.gone'],
  },
  {
    id: 'retirement.replacement-in-every-language',
    section: '7.2',
    statement: 'The message of a 410 names the replacement in every language.',
    buildsOn: ['retirement.replacement-named'],
  },
  {
    id: 'retirement.message-language',
    section: '7.2',
    statement: 'The message of a 410 is in the requested language: the texts of the four languages differ.',
    buildsOn: ['language.language-header'],
  },
  {
    id: 'retirement.after-authentication',
    section: '4.3',
    statement:
      'A request to a retired path passes authentication first: each authentication fault gives its 401, not 410.',
    buildsOn: ['retirement.gone', 'echo.whole-pipeline'],
  },
  {
    id: 'retirement.before-subscription',
    section: '4.3',
    statement: 'A retired path answers 410, never 403, to an application without subscription.',
    needs: ['unsubscribed-application'],
    buildsOn: ['retirement.gone'],
  },
  {
    id: 'retirement.before-disabled-application',
    section: '4.3',
    statement: 'A retired path answers 410, never 403, to a disabled application.',
    needs: ['disabled-application'],
    buildsOn: ['retirement.gone'],
  },
  {
    id: 'retirement.before-pending-application',
    section: '4.3',
    statement: 'A retired path answers 410, never 403, to an application that awaits approval.',
    needs: ['pending-application'],
    buildsOn: ['retirement.gone'],
  },
  {
    id: 'retirement.before-rejected-application',
    section: '4.3',
    statement: 'A retired path answers 410, never 403, to a rejected application.',
    needs: ['rejected-application'],
    buildsOn: ['retirement.gone'],
  },
  {
    id: 'retirement.before-disabled-integrator',
    section: '4.3',
    statement: 'A retired path answers 410, never 403, to an application of a disabled integrator account.',
    needs: ['application-of-disabled-integrator'],
    buildsOn: ['retirement.gone'],
  },
  {
    id: 'retirement.spends-no-rate-token',
    section: '4.3',
    statement: 'A 410 consumes no rate-limit token: an application keeps its whole limit after any number of them.',
    needs: ['chosen-application'],
    buildsOn: ['retirement.gone', 'rate-limit.within-limit-served'],
  },
  {
    id: 'retirement.not-rate-limited',
    section: '4.3',
    statement: 'A retired path answers 410 also to an application whose rate limit is spent.',
    needs: ['rate-limited-application'],
    buildsOn: ['retirement.gone', 'rate-limit.refused'],
  },
  {
    id: 'retirement.standard-endpoints-live',
    section: '9',
    statement: 'None of the eleven standard endpoints answers 410.',
  },
  {
    id: 'retirement.lookups-signed-anew',
    section: '9',
    statement:
      'The signed path of the registry lookups changed with their path: a `sign` over the retired path does not match the new one.',
    buildsOn: ['signature.mismatch-refused'],
  },
] as const satisfies readonly StatedClause[];
