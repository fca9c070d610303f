import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Ambiente } from '../../schemas/messages.ts';
import { documentOf } from '../testing/documents.ts';
import { contentOf, bodyWith, issuanceBodies, profileBody } from '../testing/invoice-bodies.ts';
import {
  danfePdf,
  type DanfeInput,
  brazilianDateTime,
  brazilianNumber,
  brazilianPrice,
  grouped,
  invoiceNumber,
  postcode,
  taxNumber,
} from './danfe.ts';
import { nfeProc } from './nfe-xml.ts';
import { drawn, renderedDanfe } from './download.ts';

interface Wish {
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly ambiente?: Ambiente;
  readonly isCancelled?: boolean;
}

function danfe({ fields = {}, ambiente = 'Homologacao', isCancelled = false }: Wish = {}): Promise<Buffer> {
  return danfePdf({ xml: nfeProc(documentOf(bodyWith(fields), { ambiente })).xml, isCancelled });
}

/** What the pages of a PDF say, a text for each page. */
function pagesOf(pdf: Buffer): string[] {
  return contentsOf(pdf).map(textOf);
}

/** The content stream of each page. */
function contentsOf(pdf: Buffer): string[] {
  const bytes = pdf.toString('latin1');
  const contents = [...bytes.matchAll(/stream\n([^]*?)\nendstream/g)].flatMap(([, stream = '']) => {
    try {
      return [inflateSync(Buffer.from(stream, 'latin1')).toString('latin1')];
    } catch {
      return [];
    }
  });
  return contents.filter((content) => content.includes(' Tf'));
}

/** The hexadecimal strings that it shows, a line for each operation. */
function textOf(content: string): string {
  const shown = [...content.matchAll(/\[([^\]]*)\] TJ/g)].map(([, parts = '']) =>
    [...parts.matchAll(/<([0-9a-f]*)>/g)].map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1')).join(''),
  );
  return shown.join('\n');
}

function itemsOf(count: number): unknown[] {
  const [item] = contentOf(profileBody('autorizada')).itens;
  return Array.from({ length: count }, (_, at) => ({ ...item, codigo: `ITEM-${at + 1}.` }));
}

test('is a PDF of one A4 page', async () => {
  const pdf = await danfe();
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
  expect(pdf.toString('latin1')).toContain('/MediaBox [0 0 595.28 841.89]');
  expect(pagesOf(pdf)).toHaveLength(1);
});

test.each([
  ['the issuer', 'EMPRESA FICTICIA LTDA'],
  ['its CNPJ', '99.999.991/0001-25'],
  ['the recipient', '99.999.999/0001-91'],
  ['the number', 'Nº 000.000.007'],
  ['the series', 'SÉRIE 1'],
  ['the sheet', 'FOLHA 1/1'],
  ['the chave in groups of four', '3531 0599 9999 9100 0125 5500 1000 0000 0710 0001 2344'],
  ['the protocol and its time', '135310000000007 - 17/05/2031 06:30:07'],
  ['the date of emission', '17/05/2031'],
  ['the items, accents and all', 'Caderno de exemplo com índice, 96 folhas'],
  ['their quantities', '2,0000'],
  ['their prices', '12,50'],
  ['the total', '59,90'],
  [
    'the additional information',
    'Documento inventado para testes, sem valor fiscal. | Fonte dos tributos aproximados: IBPT',
  ],
])('shows %s', async (_, text) => {
  const [page = ''] = pagesOf(await danfe());
  expect(page.split('\n')).toContain(text);
});

test('shows a barcode on every page', async () => {
  const contents = contentsOf(await danfe({ fields: { itens: itemsOf(60) } }));
  expect(contents).toHaveLength(2);
  for (const content of contents) expect(content).toMatch(/230 0 0 -40 335 64 cm\n\/I\d+ Do/);
});

test('shows the CPF of a person', async () => {
  const fields = { 'cliente.tipoPessoa': 'F', 'cliente.cpfCnpj': '99999999050' };
  expect(pagesOf(await danfe({ fields }))[0]).toContain('999.999.990-50');
});

describe('stamps', () => {
  test.each([
    ['Homologacao', false, ['SEM VALOR FISCAL']],
    ['Homologacao', true, ['SEM VALOR FISCAL', 'CANCELADA']],
    ['Producao', false, []],
    ['Producao', true, ['CANCELADA']],
  ] as const)('%s, cancelled %s: %j', async (ambiente, isCancelled, stamps) => {
    const fields = { 'cliente.nome': 'Cliente' };
    const pages = pagesOf(await danfe({ fields: { ...fields, itens: itemsOf(60) }, ambiente, isCancelled }));
    expect(pages).toHaveLength(2);
    for (const page of pages) {
      const lines = page.split('\n');
      expect(['SEM VALOR FISCAL', 'CANCELADA'].filter((stamp) => lines.includes(stamp))).toEqual(stamps);
    }
  });
});

test('many items go over as many pages as they need, each item once', async () => {
  const pages = pagesOf(await danfe({ fields: { itens: itemsOf(200) } }));
  expect(pages.length).toBeGreaterThan(3);
  pages.forEach((page, at) => expect(page).toContain(`FOLHA ${at + 1}/${pages.length}`));
  for (const page of pages) expect(page).toContain('3531 0599 9999');
  const all = pages.join('\n').split('\n');
  for (let at = 1; at <= 200; at += 1) expect(all.filter((line) => line === `ITEM-${at}.`)).toHaveLength(1);
});

test('long additional information gets a page of its own where there is too little room', async () => {
  const informacoesAdicionais = 'Informação. '.repeat(400);
  const [first = '', second = '', ...more] = pagesOf(
    await danfe({ fields: { informacoesAdicionais, itens: itemsOf(25) } }),
  );
  expect(more).toEqual([]);
  expect(first).not.toContain('Dados adicionais');
  expect(second).toContain('Dados adicionais');
});

test('the same invoice gives the same bytes, dated by its emission', async () => {
  const first = await danfe();
  expect((await danfe()).equals(first)).toBe(true);
  expect(first.toString('latin1')).toContain('(D:20310517093000Z)');
});

test('every content without faults can be drawn', async () => {
  await fc.assert(
    fc.asyncProperty(issuanceBodies(true), async (body) => {
      const pdf = await danfePdf({ xml: nfeProc(documentOf(body)).xml, isCancelled: false });
      expect(pagesOf(pdf)[0]).toContain('FOLHA 1/');
    }),
    { numRuns: 30 },
  );
});

test('what is no nfeProc is refused', async () => {
  await expect(danfePdf({ xml: Buffer.from('<a></a>'), isCancelled: false })).rejects.toThrow('nfeProc');
});

const broken = (text: string) => ({ xml: Buffer.from(text), isCancelled: false });

test('what asks for the same DANFE at a time is given one drawing of it', async () => {
  const [one, other] = [renderedDanfe(broken('<a/>')), renderedDanfe(broken('<a/>'))];
  expect(one).toBe(other);
  await expect(one).rejects.toThrow('nfeProc');
});

test('a drawing that failed is tried again', async () => {
  const first = renderedDanfe(broken('<b/>'));
  await expect(first).rejects.toThrow('nfeProc');
  const second = renderedDanfe(broken('<b/>'));
  expect(second).not.toBe(first);
  await expect(second).rejects.toThrow('nfeProc');
});

test('a cancelled invoice has a drawing of its own', async () => {
  const [one, other] = [renderedDanfe(broken('<c/>')), renderedDanfe({ ...broken('<c/>'), isCancelled: true })];
  expect(one).not.toBe(other);
  await Promise.allSettled([one, other]);
});

const inputs = Array.from({ length: 5 }, (_, at): DanfeInput => {
  return { xml: nfeProc(documentOf(bodyWith({ informacoesAdicionais: `DANFE ${at}` }))).xml, isCancelled: false };
});

/** Processor time of this thread until that is done, in milliseconds: the least of several, as what it collects just then counts, too. */
async function costHere(work: () => Promise<unknown>): Promise<number> {
  const costs: number[] = [];
  for (let time = 0; time < 5; time++) {
    const before = process.threadCpuUsage();
    await work();
    const { user, system } = process.threadCpuUsage(before);
    costs.push((user + system) / 1000);
  }
  return Math.min(...costs);
}

test('a DANFE comes out as it is drawn, whoever draws it', async () => {
  for (const input of inputs) expect((await drawn(input)).equals(await danfePdf(input))).toBe(true);
});

test('drawing takes next to nothing of the thread that answers requests', async () => {
  const all = (draw: (input: DanfeInput) => Promise<Buffer>) => () => Promise.all(inputs.map(draw));
  expect(await costHere(all(drawn))).toBeLessThan((await costHere(all(danfePdf))) / 4);
});

test('what can not be drawn keeps nobody else waiting', async () => {
  const [broken, sound] = [drawn({ xml: Buffer.from('<a/>'), isCancelled: false }), drawn(inputs[0] ?? never())];
  await expect(broken).rejects.toThrow('nfeProc');
  expect((await sound).subarray(0, 5).toString()).toBe('%PDF-');
});

function never(): never {
  throw new Error('there are inputs');
}

test.each([
  ['0.00', '0,00'],
  ['999.99', '999,99'],
  ['1234.50', '1.234,50'],
  ['9999999999999.99', '9.999.999.999.999,99'],
  ['12.3456', '12,3456'],
  ['7', '7'],
  ['', ''],
])('the number %j is written %j', (text, shown) => {
  expect(brazilianNumber(text)).toBe(shown);
});

test.each([
  ['12.5000000000', '12,50'],
  ['12.0000000000', '12,00'],
  ['1.2345000000', '1,2345'],
  ['100.00', '100,00'],
])('the price %j is written %j', (text, shown) => {
  expect(brazilianPrice(text)).toBe(shown);
});

test('dates, tax numbers, postcodes, chaves and numbers have their punctuation', () => {
  expect(brazilianDateTime('2026-10-05T10:00:07-03:00')).toBe('05/10/2026 10:00:07');
  expect(taxNumber('99999991000125')).toBe('99.999.991/0001-25');
  expect(taxNumber('99999999050')).toBe('999.999.990-50');
  expect(postcode('01000000')).toBe('01000-000');
  expect(grouped('12345678')).toBe('1234 5678');
  expect(invoiceNumber('1001')).toBe('000.001.001');
});
