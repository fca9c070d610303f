import { describe, expect, test } from 'vitest';
import { lineOf, type RecordLine } from '../trace/lines.ts';
import type { Evidence } from '../schemas/evidence.ts';
import { commonFacts, factsOf, kindsOfRecords, type Facts, withSignOfBefore } from './facts.ts';
import { recordOf } from './testing/records.ts';
import { differences, fieldsOfRecord } from './authority.ts';

const telling = (broken: readonly Facts[], right: readonly Facts[]): string[] =>
  commonFacts(broken, right).flatMap((fact) => (fact.telling ? [`${fact.name}=${fact.value}`] : []));

test('what all broken records have and no right one is telling', () => {
  const broken = [
    { endpoint: 'POST /a', caller: 'active' },
    { endpoint: 'POST /a', caller: 'disabled' },
  ];
  expect(telling(broken, [{ endpoint: 'POST /b', caller: 'active' }])).toEqual(['endpoint=POST /a']);
});

test('two things together are telling where neither is alone', () => {
  const broken = [{ endpoint: 'POST /a', caller: 'disabled', language: 'en' }];
  const right = [
    { endpoint: 'POST /a', caller: 'active', language: 'en' },
    { endpoint: 'POST /b', caller: 'disabled', language: 'en' },
  ];
  expect(telling(broken, right)).toEqual(['endpoint=POST /a', 'caller=disabled']);
});

test('what came is common, but no condition: nothing is telling where right records are like the broken ones', () => {
  const broken = [{ endpoint: 'POST /a', status: '404' }];
  expect(commonFacts(broken, [{ endpoint: 'POST /a', status: '200' }])).toEqual([
    { name: 'endpoint', value: 'POST /a' },
    { name: 'status', value: '404' },
  ]);
});

test('where nothing is right, nothing tells the broken from it', () => {
  expect(telling([{ endpoint: 'POST /a' }], [])).toEqual([]);
});

test.each([
  [{}, 'at once'],
  [{ 'transfer-encoding': 'chunked' }, 'in chunks'],
  [{ expect: '100-continue' }, 'after Expect: 100-continue'],
])('with the headers %j a body was sent %s', (requestHeaders, transfer) => {
  expect(factsOf(recordOf({ requestHeaders }))).toMatchObject({ transfer });
});

test.each([
  ['/openapi/demo/echo', undefined],
  ['/openapi/demo/echo?a=1', 'sent'],
])('of %s it is known whether a query was sent: %s', (target, query) => {
  expect(factsOf(recordOf({ target })).query).toBe(query);
});

describe('a connection', () => {
  const right = [{ endpoint: 'POST /a', connection: '1' }];
  const broken = ['POST /a', 'POST /b', 'POST /c'].map((endpoint) => ({ endpoint, connection: '2' }));

  test('tells where several kinds of records came over it, and were broken', () => {
    expect(telling(broken, right)).toEqual(['connection=2']);
  });

  test('tells nothing of one record, which had to have some', () => {
    expect(telling(broken.slice(0, 1), right)).toEqual([]);
  });
});

describe('what came before on the same connection', () => {
  const right = [
    { endpoint: 'POST /a', before: '2xx' },
    { endpoint: 'POST /b', before: 'none' },
  ];
  const broken = ['POST /a', 'POST /b', 'POST /c'].map((endpoint) => ({ endpoint, before: '4xx' }));

  test('tells where it is the same of all that is broken, and of nothing that is right', () => {
    expect(telling(broken, right)).toEqual(['before=4xx']);
  });

  test('tells nothing where two other conditions do: a check sends in an order of its own', () => {
    const flawed = broken.map((facts) => ({ ...facts, fault: 'invalid token', language: 'en' }));
    const others = [
      { ...right[0], fault: 'invalid token', language: 'pt' },
      { ...right[1], fault: 'none', language: 'en' },
    ];
    expect(telling(flawed, others)).toEqual(['fault=invalid token', 'language=en']);
  });

  test('is the class of the last answer that came over it, whatever came over another', () => {
    const kindOf = kindsOfRecords();
    const records = [
      { connection: 1, status: 401 },
      { connection: 2, status: 200 },
      { connection: 1, status: 200 },
      { connection: 2, status: 410 },
    ].map((one) => ({ ...recordOf({ status: one.status }), connection: one.connection }));
    expect(records.map((record) => kindOf(record).before)).toEqual(['none', 'none', '4xx', '2xx']);
  });
});

test('a sign was sent before where an exchange had it: of those that are under way at once, one that is taken', () => {
  const asked = (sign: string, sentAtMs: number, durationMs: number, status = 200): RecordLine => {
    const evidence: Evidence = {
      request: { method: 'GET', target: '/', headers: [['Sign', sign]] },
      response: { status, headers: [], body: { text: '', encoding: 'utf-8', bytes: 0 } },
      durationMs,
    };
    return lineOf({ check: 'a', case: 1 }, recordOf({ sentAtMs, durationMs, status }), evidence, (name) => name);
  };
  const [first, later] = [asked('a', 0, 5), asked('a', 10, 5, 401)];
  const [refused, taken] = [asked('b', 20, 5, 401), asked('b', 21, 9)];
  const alone = asked('c', 40, 5);
  expect([...withSignOfBefore([later, first, alone, refused, taken])]).toEqual([later, refused]);
});

describe('what a verdict tells of a record', () => {
  const record = {
    cStat: '101',
    xMotivo: 'Cancelamento  «ção» 😀',
    protocolo: { numero: '1', digestValue: 'a=' },
    dataAutorizacao: '2026-01-02T03:04:05-03:00',
    eventos: [
      { tpEvento: '110110', xCorrecao: 'ção' },
      { tpEvento: '110111', nSeqEvento: 1 },
    ],
  };
  const told = { ...record, dataAutorizacao: '2026-01-02T06:04:05.000Z' };
  const all = Object.values(fieldsOfRecord).flat();

  test('is the same in any order, zone and with further fields', () => {
    const eventos = record.eventos.toReversed().map((event) => ({ ...event, orgao: 91 }));
    expect(differences({ ...told, eventos }, record, all)).toEqual([]);
  });

  test('may be absent where it is null', () => {
    expect(differences({}, { protocolo: null, dataAutorizacao: null }, ['protocolo', 'dataAutorizacao'])).toEqual([]);
  });

  test.each<[string, object]>([
    ['xMotivo', { xMotivo: 'Cancelamento «??o» ??' }],
    ['cStat', { cStat: null }],
    ['protocolo', { protocolo: { numero: '2', digestValue: 'a=' } }],
    ['dataAutorizacao', { dataAutorizacao: '2026-01-02T03:04:05Z' }],
    ['eventos', { eventos: record.eventos.slice(1) }],
    ['eventos', { eventos: [...record.eventos, { tpEvento: '110111' }] }],
    ['eventos', { eventos: record.eventos.map(({ tpEvento }) => ({ tpEvento })) }],
  ])('differs in %s: %j', (name, change) => {
    expect(differences({ ...told, ...change }, record, all)).toHaveLength(1);
    expect(differences({ ...told, ...change }, record, all)[0]).toContain(`${name} is`);
  });

  const long = (end: string): object => ({ xMotivo: `${'x'.repeat(130)}${end}` });
  const eventOf = (text: string): object => ({ eventos: [{ tpEvento: '110110', xCorrecao: text.repeat(130) }] });

  test.each<[string, object, object]>([
    ['behind 131 characters that are right U+0061 a came where U+00E3 ã was due', long('nao'), long('não')],
    ['behind 133 characters that are right nothing came where U+0020 was due', long('não'), long('não 😀')],
    ['behind 133 characters that are right U+1F600 😀 came where nothing was due', long('não😀'), long('não')],
    [
      '2 events, not 1',
      { eventos: [{ tpEvento: '1' }, { tpEvento: '2'.repeat(130) }] },
      { eventos: [{ tpEvento: '1' }] },
    ],
    ['no event has a text of 130 characters', eventOf('a'), eventOf('ã')],
  ])('differs where that is told of what is too long to be shown: %s', (where, came, due) => {
    const [text = ''] = differences(came, due, Object.keys(due));
    expect(text.endsWith(`: ${where}`), text).toBe(true);
  });
});

test.each([
  [-30, 'in time'],
  [-300, 'up to 5 min behind'],
  [310, 'up to 10 min ahead'],
  [-10_795, '3 h behind'],
  [2 ** 32 + 20, 'a multiple of 2^32 s ahead'],
  [-20_000, 'up to a day behind'],
  [86_400 * 30, 'days ahead'],
  [-1_000_000_000, 'years behind'],
])('a timestamp that is %s seconds ahead is told as one %s', (aheadSeconds, told) => {
  const signing = aheadSeconds === undefined ? { aheadSeconds } : { aheadSeconds };
  expect(factsOf(recordOf({ signing })).timestamp).toBe(told);
});

test.each([
  [0, 'empty'],
  [1_024, 'up to 1 KiB'],
  [8_192, 'up to 8 KiB'],
  [8_193, 'above 8 KiB'],
])('a body of %i bytes is told as one %s', (bytes, told) => {
  expect(factsOf(recordOf({ requestBody: ' '.repeat(bytes) })).size).toBe(told);
});

test.each([
  ['application/json; charset=utf-8', '{"id":', 'no JSON'],
  ['application/json', '', 'no JSON'],
  ['application/json', '{"id":"1"}', undefined],
  ['application/xml', '<a', undefined],
  ['application/json', `"${'x'.repeat(9_000)}`, undefined],
])('of a body of %s it is told that it is none, where all of it is known: %#', (type, requestBody, content) => {
  const record = recordOf({ method: 'POST', requestHeaders: { 'content-type': type }, requestBody });
  expect(factsOf(record).content).toBe(content);
});
