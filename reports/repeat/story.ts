import type { CheckResult, ExchangeEvidence } from '../../schemas/results.ts';
import { ending } from '../evidence.ts';
import { shortened } from '../visible.ts';

/** Steps that a script tells of: the last ones, which come next to its own request. */
const mostSteps = 12;
const longestBody = 120;

interface Step {
  readonly at: number;
  readonly words: string;
}

/**
 * What came before and after a request in the case that failed, in the order of the time of day: calls of the control API with their
 * bodies, requests, and deliveries with what they were answered. Nothing where the request was all there was.
 */
export function storyOf({ exchanges = [], steered = [] }: CheckResult, own: ExchangeEvidence): string[] {
  const steps = [
    ...steered.map(({ at, method, path, json, status }) => {
      const body = json === undefined || json === null ? '' : ` ${shortened(JSON.stringify(json), longestBody)}`;
      return { at, words: `control API: ${method} ${path}${body} -> ${status}` };
    }),
    ...exchanges.flatMap((exchange) => (exchange.at === undefined ? [] : [stepOf(exchange, exchange.at, own)])),
  ].toSorted((one, other) => one.at - other.at);
  if (steps.length < 2) return [];
  const told = steps
    .slice(-mostSteps)
    .map(({ at, words }) => `  ${new Date(at).toISOString().slice(11, 23)}  ${words}`);
  const left = steps.length - told.length;
  return [
    'What happened in the failing case, of which this script repeats the request that is marked:',
    ...(left > 0 ? [`  ${left} steps before`] : []),
    ...told,
  ];
}

function stepOf(exchange: ExchangeEvidence, at: number, own: ExchangeEvidence): Step {
  const { request, received, answered } = exchange;
  const line = `${request.method} ${shortened(request.target, longestBody)}`;
  if (received) return { at, words: `delivery: ${line}, answered ${answered ?? 'by the suite'}` };
  return { at, words: `${exchange === own ? 'THIS: ' : ''}${line} -> ${ending(exchange)}` };
}
