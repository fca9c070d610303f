import type { StatedClause } from '../clause.ts';

/** What the contract says of the `timestamp` header. Sections 5.1, 7.2, 8. */
export const timestamp = [
  {
    id: 'timestamp.server-time-accepted',
    section: '5.1',
    statement: "The server's own time, as Unix seconds in decimal text, is accepted.",
  },
  {
    id: 'timestamp.past-accepted',
    section: '5.1',
    statement: 'A timestamp up to and including 300 seconds behind server time is accepted.',
    buildsOn: ['timestamp.server-time-accepted'],
  },
  {
    id: 'timestamp.future-accepted',
    section: '5.1',
    statement: 'A timestamp up to and including 300 seconds ahead of server time is accepted.',
    buildsOn: ['timestamp.server-time-accepted'],
  },
  {
    id: 'timestamp.past-refused',
    section: '7.2',
    statement: 'A timestamp more than 300 seconds behind server time is refused with 401 and code 10009001.',
    buildsOn: ['timestamp.server-time-accepted'],
  },
  {
    id: 'timestamp.future-refused',
    section: '7.2',
    statement: 'A timestamp more than 300 seconds ahead of server time is refused with 401 and code 10009001.',
    buildsOn: ['timestamp.server-time-accepted'],
  },
  {
    id: 'timestamp.text-refused',
    section: '5.1',
    statement: 'A timestamp that is not a number is refused with 401 and code 10009001.',
    buildsOn: ['timestamp.server-time-accepted'],
  },
  {
    id: 'timestamp.milliseconds-refused',
    section: '5.1',
    statement: 'Server time in milliseconds (13 digits) is refused with 401 and code 10009001.',
    buildsOn: ['timestamp.future-refused'],
  },
  {
    id: 'timestamp.plain-decimal',
    section: '5.1',
    level: 'implied',
    statement:
      'Server time written with a sign, a fraction, an exponent or leading zeros is refused with 401 and code 10009001.',
    buildsOn: ['timestamp.text-refused'],
  },
] as const satisfies readonly StatedClause[];
