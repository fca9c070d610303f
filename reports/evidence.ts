import type { CheckResult, ClauseResult, ExchangeEvidence } from '../schemas/results.ts';

/** The checks of a clause that failed. */
export function failedChecks(clause: ClauseResult): CheckResult[] {
  return clause.checks.filter((check) => check.state === 'failed');
}

/** The exchange that a failure is about: the last one that its check made. */
export function decisiveExchange(check: CheckResult): ExchangeEvidence | undefined {
  return check.exchanges?.at(-1);
}

/** Value of a request header whatever the case of its name; `undefined` where it was not sent. */
export function requestHeader(exchange: ExchangeEvidence, name: string): string | undefined {
  return exchange.request.headers.find(([own]) => own?.toLowerCase() === name)?.[1];
}

/** The signature of a delivery, in whichever provider's header; `undefined` where none came. */
export function deliverySignature({ request }: ExchangeEvidence): string | undefined {
  return request.headers.find(([name]) => name !== undefined && /-signature$/i.test(name))?.[1];
}

/** How an exchange ended: the status of its response, or why there is none. */
export function ending(exchange: ExchangeEvidence): string {
  if (exchange.received) return 'received by the suite';
  return exchange.response ? String(exchange.response.status) : (exchange.error ?? 'no response');
}
