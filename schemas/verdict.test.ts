import { describe, expect, test } from 'vitest';
import { faultsOfVerdict, faultsOfVerdictEvent } from './faults-of.ts';
import { nullableVerdictFields, type Verdict, type VerdictEvent } from './verdict.ts';

const validated: Verdict = {
  chaveAcesso: '35200114200166000187550010000000071123456789',
  validationStatus: 'VALIDATED',
  status: 'Autorizada',
  cStat: '100',
  xMotivo: 'Autorizado o uso da NF-e',
  protocolo: { numero: '135200000000007', digestValue: 'x=' },
  dataAutorizacao: '2026-09-04T12:00:00Z',
  eventos: [],
  verifiedAt: '2026-09-04T12:00:00.123Z',
};

const rejected: Verdict = { ...validated, validationStatus: 'REJECTED', reason: 'The signature does not match' };

const event: VerdictEvent = {
  version: '1.0',
  event_id: 'a1',
  event_type: 'invoice.verify.completed',
  occurred_at: '2026-09-04T12:00:00+00:00',
  data: validated,
};

/** The verdict with that field changed, or without it where the value is undefined. */
function changed(verdict: object, field: string, value: unknown): object {
  const fields = Object.entries({ ...verdict, [field]: value });
  return Object.fromEntries(fields.filter(([, content]) => content !== undefined));
}

describe('a verdict', () => {
  test.each<[string, object]>([
    ['VALIDATED', validated],
    ['REJECTED', rejected],
    ['VALIDATION_ERROR', { ...rejected, validationStatus: 'VALIDATION_ERROR', status: 'Desconhecida' }],
    ['of an invoice with events', { ...validated, status: 'Cancelada', eventos: [{ tpEvento: '110111' }, 'x'] }],
    ['with a field that a later edition adds', { ...validated, ambiente: 'Homologacao' }],
  ])('can be %s', (_what, verdict) => {
    expect(faultsOfVerdict(verdict)).toEqual([]);
  });

  test.each(['Autorizada', 'Cancelada', 'Denegada', 'Inutilizada', 'NaoEncontrada', 'Desconhecida'])(
    'can have the fiscal status %s',
    (status) => {
      expect(faultsOfVerdict({ ...validated, status })).toEqual([]);
    },
  );

  test.each(['chaveAcesso', 'validationStatus', 'status', 'eventos', 'verifiedAt'])('always has %s', (field) => {
    expect(faultsOfVerdict(changed(validated, field, undefined))).toEqual([`/${field} is missing`]);
    expect(faultsOfVerdict(changed(validated, field, null))).toHaveLength(1);
  });

  test.each(nullableVerdictFields)('can have null as %s, or lack it', (field) => {
    expect(faultsOfVerdict(changed(validated, field, null))).toEqual([]);
    expect(faultsOfVerdict(changed(validated, field, undefined))).toEqual([]);
  });

  test.each<[string, unknown]>([
    ['chaveAcesso', 'x'],
    ['validationStatus', 'validated'],
    ['validationStatus', 'PENDING'],
    ['status', 'AUTORIZADA'],
    ['status', 'Negada'],
    ['cStat', 100],
    ['xMotivo', {}],
    ['protocolo', '135200000000007'],
    ['protocolo', { digestValue: 'x=' }],
    ['protocolo', { numero: '1' }],
    ['protocolo', { numero: 1, digestValue: 'x=' }],
    ['dataAutorizacao', '2026-09-04T12:00:00-03:00'],
    ['dataAutorizacao', ''],
    ['eventos', {}],
    ['verifiedAt', '2026-09-04'],
    ['verifiedAt', 1788525296],
  ])('never has in %s %j', (field, value) => {
    const faults = faultsOfVerdict(changed(validated, field, value));
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(`/${field}`);
  });

  test('gives a reason unless it is VALIDATED', () => {
    expect(faultsOfVerdict({ ...validated, reason: 'x' })).toEqual(['/reason is not expected there']);
    for (const validationStatus of ['REJECTED', 'VALIDATION_ERROR']) {
      const verdict = { ...rejected, validationStatus };
      expect(faultsOfVerdict(changed(verdict, 'reason', undefined))).toEqual(['/reason is missing']);
      expect(faultsOfVerdict({ ...verdict, reason: ' ' })).toHaveLength(1);
      expect(faultsOfVerdict({ ...verdict, reason: null })).toHaveLength(1);
    }
  });
});

describe('a verdict event', () => {
  test('brings a verdict in its data', () => {
    expect(faultsOfVerdictEvent(event)).toEqual([]);
    expect(faultsOfVerdictEvent({ ...event, data: rejected })).toEqual([]);
    expect(faultsOfVerdictEvent({ ...event, data: changed(validated, 'status', 'x') })[0]).toContain(
      '/data/status is "x"',
    );
    expect(faultsOfVerdictEvent({ ...event, data: changed(validated, 'status', undefined) })).toEqual([
      '/data/status is missing',
    ]);
  });

  test.each(['version', 'event_id', 'event_type', 'occurred_at', 'data'])('always has %s', (field) => {
    expect(faultsOfVerdictEvent(changed(event, field, undefined))).toEqual([`/${field} is missing`]);
  });

  test.each<[string, unknown]>([
    ['version', '1'],
    ['version', 1],
    ['event_id', ''],
    ['event_type', 'webhook.verify'],
    ['occurred_at', '2026-09-04T12:00:00'],
    ['data', null],
    ['data', [validated]],
  ])('never has in %s %j', (field, value) => {
    const faults = faultsOfVerdictEvent(changed(event, field, value));
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(`/${field} is`);
  });

  test('has no description anywhere', () => {
    const data = { ...validated, statusDescription: 'Autorizada', eventos: [{ tipoDescription: 'x' }] };
    expect(faultsOfVerdictEvent({ ...event, data })).toEqual([
      '/data/eventos/0/tipoDescription is not expected there',
      '/data/statusDescription is not expected there',
    ]);
  });
});
