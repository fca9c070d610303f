import { expect, test } from 'vitest';
import type { Step } from '../../../schemas/evidence.ts';
import { togetherIn } from './steps.ts';

const body = (text: string) => ({ text, bytes: text.length, encoding: 'utf-8' as const });

/** A call that was under way for ten milliseconds. */
function call(at: number, target: string, answer = ''): Step {
  const request = { method: 'POST', target, headers: [], body: body('{}') };
  const response = { status: 200, headers: [], body: body(answer) };
  return { kind: 'call', application: 'a', evidence: { at, durationMs: 10, request, response } };
}

const registered = call(0, '/openapi/v2/empresas', '{"empresaId":"5C0FECD9-310D-4893"}');

test.each<[string, readonly Step[], number]>([
  ['under way at once', [call(0, '/nf-e/1'), call(5, '/nf-e/1')], 1],
  ['one after the other', [call(0, '/nf-e/1'), call(20, '/nf-e/1')], 2],
  [
    'of which one names what the other was told, whatever the clocks say',
    [registered, call(5, '/empresas/5C0FECD9-310D-4893/nf-e')],
    2,
  ],
  [
    'that name what both were sent',
    [call(0, '/nf-e/pedido-1234', '{"id":"pedido-1234"}'), call(5, '/nf-e/pedido-1234')],
    1,
  ],
])('steps %s are so many groups', (_, steps, groups) => {
  expect(togetherIn(steps)).toHaveLength(groups);
});
