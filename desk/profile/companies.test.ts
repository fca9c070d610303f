import { describe, expect, test } from 'vitest';
import type { Call } from '../../contract/request.ts';
import { findCompanies } from './companies.ts';
import { limits } from './search.ts';
import { fakeSearch, profileOf, type FakeAnswer } from './testing/searches.ts';

const pfx = Buffer.from([0x30, 1]);
const form = { file: 'arquivo', fields: { senha: '31415' } };

/** Folders with companies of their own, more than may be registered. */
const many = Array.from({ length: limits.companies + 2 }, (_, cnpj) =>
  profileOf({
    'empresa.json': { cnpj },
    'outra-empresa.json': { outra: cnpj },
    'certificado.json': form,
    'certificado.pfx': pfx,
    'outro-certificado.pfx': pfx,
  }),
);

/** Registers every company; which certificates are taken is for the test to say. */
function provider(takesCertificate: (count: number) => boolean) {
  const seen = { companies: 0, certificates: 0 };
  const answer = ({ path }: Call): FakeAnswer => {
    if (!path.includes('certificadoDigital')) {
      seen.companies += 1;
      return { status: 200, json: { empresaId: `e${seen.companies}` } };
    }
    seen.certificates += 1;
    return { status: takesCertificate(seen.certificates) ? 200 : 422 };
  };
  return { seen, answer };
}

describe('companies', () => {
  test('are registered until one comes with its certificate, and then a second', async () => {
    const { seen, answer } = provider(() => true);
    const { empresaId, lacking } = await findCompanies(fakeSearch(many, answer).search);
    expect({ empresaId, lacking, ...seen }).toEqual({ empresaId: 'e1', lacking: [], companies: 2, certificates: 2 });
  });

  test('without a certificate leave one registration for the second company, and no second is tried', async () => {
    const { seen, answer } = provider(() => false);
    const { empresaId, files, lacking } = await findCompanies(fakeSearch(many, answer).search);
    expect(seen.companies).toBe(limits.companies - 1);
    expect([empresaId, [...files.keys()]]).toEqual([undefined, ['empresa.json']]);
    expect(lacking.map(({ file }) => file)).toEqual([
      'certificado.pfx',
      'certificado.json',
      'outra-empresa.json',
      'outro-certificado.pfx',
    ]);
  });

  test('are so many and no more where only the first certificate is taken', async () => {
    const { seen, answer } = provider((count) => count === 1);
    const { search } = fakeSearch(many, answer);
    const { files } = await findCompanies(search);
    expect([seen.companies, search.spent.companies]).toEqual([limits.companies, limits.companies]);
    expect(files.has('outro-certificado.pfx')).toBe(false);
  });
});
