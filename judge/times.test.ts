import { describe, expect, test } from 'vitest';
import type { TraceRecord } from '../trace/records.ts';
import { authorised, callbackOf, eventOf, eventWith, valid, recordOf } from './testing/records.ts';
import { brokenByHistory } from './testing/story.ts';

const nowSeconds = Date.parse('2026-09-10T12:00:00Z') / 1000;
const caller = { name: 'app-1', standing: {} };
const clause = 'webhook-delivery.true-times';

const issuance = (more = ''): TraceRecord =>
  recordOf({ target: '/openapi/v2/empresas/c-1/nf-e', requestBody: `{"id":"pedido-1"${more}}`, caller, nowSeconds });

const verification = (header = 'true'): TraceRecord =>
  recordOf({
    target: '/openapi/v3/consultas/nf-e/xml',
    requestHeaders: { 'content-type': 'application/xml', forcerevalidate: header },
    requestBody: `<infNFe Id="NFe${valid.chaveAcesso}"/>`,
    caller,
    nowSeconds,
  });

const came = (channel: 'issuance' | 'verification', afterSeconds = 0) => ({
  address: { name: 'a', channel, caller: 'app-1' },
  arrivedAtMs: 10 + afterSeconds * 1000,
  nowSeconds: nowSeconds + afterSeconds,
});

/** The verdict on an invoice that was issued here, and called back. */
const toldOfOwn = (dataAutorizacao: string | null): readonly TraceRecord[] => [
  issuance(),
  { ...callbackOf({ ...authorised, nfeChaveAcesso: valid.chaveAcesso }, timestamp(nowSeconds)), ...came('issuance') },
  { ...eventOf(eventWith({ ...valid, dataAutorizacao }), timestamp(nowSeconds)), ...came('verification') },
];

const timestamp = (seconds: number) => ({ 'x-service-timestamp': String(seconds) });

const called = (nfeDataEmissao: string, stated = nowSeconds): TraceRecord => ({
  ...callbackOf({ ...authorised, nfeDataEmissao }, timestamp(stated)),
  ...came('issuance'),
});

const told = (verifiedAt: string, afterSeconds = 0): TraceRecord => ({
  ...eventOf(eventWith({ ...valid, verifiedAt }), timestamp(nowSeconds + afterSeconds)),
  ...came('verification', afterSeconds),
});

describe('times by a clock that runs on', () => {
  test.each<[string, readonly TraceRecord[]]>([
    ['an issuance in local time', [issuance(), called('2026-09-10T09:00:00Z')]],
    ['an issuance of eight hours ago', [issuance(), called('2026-09-10T04:00:00Z')]],
    [
      'an issuance to a telephone of São Paulo, in local time',
      [issuance(',"telefone":"1133334444","cep":"20040002"'), called('2026-09-10T09:00:00Z')],
    ],
    ['an issuance in the future', [issuance(), called('2026-09-10T15:00:00Z')]],
    ['a timestamp in local time', [issuance(), called('2026-09-10T12:00:00Z', nowSeconds - 10_800)]],
    ['a verification in local time', [verification(), told('2026-09-10T09:00:00Z')]],
    ['an authorisation in local time', toldOfOwn('2026-09-10T09:00:00Z')],
    ['an authorisation in the future', toldOfOwn('2026-09-10T15:00:00Z')],
    ['a verification in 1970', [verification(), told('1970-01-01T00:00:00Z')]],
  ])('%s is none', (_, records) => {
    expect(brokenByHistory(records)).toContain(clause);
  });

  test.each<[string, readonly TraceRecord[]]>([
    ['a minute off', [issuance(), called('2026-09-10T11:59:10Z')]],
    ['that the body asked for', [issuance(',"data":"2026-09-10"'), called('2026-09-10T09:00:00Z')]],
    [
      'that the body asked for as Brazilians write it',
      [issuance(',"data":"10/09/2026"'), called('2026-09-10T09:00:00Z')],
    ],
    ['that the body asked for in seconds', [issuance(',"data":1789030800'), called('2026-09-10T09:00:00Z')]],
    ['of nothing that was asked for', [called('2026-09-10T09:00:00Z')]],
    ['that may be repeated', [verification('false'), told('2026-09-10T09:00:00Z')]],
    ['of a retry of before', [verification(), told('2026-09-10T11:30:00Z')]],
    ['by the clock of the tax authority', toldOfOwn('2026-09-10T11:51:00Z')],
    ['that is not there', toldOfOwn(null)],
    ['of the record of another', [issuance(), ...toldOfOwn('2019-01-01T00:00:00Z').slice(2)]],
    ['that came late', [verification(), told('2026-09-10T12:00:00Z', 1800)]],
  ])('one %s is accused of nothing', (_, records) => {
    expect(brokenByHistory(records)).not.toContain(clause);
  });
});
