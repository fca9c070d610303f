import { describe, expect, test } from 'vitest';
import type { NfeOutcome } from '../../contract/values.ts';
import { jsonObjectIn, type JsonObject } from '../../targets/profile.ts';
import { findIssuances } from './issuances.ts';
import { limits } from './search.ts';
import { fakeSearch, profileOf, type FakeAnswer } from './testing/searches.ts';

const invoice = { cliente: { nome: 'x' }, itens: [{ sku: 'a' }], total: 1 };

/** Takes what is issued if it has items, and has all of it end so; which bodies it was sent. */
function authority(ends: () => string, takesAll = false) {
  const sent: JsonObject[] = [];
  const answer = ({ method, rawBody = Buffer.alloc(0) }: { method: string; rawBody?: Buffer }): FakeAnswer => {
    if (method === 'GET') return { status: 200, json: { status: ends() } };
    const body = jsonObjectIn({ path: 'body', takes: 'an object' }, rawBody);
    sent.push(body);
    return takesAll || 'itens' in body ? { status: 200 } : { status: 400, json: [{ codigo: 1, mensagem: 'itens' }] };
  };
  return { sent, answer };
}

const profile = profileOf({ 'nf-e.autorizada.json': invoice });

describe('issuances', () => {
  test('are sent for Homologacao, whatever a body says', async () => {
    const { sent, answer } = authority(() => 'Autorizada');
    const asked = profileOf({ 'nf-e.autorizada.json': { ...invoice, ambienteEmissao: 'Producao' } });
    await findIssuances(fakeSearch([asked], answer).search, 'e1');
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.map(({ ambienteEmissao }) => ambienteEmissao)).toEqual(sent.map(() => 'Homologacao'));
  });

  test('that are refused are made of the authorised one by leaving something out', async () => {
    const { answer } = authority(() => 'Autorizada');
    const { search, told } = fakeSearch([profile], answer);
    const { files, lacking } = await findIssuances(search, 'e1');
    const { itens: _, ...rest } = invoice;
    expect(JSON.parse(files.get('nf-e.invalida.json')?.toString() ?? '')).toEqual(rest);
    expect(told.at(-1)).toMatch(/^ok nf-e\.invalida\.json: .* without itens: not taken: 400/);
    expect(lacking.map(({ file }) => file)).toEqual(['nf-e.negada.json']);
  });

  test('that end otherwise are issued once more where a control API decides how they end', async () => {
    let outcome: NfeOutcome = 'Autorizada';
    const { answer } = authority(() => outcome);
    const { search } = fakeSearch([profile], answer, (wanted) => void (outcome = wanted));
    const { files, lacking } = await findIssuances(search, 'e1');
    expect(JSON.parse(files.get('nf-e.negada.json')?.toString() ?? '')).toEqual(invoice);
    expect(lacking).toEqual([]);
  });

  test('that never settle are waited for once', async () => {
    const { sent, answer } = authority(() => 'AguardandoAutorizacao');
    const more = profileOf({
      'nf-e.autorizada.json': { ...invoice, total: 2 },
      'nf-e.negada.json': { ...invoice, total: 3 },
    });
    const { files, found, lacking } = await findIssuances(fakeSearch([profile, more], answer).search, 'e1');
    expect(sent.filter((body) => 'itens' in body)).toHaveLength(1);
    expect(files.has('nf-e.autorizada.json')).toBe(true);
    expect(found[0]?.needs).toEqual(['accepted-issuance']);
    expect(lacking.map(({ file }) => file)).toEqual(['nf-e.autorizada.json', 'nf-e.negada.json']);
  });

  test('are so many and no more, at a target that takes everything', async () => {
    const { sent, answer } = authority(() => 'Cancelada', true);
    const many = Array.from({ length: 2 * limits.invoices }, (_, total) =>
      profileOf({ 'nf-e.autorizada.json': { ...invoice, total } }),
    );
    const { search } = fakeSearch(many, answer);
    await findIssuances(search, 'e1');
    expect(sent).toHaveLength(limits.invoices);
    expect(search.spent.invoices).toBe(limits.invoices);
  });
});
