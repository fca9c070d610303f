import { describe, expect, test } from 'vitest';
import { differences, fieldsOfRecord } from './authority.ts';

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
});
