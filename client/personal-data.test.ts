import { describe, expect, test } from 'vitest';
import { withoutPersonalData } from './personal-data.ts';

describe('personal data in an answer is replaced by the name of what stood there', () => {
  test.each([
    ['a name', '{"nome":"Maria da Silva"}', '{"nome":"$nome"}'],
    ['a name with quotes in it', String.raw`{"nome" : "Maria \"Mia\" Silva", "id": 1}`, '{"nome" : "$nome", "id": 1}'],
    [
      'an address',
      '{"endereco":{"logradouro":"Rua A","cep":"01001000"}}',
      '{"endereco":{"logradouro":"$logradouro","cep":"$cep"}}',
    ],
    ['a CPF as a number', '{"cpf":52998224725}', '{"cpf":"$cpf"}'],
    ['a CPF in a sentence', 'CPF 529.982.247-25 inválido, 52998224725', 'CPF $cpf inválido, $cpf'],
    ['a birth date', '{"nascimento":"01021990"}', '{"nascimento":"$nascimento"}'],
    [
      'XML',
      '<dest><xNome>MARIA</xNome><CPF>52998224725</CPF></dest>',
      '<dest><xNome>$xNome</xNome><CPF>$CPF</CPF></dest>',
    ],
    [
      'the path of a CPF lookup',
      'GET /openapi/v3/consultas/cpf/52998224725/01021990',
      'GET /openapi/v3/consultas/cpf/$cpf/$nascimento',
    ],
    [
      'a link token in a query',
      '{"linkDanfe":"https://h/d/1?token=abc&x=1"}',
      '{"linkDanfe":"https://h/d/1?token=$linkToken&x=$linkToken"}',
    ],
    ['a link token in a path', 'https://h/xml/9f8e7d6c5b4a39281706', 'https://h/xml/$linkToken'],
  ])('%s', (_, text, masked) => {
    expect(withoutPersonalData(text)).toBe(masked);
  });
});

test.each([
  '{"success":false,"errorType":1,"code":10009003,"message":"A assinatura não confere"}',
  '{"chave":"35260100000000000000550010000000011000000013"}',
  '{"appKey":"app-1","appName":"Minha loja","serverTime":"2026-09-04T12:00:00.000Z"}',
  'um número de onze algarismos que não é CPF: 12345678901',
])('what is nobody’s stays: %s', (text) => {
  expect(withoutPersonalData(text)).toBe(text);
});
