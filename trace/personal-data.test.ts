import { describe, expect, test } from 'vitest';
import { withoutLinkTokens } from './personal-data.ts';

describe('the token of a live link is replaced by a name', () => {
  test.each([
    [
      'a link token in a query',
      '{"linkDanfe":"https://h/d/1?token=abc&x=1"}',
      '{"linkDanfe":"https://h/d/1?token=$linkToken&x=$linkToken"}',
    ],
    ['a link token in a path', 'https://h/xml/9f8e7d6c5b4a39281706', 'https://h/xml/$linkToken'],
    ['a link token for a query', 'https://h/xml?9f8e7d6c5b4a39281706', 'https://h/xml?$linkToken'],
    [
      'a link token in a path as some servers write JSON',
      String.raw`{"link":"https:\/\/h\/xml\/9f8e7d6c5b4a39281706"}`,
      String.raw`{"link":"https:\/\/h\/xml\/$linkToken"}`,
    ],
    [
      'link tokens in a query as others write it',
      String.raw`{"link":"HTTPS://h/d?id=1\u0026token=abc","a":"\u0022https://h/d?t=abc\u0022, 1"}`,
      String.raw`{"link":"HTTPS://h/d?id=$linkToken\u0026token=$linkToken","a":"\u0022https://h/d?t=$linkToken\u0022, 1"}`,
    ],
  ])('%s', (_, text, masked) => {
    expect(withoutLinkTokens(text)).toBe(masked);
  });
});

test.each([
  '{"success":false,"errorType":1,"code":10009003,"message":"A assinatura não confere"}',
  '{"chave":"35260100000000000000550010000000011000000013"}',
  '{"appKey":"app-1","appName":"Minha loja","serverTime":"2026-09-04T12:00:00.000Z"}',
  'um número de onze algarismos que não é CPF: 12345678901',
  '<Transform Algorithm="http://www.w3.org/TR/2001/REC-xml-c14n-20010315"/>',
  '<SignatureMethod Algorithm="http://www.w3.org/2000/09/xmldsig#rsa-sha1"/>',
  '<SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"/>',
  '<NFe xmlns="http://www.portalfiscal.inf.br/nfe">',
  String.raw`{"xml":"<T Algorithm=\"http://www.w3.org/2000/09/xmldsig#rsa-sha1\"/>"}`,
])('what is no link stays: %s', (text) => {
  expect(withoutLinkTokens(text)).toBe(text);
});

const token = '9f8e7d6c5b4a39281706';
test.each([
  `http://www.w3.org/2000/09/?link=https://h/xml/${token}`,
  `http://www.w3.org/2000/09/,https://h/xml/${token}`,
  `http://www.w3.org/2000/09/&quot;/xml/${token}`,
  `http://www.w3.org@h/xml/${token}`,
  `http://www.w3.org:80@h/xml/${token}`,
  `http://www.w3.org.h/xml/${token}`,
  `http://h/http://www.w3.org/${token}`,
  String.raw`http:\/\/h\/www.w3.org\/${token}`,
])('a token in what only looks like a name of XML is hidden: %s', (text) => {
  expect(withoutLinkTokens(text)).not.toContain(token);
});
