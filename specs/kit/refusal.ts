import { errorArray } from '../../schemas/messages.ts';
import { validator } from '../../schemas/validate.ts';
import type { Exchange } from '../../trace/exchange.ts';
import { jsonBody, summary } from './reply.ts';
import type { Trial } from './trial.ts';

const faultsOfArray = validator(errorArray);

/** Fails unless issuance, query or cancellation refused with 400 or 404; the shape of the refusal has clauses of its own. */
export function isRefusedByEndpoint(t: Trial, exchange: Exchange, hint?: string): void {
  const status = exchange.response?.status;
  t.holds(status === 400 || status === 404, {
    expected: '400 or 404',
    actual: summary(exchange),
    ...(hint === undefined ? {} : { hint }),
  });
}

/** Fails unless it refused with 400 or 404 and an array of objects with `codigo` and `mensagem`. Section 7.3. */
export function isRefusedWithArray(t: Trial, exchange: Exchange, hint?: string): void {
  isRefusedByEndpoint(t, exchange, hint);
  const faults = faultsOfArray(jsonBody(exchange));
  t.holds(faults.length === 0, {
    expected: 'an array of objects with codigo and mensagem',
    actual: jsonBody(exchange) === undefined ? 'a body that is no JSON' : faults.join('; '),
  });
}
