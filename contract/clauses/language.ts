import type { StatedClause } from '../clause.ts';

/** What the contract says of the language of messages. Sections 2.6, 9. */
export const language = [
  {
    id: 'language.language-header',
    section: '9',
    statement: 'The message of every refusal follows the `Language` header with the values zh, en, pt, es.',
    buildsOn: ['envelope.message-text', 'retirement.gone'],
  },
  {
    id: 'language.accept-language-header',
    section: '9',
    statement: 'The message of every refusal follows the `Accept-Language` header with the values zh, en, pt, es.',
    buildsOn: ['envelope.message-text', 'retirement.gone'],
  },
  {
    id: 'language.portuguese-by-default',
    section: '9',
    statement: 'Without a language header the message is in Portuguese.',
    buildsOn: ['envelope.message-text', 'retirement.gone', 'subscription.missing-refused'],
  },
  {
    id: 'language.on-403',
    section: '9',
    statement: 'The message of a 403 follows the requested language.',
    needs: ['unsubscribed-application'],
    buildsOn: ['errors.envelope-of-403'],
  },
  {
    id: 'language.on-429',
    section: '9',
    statement: 'The message of a 429 follows the requested language.',
    needs: ['rate-limited-application'],
    buildsOn: ['errors.envelope-of-429'],
  },
  {
    id: 'language.on-echo',
    section: '9',
    statement: 'The message of the answer to an echo follows the requested language.',
    buildsOn: ['echo.platform-envelope'],
  },
] as const satisfies readonly StatedClause[];
