import { describe, expect, test } from 'vitest';
import { send } from '../testing/call.ts';
import { testIssuer, type TestIssuer } from '../testing/company.ts';
import { runningSimulator, textIn } from '../testing/running.ts';
import { request } from 'undici';

const simulator = runningSimulator();

async function authorised(wish: object = {}): Promise<TestIssuer> {
  const issuer = await testIssuer(simulator, wish);
  await issuer.issue('a');
  await issuer.advance(0);
  return issuer;
}

async function linksOf(issuer: TestIssuer, id = 'a'): Promise<{ xml: string; danfe: string }> {
  const { json } = await issuer.query(id);
  return { xml: textIn(json, 'linkDownloadXml'), danfe: textIn(json, 'linkDanfe') };
}

async function download(link: string): Promise<{ status: number; type: string; content: Buffer }> {
  const { statusCode, headers, body } = await request(link);
  const content = Buffer.from(await body.arrayBuffer());
  return { status: statusCode, type: String(headers['content-type']), content };
}

describe('a link', () => {
  test('serves exactly its invoice, as XML or PDF', async () => {
    const issuer = await authorised();
    await issuer.issue('b');
    await issuer.advance(0);
    for (const id of ['a', 'b']) {
      const { xml, danfe } = await linksOf(issuer, id);
      const chaveAcesso = textIn((await issuer.query(id)).json, 'chaveAcesso');
      const document = await download(xml);
      expect(document).toMatchObject({ status: 200, type: 'application/xml' });
      expect(document.content.toString()).toContain(`Id="NFe${chaveAcesso}"`);
      const page = await download(danfe);
      expect(page).toMatchObject({ status: 200, type: 'application/pdf' });
      expect(page.content.subarray(0, 5).toString()).toBe('%PDF-');
    }
  });

  test("lives for 10 minutes of the application's clock, and not longer", async () => {
    const issuer = await authorised();
    const { xml, danfe } = await linksOf(issuer);
    await issuer.advance(600);
    expect([(await download(xml)).status, (await download(danfe)).status]).toEqual([200, 200]);
    await issuer.advance(1);
    expect([(await download(xml)).status, (await download(danfe)).status]).toEqual([404, 404]);
  });

  test('carries at least 128 bits that nobody can guess, and leads nowhere when a character is changed', async () => {
    const issuer = await authorised();
    const links = await Promise.all(Array.from({ length: 5 }, () => linksOf(issuer)));
    const tokens = links.flatMap(({ xml, danfe }) =>
      [xml, danfe].map((link) => /([^/.]+)\.\w+$/.exec(link)?.[1] ?? ''),
    );
    expect(new Set(tokens).size).toBe(10);
    for (const token of tokens) expect(Buffer.from(token, 'base64url').length).toBeGreaterThanOrEqual(16);
    const { xml } = await linksOf(issuer);
    const forged = xml.replace(/.(?=\.xml$)/, (last) => (last === 'A' ? 'B' : 'A'));
    expect((await download(forged)).status).toBe(404);
    expect((await download(xml.replace(/xml$/, 'pdf'))).status).toBe(404);
  });

  test('starts with the public address where one is given', async () => {
    const { xml } = await linksOf(await authorised());
    expect(xml.startsWith(`${simulator.baseUrl}/documentos/`)).toBe(true);
  });

  test('answers nothing but GET', async () => {
    const { xml } = await linksOf(await authorised());
    const target = new URL(xml).pathname;
    expect((await send(simulator.baseUrl, { method: 'DELETE', target })).status).toBe(404);
  });
});

describe('an invoice', () => {
  test('that nobody issued gets 404 and the array', async () => {
    const issuer = await testIssuer(simulator);
    expect(await issuer.query('none')).toMatchObject({ status: 404, json: [{ codigo: 'SIM-NFE-DESCONHECIDA' }] });
  });

  test('of another integrator gets the answer of one that does not exist', async () => {
    const [mine, other] = [await authorised(), await testIssuer(simulator)];
    const path = `/openapi/v2/empresas/${mine.empresaId}/nf-e/`;
    const [others, nobodys] = [await other.ask('GET', `${path}a`), await other.ask('GET', `${path}none`)];
    expect(others.status).toBe(404);
    expect(others.bodyText).toBe(nobodys.bodyText);
  });

  test('that the authority has on record as cancelled shows it', async () => {
    const issuer = await authorised();
    const chaveAcesso = textIn((await issuer.query('a')).json, 'chaveAcesso');
    await simulator.control('PUT', `/authority/invoices/${chaveAcesso}`, { status: 'Cancelada' });
    expect((await issuer.query('a')).json).toMatchObject({ status: 'Cancelada', linkDanfe: '' });
  });
});
