import { describe, expect, test } from 'vitest';
import { timestampRules } from '../rules/timestamp.ts';
import { echoCall, send, systemSeconds } from '../testing/call.ts';
import { runningSimulator } from '../testing/running.ts';

const simulator = runningSimulator();
const refused = { status: 401, json: { code: 10009001 } };
/** 2031-05-17T09:30:00Z, at the end of its second: checks use whole seconds. */
const clock = '2031-05-17T09:30:00.999Z';
const clockSeconds = 1936776600;

async function echoAt(timestamp: string): Promise<unknown> {
  const { appSecret } = await simulator.application({ clock });
  return send(simulator.baseUrl, echoCall(appSecret, { timestamp }));
}

describe('timestamp', () => {
  test.each([-300, -1, 0, 1, 300])('%i s from server time is accepted', async (offset) => {
    expect(await echoAt(String(clockSeconds + offset))).toMatchObject({ status: 200 });
  });

  test.each([-301, 301, -86_400])('%i s from server time is refused with 10009001', async (offset) => {
    expect(await echoAt(String(clockSeconds + offset))).toMatchObject(refused);
  });

  test.each([
    ['milliseconds', `${clockSeconds}000`],
    ['text', 'now'],
    ['a plus sign', `+${clockSeconds}`],
    ['a minus sign', `-${clockSeconds}`],
    ['a fraction', `${clockSeconds}.0`],
    ['a leading zero', `0${clockSeconds}`],
    ['an exponent', '1936776600e0'],
    ['hexadecimal', `0x${clockSeconds.toString(16)}`],
    ['a space inside', '19367 76600'],
    ['a thousand digits', '1'.repeat(1000)],
    ['an ISO time', clock],
    ['Arabic digits', Buffer.from('١٩٣٦٧٧٦٦٠٠').toString('latin1')],
  ])('a timestamp with %s is refused with 10009001', async (_what, timestamp) => {
    expect(await echoAt(timestamp)).toMatchObject(refused);
  });

  test('two equal timestamp headers are refused with 10009001', async () => {
    const { appSecret } = await simulator.application();
    const timestamp = systemSeconds();
    const call = echoCall(appSecret, { timestamp, headers: { timestamp: [timestamp, timestamp] } });
    expect(await send(simulator.baseUrl, call)).toMatchObject(refused);
  });

  test('a token of nobody is judged by the system clock', async () => {
    const ownTime = echoCall('nobody', { timestamp: String(clockSeconds) });
    expect(await send(simulator.baseUrl, ownTime)).toMatchObject(refused);
    expect(await send(simulator.baseUrl, echoCall('nobody'))).toMatchObject({ status: 401, json: { code: 10009002 } });
  });

  test('a test clock that was advanced judges by its new time', async () => {
    const { appKey, appSecret } = await simulator.application({ clock });
    await simulator.control('POST', `/applications/${appKey}/clock`, { advanceSeconds: 301 });
    const old = await send(simulator.baseUrl, echoCall(appSecret, { timestamp: String(clockSeconds) }));
    expect(old).toMatchObject(refused);
    const now = await send(simulator.baseUrl, echoCall(appSecret, { timestamp: String(clockSeconds + 301) }));
    expect(now).toMatchObject({ status: 200, json: { data: { serverTime: '2031-05-17T09:35:01.999Z' } } });
  });

  test('zero is a timestamp, and server time is a whole number of seconds', () => {
    expect(timestampRules.parse('0')).toBe(0);
    expect(timestampRules.parse('1936776600')).toBe(1936776600);
    expect(timestampRules.parse('1936776600\n')).toBeUndefined();
    expect(timestampRules.serverSeconds(1936776600999)).toBe(1936776600);
  });
});
