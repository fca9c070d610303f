import { describe, expect, test } from 'vitest';
import { readSettings } from '../settings/settings.ts';
import { foreignAddress } from '../../targets/testing/server.ts';
import { examineWebhook, judgeArrival } from './webhook.ts';
import { findingLine } from '../../desk/doctor/doctor-lines.ts';

const address = foreignAddress('https://api.example');
const publicUrl = 'https://hooks.example/in';
const origin = 'http://127.0.0.1:8080';

test('a request that arrives is fine, whatever its sender was told', () => {
  expect(judgeArrival({ hasArrived: true, told: 'ETIMEDOUT' }, publicUrl, origin, 8080).state).toBe('ok');
});

test.each([
  [{ hasArrived: false, told: 'HTTP 502' }, 8080, /from outside only/],
  [{ hasArrived: false, told: 'ECONNREFUSED' }, 0, /a new port each time/],
])('one that does not arrive is a warning: %o at port %d', (arrival, port, advice) => {
  const finding = judgeArrival(arrival, publicUrl, origin, port);
  expect(finding.state).toBe('warning');
  expect(finding.found).toContain(arrival.told);
  expect(finding.advice).toMatch(advice);
});

describe('on a sandbox', () => {
  const sandbox = { NFE_BASE_URL: 'https://api.example', NFE_APP_SECRET: 'any-secret' };

  test('an unset public address is told', async () => {
    expect((await examineWebhook(readSettings(sandbox), address)).state).toBe('not set');
  });

  test('a receiver that can not listen is a problem', async () => {
    const settings = { ...sandbox, NFE_WEBHOOK_PUBLIC_URL: publicUrl, NFE_WEBHOOK_LISTEN: '192.0.2.1:0' };
    const finding = await examineWebhook(readSettings(settings), address);
    expect(findingLine(finding, false)).toMatch(/^✗ problem .*NFE_WEBHOOK_LISTEN/);
  });

  test('a public address that leads elsewhere is a warning', async () => {
    const settings = { ...sandbox, NFE_WEBHOOK_PUBLIC_URL: 'http://127.0.0.1:1' };
    const finding = await examineWebhook(readSettings(settings), address);
    expect(findingLine(finding, false)).toMatch(/^! warning .*ECONNREFUSED/);
  });
});
