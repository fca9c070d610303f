import { describe, expect, test } from 'vitest';
import { cachedAnswer, type ExchangeRecord, type LinkRecord, type TraceRecord } from '../trace/records.ts';
import { openJudge } from './judge.ts';
import { callbackOf, authorised, linkOf, nfeOf, recordOf, steeringOf } from './testing/records.ts';
import { brokenByHistory, keptByHistory } from './testing/story.ts';

const start = Date.parse('2026-09-10T12:00:00Z') / 1000;
const [first, second] = ['3'.repeat(44), '4'.repeat(44)];
const address = { name: 'a', channel: 'issuance', caller: 'app-1', target: '/hook' } as const;
const called = { ...callbackOf(authorised), address, arrivedAtMs: 10 };
const ofAnHourAgo = { ...called, headers: new Map([...called.headers, ['x-service-timestamp', String(start - 3600)]]) };

function found(sentAtMs: number, nfeId = 'n1', token = '1', nowSeconds = start): ExchangeRecord {
  const body = { status: 'Autorizada', linkDanfe: `https://x/danfe?${token}`, linkXml: `https://x/xml?${token}` };
  const target = `/openapi/v2/empresas/e1/nf-e/${nfeId}`;
  const caller = { name: 'app-1', standing: {} };
  return recordOf({ method: 'GET', target, body, caller, nowSeconds, sentAtMs });
}

const foundAgain = (count: number): TraceRecord => found(30, 'n1', '1', start + count * 60);

const ofCache = new Map([['x-cache', 'HIT from edge']]);
const minutes = (count: number): number => count * 60_000;
const xml = (ms: number, status: number, text?: string): LinkRecord => linkOf(ms, '/xml?1', status, text);
const issued = (ambienteEmissao: string): ExchangeRecord =>
  recordOf({
    method: 'POST',
    target: '/openapi/v2/empresas/e1/nf-e',
    requestHeaders: { 'content-type': 'application/json' },
    requestBody: JSON.stringify({ id: 'n1', ambienteEmissao }),
    status: 200,
    caller: { name: 'app-1', standing: {} },
    sentAtMs: 5,
  });
const withAmbiente = (tpAmb: string): string => `${nfeOf(first)}<tpAmb>${tpAmb}</tpAmb>`;
const made = steeringOf(0, 'POST /applications', { clock: '2026-09-10T12:00:00Z' });
const advance = (ms: number, count: number): TraceRecord =>
  steeringOf(ms, 'POST /applications/app-1/clock', { advanceSeconds: count * 60 });
const cancelled = recordOf({
  method: 'DELETE',
  target: '/openapi/v2/empresas/e1/nf-e/n1',
  caller: { name: 'app-1', standing: {} },
  sentAtMs: 20,
});

const hourAgo = '2026-09-10T11:00:00Z';
const authorisedLate = callbackOf({
  ...authorised,
  nfeDataEmissao: hourAgo,
  nfeDataAutorizacao: '2026-09-10T09:00:00-03:00',
});

test.each<[string, readonly TraceRecord[]]>([
  ['gave it', [{ ...found(10), headers: ofCache }, xml(20, 404)]],
  ['answers for it', [found(10), { ...xml(minutes(12), 200), headers: ofCache }]],
])('a link that lives otherwise than for ten minutes is told to be for the cache that %s', (_what, records) => {
  const judge = openJudge();
  const broken = records.flatMap((record) => judge.see(record, [])).flatMap((seen) => seen.broken ?? []);
  expect(broken.map(({ hint }) => hint)).toEqual([cachedAnswer]);
});

test('of a link that served its document a moment before it is told that it was followed again', () => {
  const actual = (...records: readonly TraceRecord[]): unknown => {
    const judge = openJudge();
    return records.flatMap((record) => judge.see(record)).flatMap(({ broken }) => broken?.actual ?? []);
  };
  const served = xml(20, 200, nfeOf(first));
  expect(actual(found(10), served, xml(30, 404))).toEqual(['404, when it was followed again']);
  expect(actual(found(10), served, xml(minutes(9), 404))).toEqual(['404']);
});

describe('a link that lives otherwise than for ten minutes breaks one clause', () => {
  test.each<[string, readonly TraceRecord[]]>([
    ['nfe-query.xml-link-alive', [found(10), xml(20, 404)]],
    ['nfe-query.xml-link-alive', [found(10), xml(20, 200, '')]],
    ['nfe-query.xml-link-alive', [found(10), xml(20, 200, '{}')]],
    ['nfe-query.xml-link-alive', [found(10), xml(20, 200, '<!DOCTYPE html><title>x</title>')]],
    ['nfe-query.danfe-link-alive', [found(10), linkOf(20, '/danfe?1', 200, '{"code": 1, "message": "x"}')]],
    [
      'nfe-query.danfe-link-alive',
      [
        made,
        found(10),
        advance(20, 11),
        foundAgain(11),
        linkOf(40, '/danfe?1', 200, '[{"codigo":"1","mensagem":"x"}]'),
      ],
    ],
    ['nfe-query.xml-link-alive', [found(10), xml(minutes(9), 410)]],
    ['nfe-query.xml-link-alive', [made, found(10), advance(20, 9), xml(30, 404)]],
    ['nfe-query.danfe-link-alive', [found(10), linkOf(20, '/danfe?1', 500)]],
    ['nfe-query.xml-link-alive', [made, found(10), advance(20, 60), foundAgain(60), xml(40, 404)]],
    ['nfe-query.danfe-link-alive', [made, found(10), advance(20, 11), foundAgain(11), linkOf(40, '/danfe?1', 410)]],
    // What is given after the cancellation.
    ['nfe-query.xml-link-alive', [cancelled, found(30), xml(40, 404)]],
    ['nfe-query.xml-link-expires', [found(10), xml(minutes(12), 200)]],
    ['nfe-query.xml-link-expires', [made, found(10), advance(20, 11), xml(30, 200)]],
    ['nfe-query.danfe-link-expires', [made, found(10), advance(20, 11), linkOf(30, '/danfe?1', 200)]],
    ['issuance-callback.xml-link-alive', [made, called, linkOf(30, '/x?token=1', 404)]],
    [
      'issuance-callback.xml-link-alive',
      [made, { ...authorisedLate, address, arrivedAtMs: 10 }, linkOf(30, '/x?token=1', 404)],
    ],
    ['issuance-callback.xml-link-expires', [made, called, advance(20, 11), linkOf(30, '/x?token=1', 200)]],
    ['issuance-callback.xml-of-the-invoice', [made, called, linkOf(30, '/x?token=1', 200, nfeOf(first))]],
    ...['<nNF>8</nNF>', '<serie>2</serie>', '<n:nProt>135260000000002</n:nProt>'].map(
      (text): [string, TraceRecord[]] => [
        'issuance-callback.xml-of-the-invoice',
        [made, called, linkOf(30, '/x?token=1', 200, nfeOf(second) + text)],
      ],
    ),
    [
      'nfe-query.xml-link-serves-its-invoice',
      [found(10), found(12, 'n2', '2'), xml(20, 200, nfeOf(first)), linkOf(30, '/xml?2', 200, nfeOf(first))],
    ],
    ['nfe-query.xml-link-serves-its-invoice', [found(10), xml(20, 200, '<p>NF-e</p>')]],
    ['issuance-callback.xml-of-the-invoice', [made, called, linkOf(30, '/x?token=1', 200, '<p>NF-e</p>')]],
    ...[
      nfeOf(first).replace('ds:Signature>', 'ds:SignatureValue>'),
      nfeOf(first).replaceAll('chNFe', 'chave'),
      nfeOf(first, second),
    ].map((text): [string, TraceRecord[]] => [
      'nfe-query.xml-link-serves-its-invoice',
      [found(10), xml(20, 200, text)],
    ]),
    ['nfe-query.xml-link-serves-its-invoice', [issued('Homologacao'), found(10), xml(20, 200, withAmbiente('1'))]],
    ['nfe-query.xml-link-serves-its-invoice', [found(10), found(12, 'n2'), xml(20, 200, nfeOf(first))]],
  ])('%s: %#', (clause, records) => {
    expect(brokenByHistory(records)).toEqual([clause]);
  });
});

describe('what a right server may do with links is accused of nothing', () => {
  const late = callbackOf({ ...authorised, nfeDataEmissao: hourAgo, nfeDataAutorizacao: hourAgo });
  test.each<[string, readonly TraceRecord[]]>([
    ['given by a callback that says it is an hour old', [made, ofAnHourAgo, linkOf(30, '/x?token=1', 200)]],
    ['dead in the eleventh minute', [made, found(10), advance(20, 10), xml(30, 404)]],
    ['alive in the eleventh minute', [made, found(10), advance(20, 10), xml(30, 200)]],
    ['given again', [made, found(10), advance(20, 11), found(30), xml(40, 404), xml(50, 404)]],
    ['given again while alive', [made, found(10), advance(20, 8), foundAgain(8), advance(32, 3), xml(40, 404)]],
    ['given again and alive', [made, found(10), advance(20, 60), foundAgain(60), xml(40, 200)]],
    ['of a cancelled invoice', [found(10), cancelled, xml(30, 404)]],
    ['of an application that was changed', [found(10), steeringOf(20, 'PATCH /applications/app-1', {}), xml(30, 403)]],
    ['followed while the clock is moved', [made, found(10), advance(30, 11), xml(30, 404)]],
    ['sent elsewhere', [found(10), xml(20, 302), xml(30, 503), xml(40, 429)]],
    ['nobody gave it', [xml(20, 404)]],
    [
      'to an NF-e that is written wide',
      [found(10), xml(20, 200, nfeOf(first).replace(`Id="NFe${first}"`, ` Id  =\n  'NFe${first}'`))],
    ],
    [
      'to one whose chave goes by another name in the trace',
      [found(10), { ...xml(20, 200), ids: { ...xml(20, 200).ids, chave: 'zzFK' } }],
    ],
    [
      'to one that is written with white space in its tags, and in sections',
      [
        found(10),
        xml(20, 200, nfeOf(first).replace(`<chNFe>${first}</chNFe>`, `<n:chNFe\n><![CDATA[${first}]]></n:chNFe >`)),
      ],
    ],
    ['to one of its ambiente', [issued('Homologacao'), found(10), xml(20, 200, withAmbiente('2'))]],
    ['to one of production that was issued there', [issued('Producao'), found(10), xml(20, 200, withAmbiente('1'))]],
    ['to one that does not tell its ambiente', [issued('Homologacao'), found(10), xml(20, 200, nfeOf(first))]],
    [
      'to a document that tells the same number without zeros',
      [made, called, linkOf(30, '/x?token=1', 200, `${nfeOf(second)}<nNF>7</nNF><serie>001</serie>`)],
    ],
    ['a callback that was held back', [made, { ...late, address, arrivedAtMs: 10 }, linkOf(30, '/x?token=1', 404)]],
    [
      'the same invoice twice',
      [found(10), found(12, 'n1', '2'), xml(20, 200, nfeOf(first)), linkOf(30, '/xml?2', 200, nfeOf(first))],
    ],
  ])('%s', (_, records) => {
    expect(brokenByHistory(records)).not.toContainEqual(expect.stringContaining('link'));
  });
});

test('what was seen to hold is told', () => {
  const records = [made, called, found(12), linkOf(20, '/x?token=1', 200, nfeOf(second)), xml(25, 200)];
  const told = [
    'issuance-callback.xml-link-alive',
    'issuance-callback.xml-of-the-invoice',
    'nfe-query.xml-link-alive',
    'nfe-query.xml-link-serves-its-invoice',
    'nfe-query.xml-link-expires',
  ];
  const kept = keptByHistory([...records, advance(30, 11), xml(40, 404)]);
  expect(kept.filter((clause) => /link|xml/.test(clause))).toEqual(told);
});
