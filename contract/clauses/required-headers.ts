import type { StatedClause } from '../clause.ts';

/** What the contract says of the three headers that every request carries. Sections 4, 5.1, 7.2. */
export const requiredHeaders = [
  {
    id: 'required-headers.token-missing',
    section: '5.1',
    statement: 'A request without the `token` header is refused with 401 and code 10009000.',
  },
  {
    id: 'required-headers.timestamp-missing',
    section: '5.1',
    statement: 'A request without the `timestamp` header is refused with 401 and code 10009000.',
  },
  {
    id: 'required-headers.sign-missing',
    section: '5.1',
    statement: 'A request without the `sign` header is refused with 401 and code 10009000.',
  },
  {
    id: 'required-headers.several-missing',
    section: '7.2',
    statement: 'A request that lacks two or all three of the headers is refused with 401 and code 10009000.',
  },
  {
    id: 'required-headers.every-endpoint',
    section: '4',
    statement: 'Each of the eleven endpoints demands the three headers.',
    buildsOn: ['required-headers.token-missing', 'required-headers.timestamp-missing', 'required-headers.sign-missing'],
  },
  {
    id: 'required-headers.headers-only',
    section: '5.1',
    statement: 'The three values count only as headers: in the query string they leave the header missing.',
    buildsOn: ['required-headers.token-missing', 'required-headers.timestamp-missing', 'required-headers.sign-missing'],
  },
  {
    id: 'required-headers.name-case-free',
    section: '5.1',
    level: 'implied',
    statement: 'The names of the three headers are recognised in any letter case, as HTTP has it.',
  },
] as const satisfies readonly StatedClause[];
