import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { type BodyFault, nfeVerificationRules } from '../rules/nfe-verification.ts';
import { verificationRefusals } from '../rules/refusal.ts';
import { runningSimulator } from '../testing/call.ts';
import { profileXml, testVerifier } from '../testing/documents.ts';
import { examine } from './examine.ts';
import { scanLimits } from './document.ts';

const simulator = runningSimulator();
const size = 1_000_000;
const [head = '', tail = ''] = profileXml('autorizada')
  .trimEnd()
  .split(/(?=<infAdic>)/);

/** Text of the largest size, of `unit`s between a start and an end. */
function filled(start: string, unit: (index: number) => string, end: string): string {
  const units: string[] = [];
  let length = start.length + end.length;
  for (let index = 0; ; index += 1) {
    const next = unit(index);
    length += next.length;
    if (length > size) return start + units.join('') + end;
    units.push(next);
  }
}

const benign = filled(head, () => `<obs>Uma nota de ${'muitas palavras '.repeat(3)}e um fim.</obs>`, tail);

const entityBomb = `<!DOCTYPE a [<!ENTITY e0 "ha">${Array.from(
  { length: 30 },
  (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`,
).join('')}]><a>&e30;</a>`;

function namespaces(count: number): string {
  return Array.from({ length: count }, (_, at) => ` xmlns:n${at}="urn:${at}"`).join('');
}

function attributes(count: number): string {
  return Array.from({ length: count }, (_, at) => ` a${at}=""`).join('');
}

const { attributesOfElement, namespacesInScope } = scanLimits;

// Two more hold there already.
const manyNamespaces = namespaces(namespacesInScope - 2);

const hostile: readonly (readonly [string, string | Buffer, BodyFault])[] = [
  ['an entity bomb', entityBomb, 'dtd'],
  ['a megabyte of entities', filled('<!DOCTYPE a [', (at) => `<!ENTITY e${at} "x">`, ']><a/>'), 'dtd'],
  ['100,000 levels', '<a>'.repeat(100_000) + '</a>'.repeat(100_000), 'tooComplex'],
  ['levels without an end', '<a>'.repeat(size / 3), 'tooComplex'],
  ['a megabyte of attributes', filled('<a ', (at) => `a${at}="" `, '/>'), 'tooComplex'],
  ['one attribute more than there may be', `<a${attributes(attributesOfElement + 1)}/>`, 'tooComplex'],
  ['a megabyte of namespaces', filled('<a ', (at) => `xmlns:a${at}="u" `, '/>'), 'tooComplex'],
  ['a megabyte of names', filled(head, (at) => `<x${at}/>`, tail), 'tooComplex'],
  ['a megabyte of elements', filled(head, () => '<x/>', tail), 'tooComplex'],
  ['namespaces on every level', `${head}<x${namespaces(9)}><x${namespaces(9)}/></x>${tail}`, 'tooComplex'],
  [
    'every namespace on every element',
    filled(`${head}<x${manyNamespaces}>`, () => '<xx/>', `</x>${tail}`),
    'tooComplex',
  ],
  ['a megabyte of one name', `${head}<${'x'.repeat(size - 10_000)}/>${tail}`, 'malformed'],
  ['a comment without an end', `<a><!--${'-'.repeat(size - 7)}`, 'malformed'],
  ['a megabyte of ampersands', `<a>${'&'.repeat(size - 3)}`, 'malformed'],
  ['a megabyte of NUL', Buffer.alloc(size), 'malformed'],
  ['a NUL in a text', `${head}<x>\0</x>${tail}`, 'malformed'],
  ['a megabyte that is not UTF-8', Buffer.alloc(size, 0xc3), 'encoding'],
  ['a megabyte of half UTF-16', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.alloc(size - 3, 0xd8)]), 'encoding'],
];

function fault(rawBody: Buffer): Promise<unknown> {
  return examine({ rawBody, isBodyTooLarge: false }, nfeVerificationRules);
}

/** How long this thread computed for it: what else the machine does is not in it. */
async function computeMs(rawBody: Buffer): Promise<number> {
  const start = process.threadCpuUsage();
  await fault(rawBody);
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}

let ofBenign: Promise<number> | undefined;

/** The least time of three that a document of that size takes: measured once for all. */
function judgedMs(): Promise<number> {
  const measured = async (): Promise<number> => {
    const times: number[] = [];
    for (let run = 0; run < 3; run += 1) times.push(await computeMs(Buffer.from(benign)));
    return Math.min(...times);
  };
  return (ofBenign ??= measured());
}

/** Fails unless one of three tries is within that time: a busy machine accuses nobody. */
async function expectWithin(mostMs: number, body: string | Buffer): Promise<void> {
  const times: number[] = [];
  while (times.length < 3 && !times.some((ms) => ms < mostMs)) times.push(await computeMs(Buffer.from(body)));
  expect(Math.min(...times)).toBeLessThan(mostMs);
}

/** Bytes that are held after garbage was collected. */
function heldBytes(): number {
  setFlagsFromString('--expose-gc');
  const collectGarbage: unknown = runInNewContext('gc');
  if (typeof collectGarbage === 'function') Reflect.apply(collectGarbage, undefined, []);
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

describe('hostile input', () => {
  test.each(hostile)('%s gets 400 and a code', async (_, body, refusal) => {
    expect(await fault(Buffer.from(body))).toEqual({ refusal });
    const answer = await (await testVerifier(simulator)).verify(body);
    expect(answer).toMatchObject({ status: 400, json: { code: verificationRefusals[refusal].code } });
  });

  test.each(hostile)('%s is refused about as fast as a document of that size is judged, or faster', async (_, body) => {
    await expectWithin((await judgedMs()) * 3, body);
  });

  test.each(hostile)('%s leaves nothing in memory', async (_, body) => {
    const rawBody = Buffer.from(body);
    await fault(rawBody);
    const before = heldBytes();
    for (let run = 0; run < 2; run += 1) await fault(rawBody);
    expect(heldBytes() - before).toBeLessThan(size);
  });
});

describe('work that no limit forbids', () => {
  test.each([
    [
      'every namespace on many elements',
      filled(`${head}<x${manyNamespaces}>`, () => `<x>${' '.repeat(40)}</x>`, `</x>${tail}`),
    ],
    ['every attribute on every element', filled(head, () => `<x${attributes(attributesOfElement)}/>`, tail)],
    ['comments', filled(head, () => '<!---->', tail)],
    ['character references', filled(`${head}<x>`, () => '&#65;', `</x>${tail}`)],
  ])('%s takes no more than ten times what a document of that size takes', async (_, body) => {
    expect(await fault(Buffer.from(body))).toHaveProperty('chave');
    await expectWithin((await judgedMs()) * 10, body);
  });
});
