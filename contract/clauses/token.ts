import type { StatedClause } from '../clause.ts';

/** What the contract says of the `token` header and the App Secret. Sections 2.1, 5.1, 5.2, 7.2. */
export const token = [
  {
    id: 'token.app-secret-accepted',
    section: '2.1',
    statement: 'The App Secret, sent as `token` and used in `sign`, authenticates its application.',
  },
  {
    id: 'token.unknown-refused',
    section: '7.2',
    statement: 'A token that is no App Secret is refused with 401 and code 10009002.',
  },
  {
    id: 'token.verbatim',
    section: '5.2',
    statement:
      'The App Secret counts verbatim: with a character changed, added, dropped or in the other case it is an invalid token.',
    buildsOn: ['token.unknown-refused'],
  },
  {
    id: 'token.app-key-refused',
    section: '2.1',
    level: 'implied',
    statement: 'The App Key only identifies an application: sent as `token` it is refused with 401 and code 10009002.',
    needs: ['known-app-key'],
    buildsOn: ['token.unknown-refused'],
  },
  {
    id: 'token.rotated-refused',
    section: '2.1',
    statement: 'From the moment of a rotation the old App Secret is refused with 401 and code 10009002.',
    needs: ['rotated-secret'],
    buildsOn: ['token.unknown-refused'],
  },
  {
    id: 'token.new-secret-accepted',
    section: '2.1',
    statement: 'The App Secret that a rotation hands out authenticates the application.',
    needs: ['rotation'],
    buildsOn: ['token.app-secret-accepted'],
  },
  {
    id: 'token.secret-not-returned',
    section: '2.1',
    level: 'implied',
    statement:
      'No answer and no delivery of the service gives an App Secret away, since it cannot be read after it was displayed.',
    someNeed: ['empresa'],
    buildsOn: ['signature.mismatch-refused'],
  },
  {
    id: 'token.displayed-once',
    section: '2.1',
    statement: 'The App Secret is displayed once, when the application is created or its secret rotated.',
    unobservable: "it is displayed in the provider's console, which is outside the HTTP interface",
  },
] as const satisfies readonly StatedClause[];
