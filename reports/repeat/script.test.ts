import { describe, expect, test } from 'vitest';
import type { Step } from '../../schemas/evidence.ts';
import { hostileText, sampleExchange } from '../testing/sample-run.ts';
import { runScript } from '../testing/run-script.ts';
import { lackIn, repeatScript, type ScriptFacts } from './script.ts';
import { buffer } from 'node:stream/consumers';
import { secretStands } from '../../trace/people/memory.ts';
import { secretNames } from './runtime/kit.ts';
import { servedBy } from '../../targets/testing/served.ts';

type Evidence = Extract<Step, { evidence: unknown }>['evidence'];

const secret = 'another-canary-secret-9876543210';
const environment = { NFE_APP_SECRET: secret };
const server = await recordingServer(`you sent ${secret}\u001b[31m a\u009bb`);

const facts = { baseUrl: server.baseUrl, clause: 'echo.a', expected: '404', actual: '200' };
const steering: Step = {
  kind: 'steering',
  call: { at: 1, method: 'POST', path: '/applications', json: {}, status: 201 },
};

/** A right request of the run, and what it was answered. */
function callOf(request: Partial<Evidence['request']> = {}, status = 200): Extract<Step, { evidence: unknown }> {
  const { request: sample, durationMs } = sampleExchange();
  const headers: [string, string][] = [
    ['TOKEN', '$NFE_APP_SECRET'],
    ['X-A', '1'],
    ['x-a', '2'],
    ['timestamp', '1700000000'],
    ['SiGn', '9f3c5d0e7a1b2c3d4e5f60718293a4b5'],
  ];
  const body = { text: '', encoding: 'utf-8', bytes: 9, cut: true } as const;
  const response = { status, headers: [['X-Answer', 'Yes'] as [string, string]], body };
  return { kind: 'call', evidence: { request: { ...sample, headers, ...request }, response, durationMs } };
}

function ran(steps: readonly Step[], more: Partial<ScriptFacts> = {}, variables: Record<string, string> = environment) {
  return runScript(repeatScript(steps, { ...facts, ...more }), variables);
}

test('a story needs steps that are known: nothing to do, a secret way to sign and a cut body lack something', () => {
  const cutBody = { text: '<nfe>', encoding: 'utf-8', bytes: 100_000, cut: true } as const;
  expect(lackIn([callOf(), steering])).toBeUndefined();
  expect(lackIn([])).toBe('steps');
  expect(lackIn([{ ...callOf(), isFlawed: true }])).toBe('request');
  expect(lackIn([callOf({ body: cutBody })])).toBe('body');
});

test('a script knows the secrets of an application by the names that the report gives them', () => {
  expect(secretNames).toEqual(secretStands);
});

describe('a script sends the request of the run', () => {
  test('with a token, a timestamp and a sign of now, and its headers in their order and letter case', async () => {
    await ran([callOf({ target: '/openapi//x/../%7E?a=%0d&&b' })], { baseUrl: `${server.baseUrl}/prefix/` });
    const request = server.seen.at(-1);
    if (!request) throw new Error('nothing was sent');
    expect(request.target).toBe('/prefix/openapi//x/../%7E?a=%0d&&b');
    expect(headerOf(request, 'token')).toBe(secret);
    expect(Math.abs(Number(headerOf(request, 'timestamp')) - Date.now() / 1000)).toBeLessThan(60);
    expect(headerOf(request, 'sign')).toMatch(/^[0-9a-f]{32}$/);
    const names = request.rawHeaders.filter((_, index) => index % 2 === 0);
    expect(names.slice(0, 6)).toEqual(['host', 'TOKEN', 'X-A', 'x-a', 'timestamp', 'SiGn']);
  });

  test('to the server that NFE_BASE_URL names', async () => {
    const { length } = server.seen;
    await ran([callOf()], { baseUrl: 'http://127.0.0.1:1' }, { ...environment, NFE_BASE_URL: server.baseUrl });
    expect(server.seen).toHaveLength(length + 1);
  });

  test('with a body that is no UTF-8 byte for byte', async () => {
    const rawBody = Buffer.from([0xff, 0x00, 0x0d, 0x0a, 0xc3, 0x28]);
    await ran([callOf({ body: { text: rawBody.toString('base64'), encoding: 'base64', bytes: 6 } })]);
    expect(server.seen.at(-1)?.rawBody).toEqual(rawBody);
  });

  test('with what the report masks as it stands, unless the environment has a value of that name', async () => {
    const text = '{"nome":"$nome","nomeMae":"$nomeMae"}';
    await ran([callOf({ body: { text, encoding: 'utf-8', bytes: text.length } })], {}, { ...environment, nome: 'N' });
    expect(server.seen.at(-1)?.rawBody.toString()).toBe('{"nome":"N","nomeMae":"$nomeMae"}');
  });
});

test.each([
  [1, 'it is answered as in the run', 'REPRODUCED: ', 200, '404'],
  [0, 'it is answered otherwise, and that is due', 'NOT REPRODUCED: ', 404, '200'],
  [0, 'it is answered otherwise, and one of several is due', 'NOT REPRODUCED: ', 404, '410 or 200'],
  [0, 'it was to pass the gateway, and does', 'NOT REPRODUCED: ', 401, 'accepted by the gateway'],
  [1, 'it is answered otherwise, and that is not due either', 'REPRODUCED, but otherwise: ', 404, '410'],
  [1, 'the code that is due is missing', 'REPRODUCED, but otherwise: ', 404, '200, code 100 (fine)'],
  [0, 'it is answered otherwise, and more is due than a status and a code', 'NOT REPRODUCED: ', 404, '200, empty'],
])('a script ends with %i where %s', async (status, _, words, ofRun, expected) => {
  const ended = await ran([callOf({}, ofRun)], { expected });
  expect(ended.stdout).toContain(`\n${words}`);
  expect(ended.status).toBe(status);
});

test('what is not wrong every time is tried as often as it takes, where it leaves nothing behind', async () => {
  const observations = { right: 9, wrong: 1 };
  const tries = (more: Partial<ScriptFacts>, request = {}) => ran([callOf(request, 404)], { expected: '200', ...more });
  const often = await tries({ observations });
  expect(often.status).toBe(0);
  expect(often.stdout.match(/NOT REPRODUCED/g)).toHaveLength(30);
  const once = [await tries({}), await tries({ observations }, { target: '/openapi/v1/webhooks' })];
  expect(once.map(({ stdout }) => stdout.match(/NOT REPRODUCED/g)?.length)).toEqual([1, 1]);
  const doubts = [often, ...once].map(({ stdout }) => /(\d+ of \d+) tries tell little/.exec(stdout)?.[1]);
  expect(doubts).toEqual([undefined, undefined, '1 of 30']);
});

test.each([
  ['without a control API', [steering], {}, /NFE_CONTROL_URL and NFE_CONTROL_TOKEN are not set/],
  ['without the secret', [callOf()], {}, /NFE_APP_SECRET is not set/],
  [
    'with a bad address',
    [callOf()],
    { ...environment, NFE_BASE_URL: 'ftp://x' },
    /NFE_BASE_URL is no http or https address/,
  ],
  ['where nobody answers', [callOf()], { ...environment, NFE_BASE_URL: 'http://127.0.0.1:1' }, /no answer: /],
])('a script ends with 2 and one line %s', async (_, steps, variables, line) => {
  const { status, stderr } = await ran(steps, {}, variables);
  expect(stderr).toMatch(line);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(status).toBe(2);
});

test('what a script prints holds no secret and no control character', async () => {
  const { stdout, stderr } = await ran([callOf({}, 404)], { actual: `${secret}\u001b[31m\u009b2J` });
  expect(stdout + stderr).not.toContain(secret);
  // oxlint-disable-next-line no-control-regex -- it is these that must not be there
  expect(stdout + stderr).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
});

test.each<[string, string]>([
  ['as base64', Buffer.from(`the token ${secret}`).toString('base64')],
  ['as hexadecimal digits', Buffer.from(secret).toString('hex')],
  ['in percent escapes', [...Buffer.from(secret)].map((byte) => `%${byte.toString(16)}`).join('')],
  ['cut short', secret.slice(0, 12)],
])('a script prints no secret that a server returns %s', async (_, writing) => {
  const { stdout, stderr } = await ran([callOf({}, 404)], { expected: `it says ${writing}` });
  expect(stdout + stderr).not.toContain(writing);
  expect(stdout + stderr).toContain('it says $');
});

test('hostile text stays data, wherever results from elsewhere may hold it', async () => {
  const attack = `${hostileText.slice(0, 400)}\u2028process.exit(9)\n\`\${process.exit(9)}\`"); process.exit(9); // */</script>`;
  const body = { text: attack, encoding: 'utf-8', bytes: attack.length } as const;
  const told = { clause: attack, replay: attack, expected: attack, actual: attack };
  const script = repeatScript([callOf({ body })], { ...facts, ...told });
  expect(script).not.toContain('</script');
  expect(script.split('\n').at(-2)).toMatch(/^[\x20-\x7e]*$/);
  expect((await runScript(script, environment)).status).toBe(1);
  expect(server.seen.at(-1)?.rawBody.toString()).toBe(Buffer.from(attack).toString());
  const { length } = server.seen;
  const { status, stderr } = await ran([callOf({ method: attack, target: attack, headers: [[attack, attack]] })], told);
  expect([status, stderr.trimEnd().split('\n').length, server.seen.length]).toEqual([2, 1, length]);
});

/** A request as it came: nothing of it is changed. */
interface Recorded {
  readonly method: string;
  readonly target: string;
  readonly rawHeaders: readonly string[];
  readonly rawBody: Buffer;
}

/** A server on a free loopback port that keeps what comes and answers 200 with what it is told. */
async function recordingServer(answer: string): Promise<{
  readonly baseUrl: string;
  readonly seen: readonly Recorded[];
}> {
  const seen: Recorded[] = [];
  const baseUrl = await servedBy(async (incoming, outgoing) => {
    const { method = '', url: target = '', rawHeaders } = incoming;
    seen.push({ method, target, rawHeaders, rawBody: await buffer(incoming) });
    outgoing.writeHead(200, { 'X-Answer': 'Yes' }).end(answer);
  });
  return { baseUrl, seen };
}

/** The value of the first header of that name, whatever its letter case. */
function headerOf({ rawHeaders }: Recorded, name: string): string | undefined {
  const at = rawHeaders.findIndex((text, index) => index % 2 === 0 && text.toLowerCase() === name);
  return at < 0 ? undefined : rawHeaders[at + 1];
}
