import type { StatedClause } from '../clause.ts';

/** What the contract says of the echo endpoint. Sections 2.5, 4.1, 5.4. */
export const echo = [
  {
    id: 'echo.status',
    section: '4.1',
    statement: 'A correct echo request is answered with HTTP 200.',
  },
  {
    id: 'echo.platform-envelope',
    section: '2.5',
    statement: 'The answer is the platform envelope: `success` a boolean, `message` a string, `data` an object.',
    buildsOn: ['echo.status'],
  },
  {
    id: 'echo.success-true',
    section: '2.6',
    statement: '`success` is `true` in the answer to a correct request, since `false` marks errors.',
    buildsOn: ['envelope.data-on-success'],
  },
  {
    id: 'echo.message-returned',
    section: '2.5',
    statement: '`data.echo` is the `message` that was sent, character by character.',
    buildsOn: ['envelope.data-on-success'],
  },
  {
    id: 'echo.identity-fields',
    section: '5.4',
    statement: '`data.appKey` and `data.appName` are strings.',
    buildsOn: ['envelope.data-on-success'],
  },
  {
    id: 'echo.app-key',
    section: '5.4',
    statement: '`data.appKey` is the App Key of the calling application.',
    needs: ['known-app-key'],
    buildsOn: ['echo.identity-fields'],
  },
  {
    id: 'echo.app-name',
    section: '5.4',
    statement: '`data.appName` is the name of the calling application.',
    needs: ['known-app-name'],
    buildsOn: ['echo.identity-fields'],
  },
  {
    id: 'echo.server-time-format',
    section: '2.5',
    statement: '`data.serverTime` is an ISO-8601 time in UTC with exactly three fraction digits.',
    buildsOn: ['envelope.data-on-success'],
  },
  {
    id: 'echo.server-time-now',
    section: '2.5',
    level: 'implied',
    statement: '`data.serverTime` is the time by which the server judges timestamps.',
    needs: ['movable-clock'],
    buildsOn: ['echo.server-time-format'],
  },
  {
    id: 'echo.whole-pipeline',
    section: '5.4',
    statement:
      'The echo endpoint passes through the whole pipeline: each of the four authentication faults is refused there too.',
    buildsOn: [
      'required-headers.token-missing',
      'required-headers.timestamp-missing',
      'required-headers.sign-missing',
      'timestamp.past-refused',
      'token.unknown-refused',
      'signature.mismatch-refused',
    ],
  },
] as const satisfies readonly StatedClause[];
