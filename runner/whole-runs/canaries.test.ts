import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isResults } from '../../schemas/stored.ts';
import type { Sought } from '../testing/canaries/canaries.ts';
import { appSecret, staged, type Staged } from '../testing/canaries/front.ts';
import { newFolder, textOfFile } from '../testing/folders.ts';
import { npmTest, type Ended, command, environmentOf, ofTopics } from '../testing/runs.ts';
import { readdirSync } from 'node:fs';
import { startProcess } from '../testing/processes.ts';

/**
 * Whether anything of what is sought stands in a text, as it is or under escapes, base64 and hexadecimal; gives that which does, with
 * what stands around it. It knows nothing of how the suite itself looks for secrets.
 */
function foundIn(text: string, all: readonly Sought[]): string[] {
  const [parts, wholes, people] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const sought of all) {
    if (sought.by === 'whole') wholes.add(sought.secret.toLowerCase());
    else if (sought.by === 'person') people.add(squeezed(sought.telling));
    else for (const part of partsOf(sought.secret)) parts.add(part);
  }
  const starts = new Set([...parts].flatMap((part) => stretches(part, ofStart)));
  const found = new Set<string>();
  for (const reading of readings(text)) {
    const lower = reading.toLowerCase();
    for (const one of [lower, unbroken(lower)]) {
      // Wherever a part begins, one of its own stretches begins at one of these places.
      for (let at = 0; at < one.length; at += least - ofStart + 1) {
        if (!starts.has(one.slice(at, at + ofStart))) continue;
        const near = stretches(one.slice(Math.max(0, at - least + ofStart), at + least), least);
        if (near.some((part) => parts.has(part))) found.add(`a part of a secret: ${around(one, at)}`);
      }
      for (const whole of wholes) if (one.includes(whole)) found.add(`a token: ${around(one, one.indexOf(whole))}`);
    }
    const letters = squeezed(reading);
    for (const telling of people)
      if (letters.includes(telling)) found.add(`a person: ${around(letters, letters.indexOf(telling))}`);
  }
  return [...found].slice(0, mostTold);
}

const mostTold = 10;

/** So many characters of a secret tell. */
const least = 8;

/** So many of them are looked for first. */
const ofStart = 4;

function partsOf(secret: string): string[] {
  const lower = secret.toLowerCase();
  return [lower, unbroken(lower)].flatMap((text) => stretches(text, least));
}

/** All stretches of a text that are so long. */
function stretches(text: string, length: number): string[] {
  return Array.from({ length: Math.max(0, text.length - length + 1) }, (_, at) => text.slice(at, at + length));
}

/** Without white space, quotes, and what joins two quoted texts. */
function unbroken(text: string): string {
  return text.replaceAll(/["'`]\s*\+\s*["'`]/g, '').replaceAll(/[\s"'`\\\0]/g, '');
}

function around(text: string, at: number): string {
  return JSON.stringify(text.slice(Math.max(0, at - 60), at + 60));
}

/** Letters and digits only, without accents: `Jo&atilde;o` and `JOÃO`, `390.533` and `390533`. */
function squeezed(text: string): string {
  return text
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');
}

/** How many layers are taken off. */
const layers = 4;

/** The text, what it is without its escapes, and what the codes in it stand for. */
function readings(text: string, depth = 0): string[] {
  const peeled = [text];
  for (let last = text; peeled.length <= layers;) {
    const next = unescaped(last);
    if (next === last) break;
    peeled.push(next);
    last = next;
  }
  if (depth >= 2) return peeled;
  const inner = decodings(peeled.at(-1) ?? text);
  return [...peeled, ...inner.flatMap((one) => readings(one, depth + 1))];
}

const names: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  sol: '/',
  plus: '+',
  equals: '=',
  lowbar: '_',
  atilde: 'a',
  nbsp: ' ',
};

function unescaped(text: string): string {
  const unit = (digits: string, base: number): string => String.fromCharCode(Number.parseInt(digits, base) % 0x1_0000);
  return text
    .replaceAll(/(?:%[\da-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'))
    .replaceAll(/\\u\{?([\da-f]{4}|[\da-f]{2}\})/gi, (_, digits: string) => unit(digits, 16))
    .replaceAll(/\\x([\da-f]{2})/gi, (_, digits: string) => unit(digits, 16))
    .replaceAll(/\\([0-3][0-7]{2})/g, (_, digits: string) => unit(digits, 8))
    .replaceAll(/\\([/"'\\`])/g, '$1')
    .replaceAll(/&#x([\da-f]{1,6});/gi, (_, digits: string) => unit(digits, 16))
    .replaceAll(/&#(\d{1,7});/g, (_, digits: string) => unit(digits, 10))
    .replaceAll(/&([a-z]{2,8});/gi, (whole, name: string) => names[name.toLowerCase()] ?? whole)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');
}

/** What lists of bytes stand for, and runs of base64 and hexadecimal, from each digit at which a group may begin. */
function decodings(text: string): string[] {
  const lists = (text.match(/\d{1,3}(?:[,;\s]+\d{1,3}){7,}/g) ?? []).map((list) =>
    Buffer.from(list.split(/\D+/).map(Number)),
  );
  const runs = [...new Set([text, text.replaceAll(/["'\\]?[\r\n]+\s*["'+]?/g, '')])];
  const base64 = runs.flatMap((one) => one.match(/[\w+/-]{11,}/g) ?? []);
  const hex = runs.flatMap((one) =>
    (one.match(/[\da-f](?:[ :\0-]?[\da-f]){15,}/gi) ?? []).map((run) => run.replaceAll(/[^\da-f]/gi, '')),
  );
  const decoded = (from: readonly string[], skipped: number, encoding: 'base64' | 'hex'): string =>
    from.map((run) => Buffer.from(run.slice(skipped), encoding).toString('latin1')).join('\n');
  return [
    lists.map((bytes) => bytes.toString('latin1')).join('\n'),
    ...[0, 1, 2, 3].map((skipped) => decoded(base64, skipped, 'base64')),
    ...[0, 1].map((skipped) => decoded(hex, skipped, 'hex')),
  ].filter((one) => one !== '');
}

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

beforeAll(async () => {
  one = await staged(newFolder(), { breaksEvery: 3, rightFirst: 40 });
  other = await staged(newFolder(), { breaksEvery: 3, rightFirst: 40 });
  broken = await staged(newFolder(), { breaksEvery: 1, rightFirst: 0 });
  polite = await staged(newFolder(), { breaksEvery: 0, rightFirst: 0 });
  const settings = { ...one.settings, NFE_REPORT_DIR: folder };
  // One after the other: a receiver has one address, and so has the application.
  run = await npmTest(settings, ...ofTopics('token', 'echo', 'cpf-lookup', 'nfe-query', 'issuance-callback'));
  const all = { ...other.settings, NFE_REPORT_DIR: shownFolder, NFE_SHOW: 'all' };
  shown = await npmTest(all, ...ofTopics('token', 'cpf-lookup'));
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
}, 600_000);

afterAll(async () => {
  await one.stop();
  await other.stop();
  await broken.stop();
  await polite.stop();
});

/** What a receiver says of deliveries that hold canaries. */
async function received(): Promise<Said> {
  const env = environmentOf(newFolder(), one.settings);
  const receiver = startProcess('node', ['desk/main.ts', 'receiver', '--out', newFolder()], { env });
  const url = /address +(\S+)/.exec(await receiver.printed(/address +\S+\n[^]*stops/))?.[1] ?? '';
  for (const { text } of one.canaries) {
    const value = text.replaceAll(/[^\x20-\x7e]/g, ' ').trim();
    const headers = { 'x-service-event': value, 'x-service-event-id': value, 'x-service-delivery-id': value };
    await new Promise<void>((resolve, reject) => {
      const sent = request(url, { method: 'POST', headers }, (answer) => answer.resume().on('end', resolve));
      sent.on('error', reject);
      sent.end(text);
    });
  }
  const { status } = await receiver.end('SIGTERM');
  return { status, printed: receiver.said() };
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
    'empresas.jsonl',
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
    ['npm run doctor, of broken answers', 0],
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

/** What a command printed, and how it ended. */
interface Said {
  readonly status: number | null;
  /** Of both streams. */
  readonly printed: string;
}

/** The files in a folder and in those below it, by their names. */
function filesIn(folder: string): ReadonlyMap<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(entries.map(({ name, parentPath }) => [name, textOfFile(join(parentPath, name))] as const));
}
