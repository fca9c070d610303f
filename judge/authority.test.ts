import { expect, describe, test } from 'vitest';
import type { DeliveryRecord, ExchangeRecord, TraceRecord } from '../trace/records.ts';
import { eventOf, eventWith, unreached, valid, recordOf, steeringOf } from './testing/records.ts';
import { brokenByHistory, keptByHistory } from './testing/story.ts';

const chave = valid.chaveAcesso;
const address = { name: 'a', channel: 'verification', caller: 'app-1', target: '/hook' } as const;

function verify(
  sentAtMs: number,
  headers: Readonly<Record<string, string>> = { forcerevalidate: 'true' },
): ExchangeRecord {
  return {
    ...recordOf({
      target: '/openapi/v3/consultas/nf-e/xml',
      requestHeaders: { 'content-type': 'application/xml', ...headers },
      body: { validation: { validationStatus: 'VALIDATED' } },
      caller: { name: 'app-1', standing: {} },
      sentAtMs,
    }),
    ids: { chave },
  };
}

function put(atMs: number, status: string): TraceRecord {
  return { ...steeringOf(atMs, `PUT /authority/invoices/${chave}`, { status }), ids: { chave } };
}

function event(arrivedAtMs: number, id: string, data: object = valid): DeliveryRecord {
  return { ...eventOf(eventWith(data), { 'x-service-event-id': id }), address, arrivedAtMs };
}

const own = ['nfe-verification.force-revalidate'];
const cancelled = { ...valid, status: 'Cancelada' };
const sound = [verify(10), event(20, 'e-1')];

test('what the authority has on record by then is told', () => {
  expect(keptByHistory([...sound, put(30, 'Cancelada'), verify(40), event(50, 'e-2', cancelled)], own)).toEqual([
    'nfe-verification.force-revalidate',
  ]);
});

test('what it had before is not', () => {
  expect(brokenByHistory([...sound, put(30, 'Cancelada'), verify(40), event(50, 'e-2')], own)).toEqual([
    'nfe-verification.force-revalidate',
  ]);
});

describe('what a right server may tell is accused of nothing', () => {
  test.each<[string, readonly TraceRecord[]]>([
    ['an event once more', [...sound, put(30, 'Cancelada'), verify(40), event(50, 'e-1')]],
    ['an event that is late', [...sound, verify(25), put(30, 'Cancelada'), verify(40), event(50, 'e-2')]],
    ['not asked anew', [...sound, put(30, 'Cancelada'), verify(40, {}), event(50, 'e-2')]],
    ['put in meanwhile', [...sound, put(40, 'Cancelada'), verify(40), event(50, 'e-2')]],
    ['out of reach', [...sound, put(30, 'Cancelada'), verify(40), event(50, 'e-2', unreached)]],
    ['a document that may be unsound', [put(30, 'Cancelada'), verify(40), event(50, 'e-2')]],
  ])('%s', (_, records) => {
    expect(brokenByHistory(records, own)).toEqual([]);
  });
});

describe('the reason of a verdict that is told again', () => {
  const stable = ['verdict-event.reason-stable'];
  const rejected = { ...valid, validationStatus: 'REJECTED', reason: 'The signature does not match (case 17).' };
  const other = { ...rejected, reason: 'Bad signature.' };
  const first = [verify(10), event(20, 'e-1', rejected), verify(30)];

  test('is the same, but for its digits', () => {
    const again = { ...rejected, reason: rejected.reason.replace('17', '4711') };
    expect(keptByHistory([...first, event(40, 'e-2', again)], stable)).toEqual(stable);
    expect(brokenByHistory([...first, event(40, 'e-2', other)], stable)).toEqual(stable);
  });

  test('is compared whatever fields of its own a service adds, in any order', () => {
    const traced = (verdict: object, trace: string) => ({ trace, ...verdict });
    const records = [
      verify(10),
      event(20, 'e-1', traced(rejected, 'a')),
      verify(30),
      event(40, 'e-2', traced(other, 'b')),
    ];
    expect(brokenByHistory(records, stable)).toEqual(stable);
  });

  test('is compared whatever fields of its own stand in the protocolo, and in which order', () => {
    const protocolo = { numero: '135260000001729', digestValue: 'PGUApdUE0XmpQqCOGrQApubpx04=' };
    const { numero, digestValue } = protocolo;
    const before = { ...rejected, protocolo: { ...protocolo, consulta: 'a' } };
    const records = (reason: string, asked: object) => [
      verify(10),
      event(20, 'e-1', before),
      verify(30),
      event(40, 'e-2', { ...rejected, reason, protocolo: asked }),
    ];
    const again = { consulta: 'b', digestValue, numero };
    expect(keptByHistory(records(rejected.reason, again), stable)).toEqual(stable);
    expect(brokenByHistory(records(other.reason, again), stable)).toEqual(stable);
    expect(brokenByHistory(records(other.reason, { ...again, numero: '135260000001730' }), stable)).toEqual([]);
  });

  test('is compared in whichever order the fields of eventos come', () => {
    const eventos = [{ tpEvento: '110110', nProt: '1' }];
    const told = [verify(10), event(20, 'e-1', { ...rejected, eventos }), verify(30)];
    const again = { ...other, eventos: [{ nProt: '1', tpEvento: '110110' }] };
    expect(brokenByHistory([...told, event(40, 'e-2', again)], stable)).toEqual(stable);
  });

  test('is seen to be the same behind an event that nobody is known to have asked for', () => {
    const stray = event(5, 'e-0', rejected);
    expect(keptByHistory([stray, ...first, event(40, 'e-2', rejected)], stable)).toEqual(stable);
    expect(brokenByHistory([event(5, 'e-0', other), ...first.slice(0, 2)], stable)).toEqual([]);
  });

  test('is compared with no reason that is hidden', () => {
    const hidden = (mark: string) => ({ ...rejected, reason: `Rejected by … 14 letters ${mark}` });
    const told = [verify(10), event(20, 'e-1', hidden('~a1b2')), verify(30), event(40, 'e-2', hidden('~zz99'))];
    expect(brokenByHistory(told, stable)).toEqual([]);
  });

  const otherDocument = { ...verify(30), requestBody: Buffer.from('<another/>') };
  test.each<[string, readonly TraceRecord[]]>([
    ['verdict', [...first, event(40, 'e-2', { ...other, cStat: '999' })]],
    ['document', [...first.slice(0, 2), otherDocument, event(40, 'e-2', other)]],
    ['document, whose answer is overtaken', [...first.slice(0, 2), event(25, 'e-2', other), otherDocument]],
  ])('may be another one of another %s', (_, records) => {
    expect(brokenByHistory(records, stable)).toEqual([]);
  });
});
