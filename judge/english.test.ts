import { expect, test } from 'vitest';
import { isForeign } from './english.ts';

test.each([
  'The invoice was cancelled.',
  'Signature mismatch',
  'REJECTED',
  'Rejected: 302 Uso Denegado: Irregularidade fiscal do destinatário',
  'Invalid naïve digest',
  'E17',
  'NF-e signature mismatch',
  'The authority said: Rejeição: NF-e não consta na base de dados da SEFAZ',
])('%s may be English', (text) => {
  expect(isForeign(text)).toBe(false);
});

test.each([
  'A nota foi cancelada.',
  'Assinatura inválida',
  'Rejeição',
  'Rejeição: NF-e não consta na base de dados da SEFAZ',
  'Serviço fora do ar',
  'La firma del documento no coincide',
  '签名不匹配',
])('%s is no English', (text) => {
  expect(isForeign(text)).toBe(true);
});
