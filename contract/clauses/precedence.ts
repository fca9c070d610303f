import type { StatedClause } from '../clause.ts';

/** Every reason for a 403 by itself. */
const forbidden = [
  'application.disabled-refused',
  'application.pending-refused',
  'application.rejected-refused',
  'application.integrator-disabled-refused',
  'subscription.missing-refused',
] as const;

/** What the contract says of which refusal comes first. Sections 4.3, 7.1, 7.2. */
export const precedence = [
  {
    id: 'precedence.401-before-410',
    section: '4.3',
    statement: 'Where authentication fails on a retired path, the answer is 401.',
    buildsOn: ['echo.whole-pipeline', 'retirement.gone'],
  },
  {
    id: 'precedence.401-before-403',
    section: '7.1',
    statement: 'Where authentication fails and the application may not call either, the answer is 401.',
    needs: ['unsubscribed-application'],
    buildsOn: ['echo.whole-pipeline', ...forbidden],
  },
  {
    id: 'precedence.410-before-403',
    section: '4.3',
    statement: 'Where a retired path is called by an application that may not call, the answer is 410.',
    needs: ['unsubscribed-application'],
    buildsOn: ['retirement.gone', ...forbidden],
  },
  {
    id: 'precedence.410-before-429',
    section: '4.3',
    statement: 'Where a retired path is called by an application whose rate limit is spent, the answer is 410.',
    needs: ['rate-limited-application'],
    buildsOn: ['retirement.gone', 'rate-limit.refused'],
  },
  {
    id: 'precedence.401-before-429',
    section: '7.2',
    level: 'implied',
    statement: 'Where authentication fails and the rate limit is spent, the answer is 401.',
    needs: ['rate-limited-application'],
    buildsOn: ['echo.whole-pipeline', 'rate-limit.refused'],
  },
  {
    id: 'precedence.403-before-429',
    section: '7.2',
    level: 'implied',
    statement: 'Where the application may not call and its rate limit is spent, the answer is 403.',
    needs: ['chosen-application'],
    buildsOn: [...forbidden, 'rate-limit.refused'],
  },
  {
    id: 'precedence.gateway-before-endpoint',
    section: '7.1',
    statement: 'Every refusal by the gateway comes before any error of an endpoint.',
    buildsOn: ['echo.whole-pipeline', ...forbidden, 'rate-limit.refused'],
  },
  {
    id: 'precedence.one-of-two-401',
    section: '7.2',
    statement: 'A request with two authentication faults gets a 401 whose code fits one of them.',
    buildsOn: ['echo.whole-pipeline'],
  },
  {
    id: 'precedence.one-of-two-403',
    section: '7.2',
    statement: 'An application that may not call for two reasons gets a 403 whose code fits one of them.',
    needs: ['chosen-application'],
    buildsOn: [...forbidden],
  },
  {
    id: 'precedence.order-of-401',
    section: '7.2',
    level: 'implied',
    statement:
      'Among authentication faults the code is that of the first in the order 10009000, 10009001, 10009002, 10009003.',
    buildsOn: ['precedence.one-of-two-401'],
  },
  {
    id: 'precedence.order-of-403',
    section: '7.2',
    level: 'implied',
    statement:
      'Among the reasons for a 403 the code is that of the first in the order 10009004, 10009015, 10009014, 10009005.',
    needs: ['chosen-application'],
    buildsOn: ['precedence.one-of-two-403'],
  },
] as const satisfies readonly StatedClause[];
