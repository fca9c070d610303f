import { plainFlaws } from '../generators/flaws.ts';
import { jsonText } from '../generators/json-text.ts';
import { echoCall, jsonCall } from '../generators/calls.ts';
import { plainCall } from '../generators/telling-calls.ts';
import { echoMessage } from '../generators/text.ts';
import fc from 'fast-check';
import { check, property } from './kit/check.ts';
import { jsonBody, member } from './kit/reply.ts';
import type { Trial } from './kit/trial.ts';

/** `data` of the answer to a correct echo. */
async function dataOf(t: Trial, message: string): Promise<unknown> {
  return member(jsonBody(await t.accepts(await t.caller(), echoCall(message))), 'data');
}

for (const [clause, title] of [
  ['echo.status', 'a correct echo is answered with 200'],
  ['echo.platform-envelope', 'the answer to a correct echo is a platform envelope'],
  ['echo.success-true', '`success` is true in the answer to a correct echo'],
  ['echo.identity-fields', '`data.appKey` and `data.appName` are texts'],
  ['echo.server-time-format', '`data.serverTime` is an ISO-8601 time in UTC with milliseconds'],
] as const) {
  property(clause, title, plainCall(), async (t, call) => {
    await t.accepts(await t.caller(), call);
  });
}

property(
  'echo.message-returned',
  '`data.echo` is the message that was sent, however its JSON is written',
  echoMessage().chain((message) => fc.record({ message: fc.constant(message), bodyText: jsonText({ message }) })),
  async (t, { bodyText }) => {
    await t.accepts(await t.caller(), jsonCall('echo', bodyText));
  },
  {
    examples: ['  spaces around  ', 'line\r\nbreaks\n', 'ação 😀 e\u0301', 'x'.repeat(8000)].map((message) => ({
      message,
      bodyText: JSON.stringify({ message }),
    })),
  },
);

for (const [clause, field] of [
  ['echo.app-key', 'appKey'],
  ['echo.app-name', 'appName'],
] as const) {
  check(clause, `\`data.${field}\` is that of the caller`, async (t) => {
    const known = (await t.caller())[field];
    const value = member(await dataOf(t, 'who am I?'), field);
    t.holds(value === known, { expected: `data.${field} is ${known}`, actual: JSON.stringify(value) ?? 'missing' });
  });
}

check('echo.server-time-now', '`data.serverTime` shows a standing clock and follows it', async (t) => {
  const caller = await t.target.clockedCaller();
  await t.each([0, 1, 3600], async (step) => {
    await caller.advance(step);
    const exchange = await t.accepts(caller, echoCall('what time is it?'));
    const serverTime = String(member(member(jsonBody(exchange), 'data'), 'serverTime'));
    t.holds(Date.parse(serverTime) === caller.now() * 1000, {
      expected: new Date(caller.now() * 1000).toISOString(),
      actual: serverTime,
    });
  });
});

property(
  'echo.whole-pipeline',
  'the echo endpoint refuses each of the four authentication faults with its code',
  fc.constantFrom(...plainFlaws),
  async (t, flaw) => {
    const hint = 'the echo endpoint answers before the gateway has checked everything';
    await t.refuses(await t.caller(), echoCall('the whole pipeline'), flaw.refusal, flaw.apply, hint);
  },
  { examples: plainFlaws },
);
