import type { StatedClause } from '../clause.ts';

/** What the contract says of applications and integrators that may not call. Sections 5.3, 7.2. */
export const application = [
  {
    id: 'application.disabled-refused',
    section: '7.2',
    statement: 'A disabled application is refused with 403 and code 10009004 on every endpoint.',
    needs: ['disabled-application'],
  },
  {
    id: 'application.pending-refused',
    section: '7.2',
    statement: 'An application that awaits approval is refused with 403 and code 10009015 on every endpoint.',
    needs: ['pending-application'],
  },
  {
    id: 'application.rejected-refused',
    section: '7.2',
    statement: 'A rejected application is refused with 403 and code 10009015 on every endpoint.',
    needs: ['rejected-application'],
  },
  {
    id: 'application.integrator-disabled-refused',
    section: '7.2',
    statement:
      'An application of a disabled integrator account is refused with 403 and code 10009014 on every endpoint.',
    needs: ['application-of-disabled-integrator'],
  },
  {
    id: 'application.change-in-force',
    section: '5.3',
    statement:
      'A change of the state, the subscriptions or the limit of an application is in force for its next request.',
    needs: ['chosen-application'],
    buildsOn: [
      'application.disabled-refused',
      'application.pending-refused',
      'application.rejected-refused',
      'application.integrator-disabled-refused',
      'subscription.missing-refused',
      'subscription.own-scope-grants',
      'rate-limit.refused',
    ],
  },
] as const satisfies readonly StatedClause[];
