import { expect, test } from 'vitest';
import { findCertificate, uploadsIn } from './companies.ts';
import { mostUploads } from './search.ts';
import { fakeSearch, profileOf } from './testing/searches.ts';

const pfx = (mark: number): Buffer => Buffer.from([0x30, mark]);
const form = { file: 'pkcs12', fields: { pin: '31415', alias: 'loja' } };
const mine = profileOf({ 'certificado.json': form, 'certificado.pfx': pfx(1) });
const other = profileOf({ 'certificado.json': { file: 'cert', fields: { key: '2' } }, 'certificado.pfx': pfx(2) });
const bare = profileOf({ 'certificado.pfx': pfx(3) });

test('a certificate goes up first as its own folder says, that of the folder of the company before the others', () => {
  const [first, second] = uploadsIn([mine, other], 'certificado.pfx', other.folder);
  expect([first?.pfx.bytes, second?.pfx.bytes]).toEqual([pfx(2), pfx(1)]);
  expect([first?.form.form.file, second?.form.form]).toEqual(['cert', form]);
});

test('it is then tried under the usual names of the part and of the password, its other fields as they are', () => {
  const forms = uploadsIn([mine], 'certificado.pfx').map((upload) => upload.form.form);
  for (const part of ['arquivo', 'file', 'certificado', 'certificate']) {
    for (const name of ['senha', 'password']) {
      expect(forms).toContainEqual({ file: part, fields: { [name]: '31415', alias: 'loja' } });
    }
  }
  expect(forms.every(({ fields }) => Object.values(fields).includes('31415'))).toBe(true);
});

test('one whose folder does not say how is tried as the others say', () => {
  const uploads = uploadsIn([bare, mine], 'certificado.pfx');
  expect(uploads.find((upload) => upload.pfx.bytes.equals(pfx(3)))?.form.form).toEqual(form);
});

test('no upload is tried twice', () => {
  const keys = uploadsIn([mine, other, bare], 'certificado.pfx').map(({ pfx: { bytes }, form: { form: way } }) =>
    JSON.stringify([bytes.toString('hex'), way]),
  );
  expect(new Set(keys).size).toBe(keys.length);
});

test('the first that the target takes is found, and what it refused is told', async () => {
  const { search, told } = fakeSearch([], ({ rawBody = Buffer.alloc(0) }) => {
    const text = rawBody.toString('latin1');
    const isTaken = text.includes('name="certificado"') && text.includes('name="senha"\r\n\r\n31415');
    return isTaken ? { status: 200 } : { status: 400, json: { code: 1, message: 'Falta a parte certificado' } };
  });
  const found = await findCertificate(search, 'e1', 'certificado.pfx', uploadsIn([mine], 'certificado.pfx'));
  expect(found?.form.form).toEqual({ file: 'certificado', fields: { senha: '31415', alias: 'loja' } });
  expect(JSON.parse(found?.form.bytes.toString() ?? '')).toEqual(found?.form.form);
  expect(told[0]).toMatch(/^warning certificado\.pfx: .*not taken: 400: .*Falta a parte certificado/);
  expect(told.at(-1)).toMatch(/^ok .* with the names certificado, senha: taken: 200/);
});

test('a target that takes none is asked so often and no more', async () => {
  const { search, told } = fakeSearch([], () => ({ status: 422 }));
  const uploads = uploadsIn([mine, other, bare], 'certificado.pfx');
  expect(uploads.length).toBeGreaterThan(mostUploads);
  expect(await findCertificate(search, 'e1', 'certificado.pfx', uploads)).toBeUndefined();
  expect(told).toHaveLength(mostUploads);
});
