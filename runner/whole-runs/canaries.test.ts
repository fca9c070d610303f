import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isResults } from '../../schemas/stored.ts';
import type { Sought } from '../testing/canaries/canaries.ts';
import { filesIn, startReceiver, type Said } from '../testing/canaries/commands.ts';
import { foundIn } from '../testing/canaries/search.ts';
import { appSecret, staged, type Staged } from '../testing/canaries/staged.ts';
import { newFolder } from '../testing/folders.ts';
import { npmTest, type Ended, command } from '../testing/runs.ts';

/** A server that gives away all it knows, in right answers and in broken ones, and what each command made of it. */
let one: Staged;
/** Another such server, as new, for a run that shows all. */
let other: Staged;
/** The same where all is broken, and where nothing is. */
let broken: Staged;
let polite: Staged;
const folder = newFolder();
const shownFolder = newFolder();
const soughts = (): Sought[] =>
  [one, other, broken, polite].flatMap(({ canaries }) => canaries.map(({ sought }) => sought));
const said = new Map<string, Said>();
let run: Ended;
let shown: Ended;

const topics = (...names: string[]): string[] => names.flatMap((name) => ['--topic', name]);

beforeAll(async () => {
  one = await staged(newFolder(), { breaksEvery: 3, rightFirst: 40 });
  other = await staged(newFolder(), { breaksEvery: 3, rightFirst: 40 });
  broken = await staged(newFolder(), { breaksEvery: 1, rightFirst: 0 });
  polite = await staged(newFolder(), { breaksEvery: 0, rightFirst: 0 });
  const settings = { ...one.settings, NFE_REPORT_DIR: folder };
  // One after the other: a receiver has one address, and so has the application.
  run = await npmTest(settings, ...topics('token', 'echo', 'cpf-lookup', 'nfe-query', 'issuance-callback'));
  const all = { ...other.settings, NFE_REPORT_DIR: shownFolder, NFE_SHOW: 'all' };
  shown = await npmTest(all, ...topics('token', 'cpf-lookup'));
  const control = { NFE_CONTROL_URL: broken.server.baseUrl, NFE_CONTROL_TOKEN: broken.controlToken };
  const commands: [string, string, string[], Record<string, string>][] = [
    ['npm run doctor', 'doctor', [], polite.settings],
    ['npm run doctor -- --json', 'doctor', ['--json'], polite.settings],
    ['npm run doctor, of broken answers', 'doctor', [], broken.settings],
    ['npm run doctor, of a control API', 'doctor', [], { ...broken.settings, ...control }],
    ['npm run profile -- check', 'profile', ['check'], polite.settings],
    ['npm run report', 'report', ['--from', join(folder, 'results.json'), '--out', newFolder()], one.settings],
    ['npm run compare', 'compare', [join(folder, 'results.json'), join(shownFolder, 'results.json')], {}],
  ];
  for (const [call, program, words, own] of commands) {
    const { status, stdout, stderr } = await command(program, own, words, { mostMs: 240_000 });
    said.set(call, { status, printed: stdout + stderr });
  }
}, 240_000);

afterAll(async () => {
  await one.stop();
  await other.stop();
  await broken.stop();
  await polite.stop();
});

/** What a receiver says of deliveries that hold canaries. */
async function received(): Promise<Said> {
  const receiver = startReceiver(['--out', newFolder()], one.settings);
  await expect.poll(() => receiver.printed()).toMatch(/address +\S+\n[^]*stops/);
  const url = /address +(\S+)/.exec(receiver.printed())?.[1] ?? '';
  for (const { text } of one.canaries) {
    const value = text.replaceAll(/[^\x20-\x7e]/g, ' ').trim();
    const headers = { 'x-service-event': value, 'x-service-event-id': value, 'x-service-delivery-id': value };
    await new Promise<void>((resolve, reject) => {
      const sent = request(url, { method: 'POST', headers }, (answer) => answer.resume().on('end', resolve));
      sent.on('error', reject);
      sent.end(text);
    });
  }
  receiver.stop();
  return receiver.ended;
}

test('a canary of each kind is found by this search, and there are more than sixty', () => {
  expect(one.canaries.length).toBeGreaterThan(60);
  const unfound = one.canaries.filter(({ text, sought }) => foundIn(`"a": "${text}"`, [sought]).length === 0);
  expect(unfound.map(({ kind }) => kind)).toEqual([]);
});

test('a server gives away a canary of each kind', () => {
  for (const { kind } of one.canaries) expect(one.server.sent.get(kind), kind).toBeGreaterThan(0);
});

test('no file of a run holds any, nor does what it prints', () => {
  const files = filesIn(folder);
  const [scripts, reports] = [/^repeat-.*\.mjs$/, /^(?!repeat-)/].map((name) =>
    [...files.keys()].filter((file) => name.test(file)),
  );
  expect(scripts).not.toEqual([]);
  expect(reports?.toSorted()).toEqual([
    'badge.json',
    'ctrf.json',
    'history.jsonl',
    'index.html',
    'junit.xml',
    'results.json',
    'summary.md',
    'trace.ndjson.gz',
  ]);
  for (const [name, text] of files) expect(foundIn(text, soughts()), name).toEqual([]);
  expect(foundIn(run.stdout, soughts())).toEqual([]);
  expect(foundIn(run.stderr, soughts())).toEqual([]);
});

test('with NFE_SHOW=all no file of a run holds a secret, a link or a cookie', () => {
  // The token of a control API that this run was not told of is a word like any other to it.
  const known = one.canaries.filter(({ kind }) => !kind.startsWith('control token'));
  const secrets = known.map(({ sought }) => sought).filter(({ by }) => by !== 'person');
  for (const [name, text] of filesIn(shownFolder)) expect(foundIn(text, secrets), name).toEqual([]);
  expect(foundIn(shown.stdout + shown.stderr, secrets)).toEqual([]);
});

describe('no canary is printed', () => {
  test.each([
    ['npm run doctor', 0],
    ['npm run doctor -- --json', 0],
    ['npm run doctor, of broken answers', 2],
    ['npm run doctor, of a control API', 2],
    ['npm run profile -- check', 0],
    ['npm run report', 1],
  ])('by %s, which ends with %i', (call, status) => {
    const { printed = '', status: ended } = said.get(call) ?? {};
    expect(foundIn(printed, soughts())).toEqual([]);
    expect(printed.length).toBeGreaterThan(200);
    expect(ended).toBe(status);
  });

  test('by npm run compare, but people of a run that shows all', () => {
    const { printed = '', status } = said.get('npm run compare') ?? {};
    expect(
      foundIn(
        printed,
        soughts().filter(({ by }) => by !== 'person'),
      ),
    ).toEqual([]);
    expect(status).toBe(1);
  });
});

test('no canary is printed by npm run receiver, whatever comes', async () => {
  const { printed, status } = await received();
  expect(foundIn(printed, soughts())).toEqual([]);
  expect(printed.split('\n').length).toBeGreaterThan(one.canaries.length);
  expect(printed).toContain('  $NFE_APP_SECRET  ');
  expect(status).toBe(0);
});

test('the breach of the contract is what the run ends with, and the masks have left nothing to the last search', () => {
  expect([run.status, shown.status]).toEqual([1, 1]);
  for (const name of ['results.json', 'index.html']) expect(filesIn(folder).get(name)).not.toContain('last search');
  const results: unknown = JSON.parse(filesIn(folder).get('results.json') ?? '');
  if (!isResults(results)) throw new Error('the results do not fit their schema');
  expect(results.verdict).toBe('nonconformant');
  expect(results.defects).toBeUndefined();
  const verdicts = new Map(results.clauses.map(({ id, verdict }) => [id, verdict]));
  expect(verdicts.get('token.secret-not-returned')).toBe('warned');
  expect(verdicts.get('cpf-lookup.malformed')).toBe('failed');
});

test('evidence stays readable: statuses, codes, paths, and what a server says of itself', () => {
  const results = filesIn(folder).get('results.json') ?? '';
  expect(results).toMatch(/"status": 401/);
  expect(results).toMatch(/\b1000900\d\b/);
  expect(results).toContain('/openapi/v3/consultas/cpf/');
  expect(results).toContain('não consta');
  expect(results).toContain('$NFE_APP_SECRET');
  expect(results).not.toContain(appSecret);
  // Of an answer that is no JSON, what it is and not what stands in it.
  expect(results).toContain('no JSON');
});
