import { describe, expect, test } from 'vitest';
import { member } from '../../schemas/values.ts';
import { runningSimulator } from '../testing/call.ts';

const simulator = runningSimulator();
const chave = '35210258716523000119550000000573661346317847';

describe('the authority of an application', () => {
  test.each([
    [{ issuance: { outcome: 'Talvez' } }, 'The field issuance is to be'],
    [{ reachable: 'yes' }, 'The field reachable is to be'],
    [{ other: 1 }, 'The field other is unknown'],
  ])('refuses %j', async (body, sentence) => {
    const { appKey } = await simulator.application();
    const answer = await simulator.control('PUT', `/applications/${appKey}/authority`, body);
    expect(answer.status).toBe(400);
    expect(member(answer.json, 'error')).toContain(sentence);
  });

  test('of an unknown application is 404', async () => {
    expect((await simulator.control('PUT', '/applications/none/authority', {})).status).toBe(404);
  });
});

describe('the record of an invoice', () => {
  test('is kept with the usual return texts where none are given', async () => {
    const { status, json } = await simulator.control('PUT', `/authority/invoices/${chave}`, { status: 'Denegada' });
    expect(status).toBe(200);
    expect(json).toMatchObject({ chave, status: 'Denegada', cStat: '110', xMotivo: 'Uso Denegado', eventos: [] });
  });

  test.each([
    ['a malformed chave', '123', { status: 'Autorizada' }, 'A chave is 44 digits'],
    ['a wrong check digit', `${chave.slice(0, 43)}0`, { status: 'Autorizada' }, 'A chave is 44 digits'],
    ['no status', chave, {}, 'The field status is missing'],
    ['an unknown status', chave, { status: 'Perdida' }, 'The field status is to be'],
  ])('is refused with %s', async (_, key, body, sentence) => {
    const answer = await simulator.control('PUT', `/authority/invoices/${key}`, body);
    expect(answer.status).toBe(400);
    expect(member(answer.json, 'error')).toContain(sentence);
  });
});
