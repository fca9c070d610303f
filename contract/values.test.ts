import { expect, test } from 'vitest';
import { xmlLinkIn } from './values.ts';

const [link, other] = ['https://docs.example/a?token=b', 'http://docs.example/c'];

test.each<[string, object]>([
  ['by itself', { linkDanfe: other, urlDoXML: link }],
  ['behind the name of a namespace', { xmlns: other, xml: link }],
  ['behind a schema', { xmlSchema: other, xml: link }],
  ['behind what is called no link', { xmlConsulta: other, linkDownloadXml: link }],
  ['behind the link of an event', { linkXmlCancelamento: other, linkXml: link }],
  ['in an object of links', { linkDanfe: other, links: { self: other, xml: link } }],
  ['in an object of its own', { arquivos: { xml: { tamanho: 1, url: link } } }],
])('the link to the XML is found %s', (_, invoice) => {
  expect(xmlLinkIn(invoice)).toBe(link);
});

test.each<[unknown]>([
  [undefined],
  [{ xmlns: other, xmlSchema: other }],
  [{ linkXml: '', xml: null, linkDanfe: other, links: { linkDanfe: other } }],
  [{ itens: [{ xml: other }], linkXml: '/relative' }],
])('there is none in %j', (invoice) => {
  expect(xmlLinkIn(invoice)).toBeUndefined();
});
