import type { IncomingMessage, RequestListener } from 'node:http';
import { expect, test, describe } from 'vitest';
import { runningSimulator } from '../../simulator/testing/call.ts';
import { servedBy } from '../../targets/testing/served.ts';
import { freePort, newFolder } from '../testing/folders.ts';
import { settingNames } from '../settings/settings.ts';
import { diagnose } from './diagnose.ts';
import { echoMessage } from './echo.ts';
import { conclusion, findingLine, shown } from '../../desk/doctor-lines.ts';
import { datedSkew, examineClock, judgeSkew, statedSkew } from './clock.ts';
import { askSurely } from './session.ts';

const simulator = runningSimulator();

const network = ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS'];

const folder = newFolder();

/** What the doctor finds with these settings only, a line each, the sentence at the end included. */
async function said(settings: Record<string, string>): Promise<string> {
  const unset = Object.fromEntries([...settingNames, ...network].map((name) => [name, '']));
  const { findings, coverage, mask } = await diagnose({
    ...unset,
    NFE_MAX_RPS: '0',
    NFE_REPORT_DIR: folder,
    ...settings,
  });
  const lines = findings.map((finding) => findingLine(shown(finding, mask), false));
  return [...lines, conclusion(findings, coverage).sentence].join('\n');
}

test('a server with a good secret is ready, and each unset setting says what it adds', async () => {
  const { appSecret, appKey } = await simulator.application();
  const text = await said({ NFE_BASE_URL: simulator.baseUrl, NFE_APP_SECRET: appSecret, NFE_APP_KEY: appKey });
  expect(text).toMatch(/^✓ ok {7}NFE_APP_KEY: echo says the same$/m);
  expect(text).toMatch(/^○ not set {2}NFE_APP_SECRET_ROTATED: .* → set it for \d+ must clauses? more/m);
  expect(text).toMatch(/^✓ ok {7}subscriptions: 7 endpoints of 7 .* registrations and issuance were not asked/m);
  expect(text).toMatch(/^○ not set {2}webhook receiver: /m);
  expect(text).toMatch(/^○ not set {2}clauses: \d+ must clauses? will not be exercised: /m);
  expect(text).toMatch(/\nReady: npm test will exercise \d+ of \d+ must clauses$/);
  expect(text).not.toContain(appSecret);
});

test('an application that has faults on demand armed is not to be judged', async () => {
  const { appKey, appSecret } = await simulator.application();
  const answers = [{ kind: 'slow', endpoint: 'nfe-issuance' }];
  expect(await simulator.control('PUT', `/applications/${appKey}/faults`, { answers })).toMatchObject({ status: 200 });
  const text = await said({ NFE_BASE_URL: simulator.baseUrl, NFE_APP_SECRET: appSecret });
  expect(text).toMatch(/^✗ problem {2}NFE_APP_SECRET: faults on demand are armed .* → disarm them by its control API/m);
  expect(text).toMatch(/\nNot ready: 1 problem$/);
});

test('a token that the control API does not take is a problem, and never shown; echo is asked all the same', async () => {
  const { baseUrl } = simulator;
  const text = await said({ NFE_BASE_URL: baseUrl, NFE_CONTROL_URL: baseUrl, NFE_CONTROL_TOKEN: 'not-the-t0ken' });
  expect(text).toMatch(/^✓ ok {7}echo: /m);
  expect(text).toMatch(/^– skipped {2}subscriptions: the control API gives no application/m);
  expect(text).toMatch(/^✗ problem {2}control API: .* 401.* → check NFE_CONTROL_TOKEN$/m);
  expect(text).toMatch(/\nNot ready: 1 problem$/);
  expect(text).not.toContain('t0ken');
});

/** Answers every request like an echo, with that identity. */
function echoing(identityOf: (incoming: IncomingMessage) => string): RequestListener {
  return (incoming, response) => {
    const data = { echo: echoMessage, appKey: identityOf(incoming), appName: '\u001b[2J', serverTime: '' };
    incoming.resume().on('end', () => response.end(JSON.stringify({ success: true, data })));
  };
}

const strange = { NFE_APP_SECRET: 'the-s3cret', NFE_APP_KEY: 'k', NFE_APP_NAME: 'n' };

test('a secret that a target shows back is masked, and what would steer the terminal is spelt out', async () => {
  const baseUrl = await servedBy(echoing(({ headers }) => String(headers['token'])));
  const text = await said({ ...strange, NFE_BASE_URL: baseUrl });
  expect(text).toMatch(/^✗ problem {2}NFE_APP_KEY: echo says "\$NFE_APP_SECRET"/m);
  expect(text).not.toContain('s3cret');
  expect(text).not.toContain('\u001b');
});

test('a public address that leads to the webhook receiver is fine', async () => {
  const { appSecret } = await simulator.application();
  const place = `127.0.0.1:${await freePort()}`;
  const webhook = { NFE_WEBHOOK_LISTEN: place, NFE_WEBHOOK_PUBLIC_URL: `http://${place}/hooks` };
  const text = await said({ NFE_BASE_URL: simulator.baseUrl, NFE_APP_SECRET: appSecret, ...webhook });
  expect(text).toMatch(/^✓ ok {7}webhook receiver: a request to http:\/\/.*\/hooks arrived at /m);
});

test.each([
  [
    'a malformed setting',
    { NFE_BASE_URL: 'api.example', NFE_APP_SECRET: 'any-secret' },
    'settings: NFE_BASE_URL takes ',
  ],
  ['a file that a setting names', { NFE_BASELINE: '/nowhere.json' }, 'settings: NFE_BASELINE takes .*ENOENT'],
  [
    'certificates that are none',
    { NFE_BASE_URL: 'https://127.0.0.1:9', NFE_APP_SECRET: 'any-secret', NODE_EXTRA_CA_CERTS: 'package.json' },
    'NODE_EXTRA_CA_CERTS: package.json holds no certificate',
  ],
  [
    'a proxy that is none',
    { NFE_BASE_URL: 'https://127.0.0.1:9', NFE_APP_SECRET: 'any-secret', HTTPS_PROXY: 'proxy:1' },
    'HTTPS_PROXY: it is no address',
  ],
])('%s ends it', async (_, settings, pattern) => {
  const text = await said(settings);
  expect(text).toMatch(new RegExp(`^✗ problem  ${pattern}`, 'm'));
  expect(text).toMatch(/^– skipped {2}everything else/m);
  expect(text).toMatch(/\nNot ready: 1 problem$/);
});

const noon = Date.parse('2026-01-01T12:00:00.000Z');

function asked(data: Record<string, unknown>, date?: string): Parameters<typeof statedSkew>[0] {
  const answer = { status: 200, data, form: 'json' as const, ...(date === undefined ? {} : { date }) };
  return { answer, receivedMs: noon + 200, durationMs: 400 };
}

describe('the skew', () => {
  test('that serverTime states is taken at half the round trip', () => {
    expect(statedSkew(asked({ serverTime: '2026-01-01T12:10:00.000Z' }))).toEqual({
      seconds: 600,
      doubtSeconds: 0.2,
      source: 'echo serverTime',
    });
  });

  test.each([['no time'], [12], [undefined], ['2026-99-99T00:00:00Z']])('is not stated by %j', (serverTime) => {
    expect(statedSkew(asked({ serverTime }))).toBeUndefined();
  });

  test('that a Date header shows is half a second later than it says', () => {
    expect(datedSkew(asked({}, 'Thu, 01 Jan 2026 11:59:00 GMT'))).toEqual({
      seconds: -59.5,
      doubtSeconds: 0.7,
      source: 'Date header',
    });
  });

  test('is not known without a time and without an answer', () => {
    expect(datedSkew(asked({}))).toBeUndefined();
    const silent = { answer: { error: 'gone' }, receivedMs: noon, durationMs: 1 };
    expect([statedSkew(silent), datedSkew(silent)]).toEqual([undefined, undefined]);
  });
});

describe('what serverTime states is believed', () => {
  /** A target without a Date header, whose echoes state these skews in turn, and which judges timestamps by the first of them. */
  async function skewOf(statedSeconds: (nth: number, nowMs: number) => number, judgesBy: number) {
    let asks = 0;
    const ask = (_secret: string, _probe: unknown, offset: number): Promise<ReturnType<typeof asked>> => {
      const nowMs = Date.now();
      const serverTime = new Date(nowMs + statedSeconds(asks++, nowMs) * 1000).toISOString();
      const isRefused = Math.abs(offset - judgesBy) > 300;
      const refusal = { status: 401, data: {}, code: 10009001, form: 'json' as const };
      const answer = isRefused ? refusal : { status: 200, data: { serverTime }, form: 'json' as const };
      return Promise.resolve({ answer, receivedMs: nowMs, durationMs: 2 } as ReturnType<typeof asked>);
    };
    const { skew } = await examineClock({ ask }, 'secret', await ask('secret', undefined, 0));
    return skew && Math.round(skew.seconds);
  }

  test('of several nodes whose clocks are not quite together', async () => {
    expect(await skewOf((nth) => -37 + nth * 0.9, -37)).toBe(-37);
  });

  test('but not of a clock that stands, nor of one that judges nothing', async () => {
    const startMs = Date.now();
    expect(await skewOf((_, nowMs) => -37 - (nowMs - startMs) / 1000, -37)).toBeUndefined();
    expect(await skewOf(() => -37, 0)).toBeUndefined();
  });
});

describe('a run goes on', () => {
  const taken = (data: Record<string, unknown>, date: string): Parameters<typeof statedSkew>[0] => {
    const now = Date.now();
    return { answer: { status: 200, data, date, form: 'json' }, receivedMs: now, durationMs: 2 };
  };
  const late = (): string => new Date(Date.now() + 600_000).toUTCString();

  test.each([
    ['its Date header', {}],
    ['its Date header and serverTime', { serverTime: new Date(Date.now() + 600_000).toISOString() }],
  ])('at a target that takes the timestamps of now, whatever %s says', async (_, data) => {
    const ask = (): Promise<ReturnType<typeof taken>> => Promise.resolve(taken(data, late()));
    const { findings, skew } = await examineClock({ ask }, 'secret', await ask());
    expect(new Set(findings.map(({ state }) => state))).toEqual(new Set(['warning']));
    expect(skew).toBeUndefined();
  });

  test('at a target of which one node refuses the timestamps of now', async () => {
    const refused: Parameters<typeof statedSkew>[0] = {
      ...taken({}, late()),
      answer: { status: 401, data: {}, code: 10009001, date: late(), form: 'json' },
    };
    const ask = (): Promise<ReturnType<typeof taken>> => Promise.resolve(taken({}, new Date().toUTCString()));
    const { findings } = await examineClock({ ask }, 'secret', refused);
    expect(findings.map(({ state }) => state)).toEqual(['ok']);
    const always = await examineClock({ ask: () => Promise.resolve(refused) }, 'secret', refused);
    expect(always.findings.map(({ state }) => state)).toEqual(['problem']);
  });
});

describe('what would end a run', () => {
  /** How often a target is asked whose answers have these statuses, of which 401 is in the way, and which one counts. */
  async function askedOf(...statuses: number[]): Promise<{ readonly asks: number; readonly counts: unknown }> {
    let asks = 0;
    const ask = (): Promise<ReturnType<typeof asked>> =>
      Promise.resolve({ ...asked({}), answer: { status: statuses[asks++] ?? 0, data: {}, form: 'json' } });
    const { answer } = await askSurely(ask, ({ status }) => status === 401 || status === 429);
    return { asks, counts: 'status' in answer ? answer.status : undefined };
  }

  test.each([
    ['once where it is not', [200], 1, 200],
    ['again where the next one is not, as at another node', [401, 200], 2, 200],
    ['three times where it always is', [401, 401, 401], 3, 401],
    ['once where the rate is limited', [429], 1, 429],
  ])('is asked for %s', async (_, statuses, asks, counts) => {
    expect(await askedOf(...statuses)).toEqual({ asks, counts });
  });
});

describe('a skew', () => {
  test.each([
    [0, 'ok', 'agrees with this'],
    [30, 'ok', '30.0 s ahead of this'],
    [-30, 'ok', '30.0 s behind this'],
    [30.1, 'warning', '30.1 s ahead'],
    [-295, 'warning', '295.0 s behind'],
    [295.1, 'problem', '295.1 s ahead'],
    [-600, 'problem', '600.0 s behind'],
  ])('of %d s is %s', (seconds, state, text) => {
    const finding = judgeSkew({ seconds, doubtSeconds: 0.04, source: 'echo serverTime' });
    expect(finding.state).toBe(state);
    expect(finding.found).toContain(text);
    expect(finding.found).toContain('echo serverTime, ± 40 ms');
  });

  test('that can not be measured is a warning', () => {
    expect(judgeSkew(undefined).state).toBe('warning');
  });
});
