import { createHash, createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import type { ExchangeEvidence, Results } from '../../schemas/results.ts';
import { judge } from '../judge.ts';
import { sampleClause, sampleExchange, sampleFacts, sampleFailure, sampleOutcome } from '../sample-run.ts';
import { useBrowser } from './browser.ts';
import { pageOf } from './pages.ts';

const open = useBrowser();
const secret = 'sésamo "ç" <b>';
const asIs = { between: ['', ''] };
const sampleSigning = {
  secret: '$NFE_APP_SECRET',
  token: asIs,
  timestamp: [],
  digest: { hash: 'md5' as const, of: (['token', 'path', 'body', 'timestamp'] as const).map((sent) => ({ sent })) },
  sign: asIs,
};

/** A request whose string to sign holds everything that is hard to show. */
function signedRequest(
  rest: string,
  change: Partial<NonNullable<ExchangeEvidence['stringToSign']>> = {},
): ExchangeEvidence {
  const sign = createHash('md5')
    .update(secret + rest)
    .digest('hex');
  const { request, ...other } = sampleExchange();
  const bytes = Buffer.byteLength(secret + rest);
  return {
    ...other,
    request: {
      ...request,
      headers: [
        ['token', '$NFE_APP_SECRET'],
        ['SIGN', sign],
      ],
    },
    stringToSign: { text: `$NFE_APP_SECRET${rest}`, encoding: 'utf-8', bytes, ...change },
  };
}

function delivery(body: string): ExchangeEvidence {
  const text = `1795226400.${body}`;
  const signature = createHmac('sha256', secret).update(text).digest('hex');
  return {
    request: { method: 'POST', target: '/hook', headers: [['X-Service-Signature', signature]] },
    stringToSign: { text, encoding: 'utf-8', bytes: Buffer.byteLength(text) },
    received: true,
    durationMs: 0,
  };
}

function resultsWith(exchange: ExchangeEvidence): Results {
  const outcome = sampleOutcome('echo.failed', { ...sampleFailure, exchanges: [exchange] });
  return judge(sampleFacts, [sampleClause('echo.failed')], [outcome]);
}

/** Opens the dialog of the page's one exchange, recomputes with a secret, and gives what it says. */
async function recompute(page: Page, typed: string): Promise<Locator> {
  await page.locator('button.recompute').click();
  const dialog = page.getByRole('dialog', { name: 'Recompute the signature' });
  await dialog.locator('input[type="password"]').fill(typed);
  await dialog.getByRole('button', { name: 'Recompute' }).click();
  return dialog.locator('[data-outcome]:visible');
}

test.each([
  ['line ends of every kind', signedRequest('/x\ra\nb\r\n\r\n\n1795226400')],
  ['invisible characters', signedRequest('/x\u0000\u202e\u2028\t\u{e0041}😀\\n<b>&amp;1795226400')],
  ['a delivery', delivery('{"a":"á"}\r\n\u202e')],
])('the right secret matches, with %s', async (_, exchange) => {
  const { page, troubles } = await open(await pageOf(resultsWith(exchange)));
  expect(await (await recompute(page, secret)).innerText()).toMatch(/It matches: [0-9a-f]+$/);
  expect(troubles).toEqual([]);
});

test('a wrong secret of the same length does not match, and both signatures are shown', async () => {
  const exchange = signedRequest('/x1795226400');
  const { page } = await open(await pageOf(resultsWith(exchange)));
  const said = await recompute(page, secret.toUpperCase());
  const computed = createHash('md5').update(`${secret.toUpperCase()}/x1795226400`).digest('hex');
  expect(await said.innerText()).toMatch(
    `does not match: computed ${computed}, sent ${exchange.request.headers[1]?.[1]}`,
  );
});

test('of a request that was signed otherwise on purpose the dialog says so first, and computes the contract’s', async () => {
  const sample = signedRequest('/x1795226400');
  const headers = [['sign', 'f00d']];
  const { token, timestamp, secret: name } = sampleSigning;
  const signing = { secret: name, token, timestamp, sign: { text: 'f00d' } };
  const flawed = { ...sample, request: { ...sample.request, headers }, signing };
  const { page } = await open(await pageOf(resultsWith(flawed)));
  const said = await recompute(page, secret);
  const computed = createHash('md5').update(`${secret}/x1795226400`).digest('hex');
  expect(await said.innerText()).toMatch(`computed ${computed}, sent f00d`);
  const dialog = page.getByRole('dialog');
  expect(await dialog.locator('p:visible').first().innerText()).toMatch(/carries a deliberate flaw in its signature/);
});

test('of a request that was signed by the contract the dialog speaks of no flaw', async () => {
  const { page } = await open(await pageOf(resultsWith({ ...signedRequest('/x1795226400'), signing: sampleSigning })));
  await recompute(page, secret);
  expect(await page.locator('#checksum .deliberate').isVisible()).toBe(false);
});

test('the mask ends where the token’s part ends', async () => {
  const parts = [
    { name: 'token' as const, length: 15 },
    { name: 'path' as const, length: 11 },
  ];
  const { page } = await open(await pageOf(resultsWith(signedRequest('X1795226400', { parts }))));
  expect(await (await recompute(page, secret)).innerText()).toMatch(/It matches/);
  expect(await page.locator('#checksum [data-slot="mask"]').innerText()).toBe('$NFE_APP_SECRET');
});

test('with a secret of another length the bytes that were signed are told', async () => {
  const { page } = await open(await pageOf(resultsWith(signedRequest('/x1795226400'))));
  expect(await (await recompute(page, 'short')).innerText()).toMatch(/has 17 bytes, but 28 were signed/);
});

test('a string to sign that is shortened can’t be recomputed', async () => {
  const exchange = signedRequest('/x', { bytes: 30_000 });
  const { page } = await open(await pageOf(resultsWith(exchange)));
  expect(await (await recompute(page, secret)).innerText()).toMatch(/can’t be recomputed.*not all that was signed/);
});

test('the secret is in no address, and closing forgets it', async () => {
  const { page, requests } = await open(await pageOf(resultsWith(signedRequest('/x1795226400'))));
  await recompute(page, secret);
  await page.keyboard.press('Escape');
  const input = page.locator('#checksum input');
  // The dialog tells of its closing a moment after it has closed.
  await expect.poll(() => input.inputValue()).toBe('');
  expect(await input.getAttribute('autocomplete')).toBe('off');
  expect(await page.locator('[data-outcome]:visible').count()).toBe(0);
  expect([page.url().split('#')[1], requests.length]).toEqual([undefined, 1]);
  expect(await page.evaluate('document.documentElement.outerHTML')).not.toContain('sésamo');
  expect(await page.evaluate('localStorage.length + sessionStorage.length')).toBe(0);
});
