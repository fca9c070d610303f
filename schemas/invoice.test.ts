import { describe, expect, test } from 'vitest';
import { faultsOfInvoice } from './faults-of.ts';
import { invoice } from './invoice.ts';
import { validator } from './validate.ts';

const link = 'https://docs.example/danfe/1?token=t';
const otherStates = ['AguardandoAutorizacao', 'Negada', 'Cancelada'];

describe('an invoice', () => {
  test('that is authorised has a link to its DANFE', () => {
    expect(faultsOfInvoice({ status: 'Autorizada', linkDanfe: link, linkDownloadXml: link, numero: 7 })).toEqual([]);
    expect(faultsOfInvoice({ status: 'Autorizada' })).toEqual(['/linkDanfe is missing']);
    expect(faultsOfInvoice({ status: 'Autorizada', linkDanfe: null })).toHaveLength(1);
    expect(faultsOfInvoice({ status: 'Autorizada', linkDanfe: '' })).toHaveLength(1);
    expect(faultsOfInvoice({ status: 'Autorizada', linkDanfe: '/danfe/1' })).toHaveLength(1);
  });

  test.each(otherStates)('in the state %s has no link, which can be said in three ways', (status) => {
    expect([{}, { linkDanfe: null }, { linkDanfe: '' }].map((rest) => faultsOfInvoice({ status, ...rest }))).toEqual([
      [],
      [],
      [],
    ]);
    expect(faultsOfInvoice({ status, linkDanfe: link })).toEqual([
      `/linkDanfe is "${link}", but is to be one of [null,""]`,
    ]);
  });

  test.each([...otherStates, 'Autorizada'])('can be in the state %s', (status) => {
    expect(validator(invoice)({ status })).toEqual([]);
  });

  test.each(['autorizada', 'Denegada', 'Processando', '', null, 1])('can not be in the state %j', (status) => {
    expect(faultsOfInvoice({ status, linkDanfe: link })).toHaveLength(1);
  });

  test('is bare', () => {
    expect(faultsOfInvoice({ success: true, data: { status: 'Negada' } })).toEqual(['/status is missing']);
    expect(faultsOfInvoice([{ status: 'Negada' }])).toHaveLength(1);
    expect(faultsOfInvoice(undefined)).toEqual(['the body is absent, but is to be an object']);
  });
});
