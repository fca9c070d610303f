import type { StatedClause } from '../clause.ts';

/** What the contract says of subscriptions and their scopes. Sections 4, 5.3, 7.2. */
export const subscription = [
  {
    id: 'subscription.missing-refused',
    section: '7.2',
    statement: 'An application without any subscription is refused with 403 and code 10009005 on every endpoint.',
    needs: ['unsubscribed-application'],
  },
  {
    id: 'subscription.own-scope-missing',
    section: '5.3',
    statement: 'An endpoint whose own scope is the only one missing is refused with 403 and code 10009005.',
    needs: ['chosen-application'],
    buildsOn: ['subscription.missing-refused'],
  },
  {
    id: 'subscription.own-scope-grants',
    section: '5.3',
    statement: 'The scope of an endpoint alone grants that endpoint.',
    needs: ['chosen-application'],
  },
  {
    id: 'subscription.any-segment',
    section: '4',
    statement: 'A `{xx}` segment of a scope matches any single non-empty segment of the path.',
    buildsOn: ['subscription.own-scope-grants'],
  },
  {
    id: 'subscription.whole-path',
    section: '4',
    statement: 'A scope grants its own path only: neither longer paths that begin with it nor shorter ones.',
    needs: ['chosen-application'],
    buildsOn: ['subscription.own-scope-missing', 'subscription.own-scope-grants'],
  },
  {
    id: 'subscription.cancellation-shares-query',
    section: '4',
    statement: 'Cancellation and query share one scope.',
    needs: ['chosen-application'],
    buildsOn: ['subscription.own-scope-missing', 'subscription.own-scope-grants'],
  },
] as const satisfies readonly StatedClause[];
