import type { StatedClause } from '../clause.ts';

/** What the contract says of the platform envelope. Sections 2.6, 7.1. */
export const envelope = [
  {
    id: 'envelope.on-every-401',
    section: '7.1',
    statement: 'The body of a 401 is a platform envelope, on every endpoint.',
    buildsOn: ['echo.whole-pipeline'],
  },
  {
    id: 'envelope.success-false-on-errors',
    section: '2.6',
    statement: '`success` is the boolean `false` in an error.',
    buildsOn: ['echo.whole-pipeline'],
  },
  {
    id: 'envelope.error-type',
    section: '2.6',
    statement: '`errorType` is the integer 1 in an authentication error.',
    buildsOn: ['echo.whole-pipeline'],
  },
  {
    id: 'envelope.code-integer',
    section: '2.6',
    statement: '`code` is an integer: the platform code of the error.',
    buildsOn: ['echo.whole-pipeline'],
  },
  {
    id: 'envelope.message-text',
    section: '2.6',
    statement: '`message` is a text for people: a string that is not empty.',
    buildsOn: ['echo.whole-pipeline'],
  },
  {
    id: 'envelope.message-language',
    section: '2.6',
    statement: '`message` follows the requested language.',
    buildsOn: ['language.language-header', 'language.accept-language-header'],
  },
  {
    id: 'envelope.data-on-success',
    section: '2.6',
    statement: '`data` is an object and present on success.',
    buildsOn: ['echo.status'],
  },
] as const satisfies readonly StatedClause[];
