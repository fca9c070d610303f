import type { Clause } from '../clause.ts';

/** What the contract says of the echo endpoint. Sections 2.5, 4.1, 5.4. */
export const echo = [
  {
    id: 'echo.status',
    section: '4.1',
    level: 'must',
    binds: 'service',
    statement: 'A correct echo request is answered with HTTP 200.',
  },
  {
    id: 'echo.platform-envelope',
    section: '2.5',
    level: 'must',
    binds: 'service',
    statement: 'The answer is the platform envelope: `success` a boolean, `message` a string, `data` an object.',
  },
  {
    id: 'echo.success-true',
    section: '2.6',
    level: 'must',
    binds: 'service',
    statement: '`success` is `true` in the answer to a correct request, since `false` marks errors.',
  },
  {
    id: 'echo.message-returned',
    section: '2.5',
    level: 'must',
    binds: 'service',
    statement: '`data.echo` is the `message` that was sent, character by character.',
  },
  {
    id: 'echo.identity-fields',
    section: '5.4',
    level: 'must',
    binds: 'service',
    statement: '`data.appKey` and `data.appName` are strings.',
  },
  {
    id: 'echo.app-key',
    section: '5.4',
    level: 'must',
    binds: 'service',
    statement: '`data.appKey` is the App Key of the calling application.',
    needs: ['known-app-key'],
  },
  {
    id: 'echo.app-name',
    section: '5.4',
    level: 'must',
    binds: 'service',
    statement: '`data.appName` is the name of the calling application.',
    needs: ['known-app-name'],
  },
  {
    id: 'echo.server-time-format',
    section: '2.5',
    level: 'must',
    binds: 'service',
    statement: '`data.serverTime` is an ISO-8601 time in UTC with exactly three fraction digits.',
  },
  {
    id: 'echo.server-time-now',
    section: '2.5',
    level: 'implied',
    binds: 'service',
    statement: '`data.serverTime` is the time by which the server judges timestamps.',
    needs: ['movable-clock'],
  },
  {
    id: 'echo.whole-pipeline',
    section: '5.4',
    level: 'must',
    binds: 'service',
    statement:
      'The echo endpoint passes through the whole pipeline: each of the four authentication faults is refused there too.',
  },
] as const satisfies readonly Clause[];
