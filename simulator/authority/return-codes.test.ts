import { expect, test } from 'vitest';
import { isDenial, returnText } from './return-codes.ts';

test.each([
  ['100', 'Autorizado o uso da NF-e'],
  ['101', 'Cancelamento de NF-e homologado'],
  ['110', 'Uso Denegado'],
  ['135', 'Evento registrado e vinculado a NF-e'],
  ['213', 'Rejeição: CNPJ-Base do Emitente difere do CNPJ-Base do Certificado Digital'],
  ['302', 'Rejeição: Irregularidade fiscal do destinatário'],
  ['573', 'Rejeição: Duplicidade de Evento'],
  ['580', 'Rejeição: O evento exige uma NF-e autorizada'],
  ['999', 'Rejeição: Erro não catalogado'],
  ['1024', 'Rejeição: Classificação Tributária do IBS e da CBS incompatível com o CST informado'],
  ['1115', 'Rejeição: IBS/CBS não informado'],
])('the text of %s is %j', (cStat, text) => {
  expect(returnText(cStat)).toBe(text);
});

test.each(['', '000', '1', '0100', '100 ', 'toString', '1000'])('%j has no text and denies nothing', (cStat) => {
  expect(returnText(cStat)).toBeUndefined();
  expect(isDenial(cStat)).toBe(false);
});

test('every text fits the layout: Latin-1, 255 characters, no outer space', () => {
  const all = Array.from({ length: 10_000 }, (_, at) => returnText(String(at))).filter((text) => text !== undefined);
  expect(all.length).toBeGreaterThan(300);
  for (const text of all) expect(text).toMatch(/^[!-ÿ][ -ÿ]{0,253}[!-ÿ]$/);
});

test('rejections and denials deny; success and a paused service do not', () => {
  expect(['110', '202', '302', '999', '1115'].filter(isDenial)).toEqual(['110', '202', '302', '999', '1115']);
  expect(['100', '101', '108', '135', '150', '155'].filter(isDenial)).toEqual([]);
});
