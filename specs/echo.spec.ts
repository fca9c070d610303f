import { plainFlaws } from '../generators/flaws.ts';
import { jsonText } from '../generators/json-text.ts';
import { echoCall, jsonCall } from '../generators/calls.ts';
import { plainCall } from '../generators/telling-calls.ts';
import { echoMessage } from '../generators/text.ts';
import fc from 'fast-check';
import { echoData } from '../schemas/echo.ts';
import { successEnvelope } from '../schemas/envelope.ts';
import { validator } from '../schemas/validate.ts';
import { check, property } from './kit/check.ts';
import { jsonBody, member } from './kit/reply.ts';
import type { Trial } from './kit/trial.ts';

const faultsOfSuccess = validator(successEnvelope);
const faultsOfTime = validator({
  type: 'object',
  required: ['serverTime'],
  properties: { serverTime: echoData.properties.serverTime },
});

/** `data` of the answer to a correct echo. */
async function dataOf(t: Trial, message: string): Promise<unknown> {
  return member(jsonBody(await t.accepts(await t.caller(), echoCall(message))), 'data');
}

property('echo.status', 'a correct echo is answered with 200', plainCall(), async (t, call) => {
  const exchange = await t.send(await t.caller(), call);
  const status = exchange.response?.status;
  t.holds(status === 200, { expected: '200', actual: String(status ?? exchange.error) });
});

property(
  'echo.platform-envelope',
  'the answer to a correct echo is a platform envelope',
  plainCall(),
  async (t, call) => {
    const faults = faultsOfSuccess(jsonBody(await t.accepts(await t.caller(), call)));
    t.holds(faults.length === 0, { expected: 'the envelope of a success', actual: faults.join('; ') });
  },
);

property('echo.success-true', '`success` is true in the answer to a correct echo', plainCall(), async (t, call) => {
  const exchange = await t.send(await t.caller(), call);
  const success = member(jsonBody(exchange), 'success');
  t.holds(success === true, {
    expected: 'success is true',
    actual: `success is ${JSON.stringify(success) ?? 'missing'}`,
  });
});

property(
  'echo.message-returned',
  '`data.echo` is the message that was sent, however its JSON is written',
  echoMessage().chain((message) => fc.record({ message: fc.constant(message), bodyText: jsonText({ message }) })),
  async (t, { message, bodyText }) => {
    const exchange = await t.accepts(await t.caller(), jsonCall('echo', bodyText));
    const echo = member(member(jsonBody(exchange), 'data'), 'echo');
    t.holds(echo === message, {
      expected: `data.echo is ${JSON.stringify(message)}`,
      actual: JSON.stringify(echo) ?? 'missing',
      hint: hintOnEcho(message, echo),
    });
  },
  {
    examples: ['  spaces around  ', 'line\r\nbreaks\n', 'ação 😀 e\u0301', 'x'.repeat(8000)].map((message) => ({
      message,
      bodyText: JSON.stringify({ message }),
    })),
  },
);

function hintOnEcho(sent: string, returned: unknown): string {
  if (typeof returned !== 'string') return 'data.echo is no text';
  if (returned === sent.trim()) return 'white space at the ends is lost';
  if (returned === sent.normalize('NFC')) return 'the message comes back in Unicode form NFC';
  if (sent.startsWith(returned)) return `the message is cut after ${returned.length} UTF-16 units`;
  return 'characters are lost or changed on the way';
}

check('echo.identity-fields', '`data.appKey` and `data.appName` are texts', async (t) => {
  const data = await dataOf(t, 'who am I?');
  await t.each(['appKey', 'appName'], (field) => {
    const value = member(data, field);
    t.holds(typeof value === 'string' && value !== '', {
      expected: `data.${field} is a text that is not empty`,
      actual: JSON.stringify(value) ?? 'missing',
    });
  });
});

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

property(
  'echo.server-time-format',
  '`data.serverTime` is an ISO-8601 time in UTC with milliseconds',
  plainCall(),
  async (t, call) => {
    const data = member(jsonBody(await t.accepts(await t.caller(), call)), 'data');
    const serverTime = member(data, 'serverTime');
    const faults = faultsOfTime(data);
    const isTime = typeof serverTime === 'string' && !Number.isNaN(Date.parse(serverTime));
    t.holds(faults.length === 0 && isTime, {
      expected: 'data.serverTime like 2026-09-04T12:00:00.000Z',
      actual: JSON.stringify(serverTime) ?? 'missing',
    });
  },
);

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
