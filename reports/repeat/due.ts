/** An answer that is due: a status, with its platform code where one is. */
export interface DueAnswer {
  readonly status: number;
  readonly code?: string;
}

/** What a script can tell of an answer by itself: that it is one of these, or that the gateway let the request pass. */
export type Due = readonly DueAnswer[] | 'accepted';

/** "410, code 10009034 (endpoint retired)", "404". */
const answer = /^(\d{3})(?:, code (\d+)(?: \([^()]*\)|, platform envelope))?$/;

/** The answers that the words of a check name as due; `undefined` where they demand more than a status and a code. */
export function dueOf(expected: string | undefined): Due | undefined {
  if (expected === 'accepted by the gateway') return 'accepted';
  const named = expected?.split(' or ').map((words) => answer.exec(words));
  if (named === undefined || !named.every((found) => found !== null)) return undefined;
  return named.map(([, status = '', code]) => ({ status: Number(status), ...(code === undefined ? {} : { code }) }));
}
