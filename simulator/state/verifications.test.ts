import { expect, test } from 'vitest';
import type { Asked, Verdict } from '../model/verification.ts';
import { openDatabase } from './database.ts';
import { openState } from './state.ts';

const chave = '35261099999991000125550010000010011172904576';
const asked: Asked = { appKey: 'A', integratorId: 'I', documentHash: 'h', findings: { chave } };
const verdict: Verdict = {
  chaveAcesso: chave,
  validationStatus: 'VALIDATED',
  status: 'Autorizada',
  cStat: '100',
  xMotivo: null,
  protocolo: null,
  dataAutorizacao: null,
  eventos: [],
  verifiedAt: '2031-05-17T09:30:00.000Z',
};

function opened() {
  const database = openDatabase(undefined);
  const { verifications } = openState(database);
  const count = (): unknown => database.prepare('SELECT COUNT(*) AS n FROM verifications').get()?.['n'];
  return { verifications, count };
}

test('what settled is forgotten once a later one of the same chave settles, and never what waits', () => {
  const { verifications, count } = opened();
  for (const dueMs of [10, 20, 30]) verifications.add(asked, dueMs);
  verifications.add({ ...asked, integratorId: 'J' }, 40);
  for (const due of verifications.due('A', 20)) verifications.settle(due, verdict);
  expect(count()).toBe(2);
  expect(verifications.nextDueMs('A', 20)).toBe(30);
  expect(verifications.due('A', 100).map(({ integratorId }) => integratorId)).toEqual(['I', 'J']);
});

test('the latest is the one that was asked for last, whenever it is due', () => {
  const { verifications } = opened();
  verifications.add({ ...asked, documentHash: 'first' }, 30);
  verifications.add({ ...asked, documentHash: 'second' }, 10);
  const [due] = verifications.due('A', 10);
  if (due) verifications.settle(due, verdict);
  expect(verifications.latest('I', chave)).toMatchObject({ documentHash: 'second', verdict });
  expect(verifications.due('A', 30)).toMatchObject([{ documentHash: 'first' }]);
});

test('one that waits is due at its time, and not after it settled', () => {
  const { verifications } = opened();
  verifications.add(asked, 10);
  expect(verifications.due('A', 9)).toEqual([]);
  expect(verifications.due('B', 10)).toEqual([]);
  const [due] = verifications.due('A', 10);
  expect(due).toMatchObject({ findings: { chave } });
  if (due) verifications.settle(due, verdict);
  expect(verifications.due('A', 10)).toEqual([]);
  expect(verifications.nextDueMs('A', 0)).toBeUndefined();
  expect(verifications.latest('I', chave)).toMatchObject({ verdict });
});

test('a verdict is forgotten for all accounts, what was found is not', () => {
  const { verifications } = opened();
  for (const integratorId of ['I', 'J']) verifications.add({ ...asked, integratorId, verdict }, 10);
  verifications.forgetVerdicts(chave);
  for (const integratorId of ['I', 'J']) {
    expect(verifications.latest(integratorId, chave)).toMatchObject({ findings: { chave }, verdict: undefined });
  }
});
