import type { RequestListener, IncomingMessage } from 'node:http';
import { describe, expect, test, vi } from 'vitest';
import { ledgerMemory } from '../../targets/traffic/ledger.ts';
import type { TargetAddress } from '../../targets/address.ts';
import { foreignAddress } from '../../targets/testing/server.ts';
import { examine } from '../preflight/examine.ts';
import { refuseUnfair } from '../preflight/finding.ts';
import { readSettings } from '../settings/settings.ts';
import { npmTest, withServer, withSteered, clausesThat } from '../testing/runs.ts';
import { referenceRules } from '../../simulator/rules/rules.ts';
import { wrongWire } from '../testing/wires.ts';

const clause = ['--clause', 'echo.message-returned'];
const settings = { NFE_APP_SECRET: 'any-secret', NFE_MAX_RPS: '0', NFE_NUM_RUNS: '1' };

/** Answers echoes as a service that says nothing of itself, all else with 401; with this `Date`, or with none. */
function answering(date?: () => Date): RequestListener {
  return (incoming, outgoing) => {
    incoming.resume();
    outgoing.sendDate = false;
    const isEcho = incoming.url === '/openapi/demo/echo';
    incoming.on('end', () => outgoing.writeHead(isEcho ? 200 : 401, date && { date: date().toUTCString() }).end('{}'));
  };
}

describe.concurrent('the difference of the clocks', () => {
  test('is not told of a target whose answers have no time', async () => {
    await withServer(answering(), async (baseUrl) => {
      const { results } = await npmTest({ ...settings, NFE_BASE_URL: baseUrl }, ...clause);
      expect(results?.verdict).toBe('nonconformant');
      expect(results?.clock).toEqual({ movable: false });
    });
  });

  test('is what was measured, in seconds', async () => {
    await withServer(
      answering(() => new Date(Date.now() + 100_000)),
      async (baseUrl) => {
        const { results } = await npmTest({ ...settings, NFE_BASE_URL: baseUrl }, ...clause);
        expect(results?.clock?.skewSeconds).toBeGreaterThan(90);
        expect(results?.clock?.skewSeconds).toBeLessThan(110);
      },
    );
  });
});

/** What is learned of a server that answers echoes so, what else is meant with a page, and all else with 401. */
async function asked(
  status: number,
  bodyText: () => string,
  contentType = 'application/json',
  isPage: (path: string) => boolean = () => false,
): Promise<TargetAddress> {
  const listener: RequestListener = (incoming, outgoing) => {
    incoming.resume();
    const { url = '' } = incoming;
    const isEcho = url === '/openapi/demo/echo';
    const [sent, body] = isEcho ? [status, bodyText()] : isPage(url) ? [200, page] : [401, '{}'];
    incoming.on('end', () =>
      outgoing.writeHead(sent, { 'content-type': contentType, server: 'acme-nfe/2.4.1' }).end(body),
    );
  };
  return withServer(listener, async (baseUrl) => {
    const traffic = { memory: ledgerMemory(), budget: 0 };
    const start = foreignAddress(baseUrl, { credentials: { active: 'any' } });
    const { findings, address } = await examine(readSettings({}), start, traffic, undefined, { isHarmless: true });
    refuseUnfair(findings);
    return address;
  });
}

test('a server that has no control API is told by the headers of its first answer', async () => {
  expect(await asked(200, () => '{"data":{}}')).toMatchObject({ server: 'Server acme-nfe/2.4.1' });
});

test('a clock that is less than half a second behind is 0 s off, not -0', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    const behind = (): string => `{"data":{"serverTime":"${new Date(Date.now() - 300).toISOString()}"}}`;
    const { clockSkewSeconds, knownSkewSeconds } = await asked(200, behind);
    expect({ clockSkewSeconds, knownSkewSeconds }).toEqual({ clockSkewSeconds: 0, knownSkewSeconds: 0 });
  } finally {
    vi.useRealTimers();
  }
});

const page = '<!DOCTYPE html>\n<html><body><form>Login</form></body></html>';

describe('a page in place of the service', () => {
  test.each([
    [200, 'application/json'],
    [201, 'text/html'],
  ])('is refused with status %d and Content-Type %s', async (status, contentType) => {
    await expect(asked(status, () => page, contentType)).rejects.toThrow(/HTML page/);
  });

  test('is refused where every endpoint but echo is one', async () => {
    await expect(
      asked(
        200,
        () => '{"data":{}}',
        'text/html',
        (path) => path.startsWith('/openapi/v'),
      ),
    ).rejects.toThrow(/HTML page/);
  });

  test('is judged where an endpoint is one now and then, as at one node of two', async () => {
    const asks = new Map<string, number>();
    const isAtFirst = (path: string): boolean => {
      const before = asks.get(path) ?? 0;
      asks.set(path, before + 1);
      return before === 0 && path.startsWith('/openapi/v');
    };
    await expect(asked(200, () => '{"data":{}}', 'text/html', isAtFirst)).resolves.toMatchObject({ kind: 'sandbox' });
    expect(Math.max(...asks.values())).toBeGreaterThan(1);
  });

  test('is judged where one endpoint is one', async () => {
    const isLookup = (path: string): boolean => path.includes('/consultas/cnpj/');
    await expect(asked(200, () => '{"data":{}}', 'text/html', isLookup)).resolves.toMatchObject({ kind: 'sandbox' });
  });

  test.each([
    ['JSON of a wrong shape', 200, '{"ok":true}', 'application/json'],
    ['JSON that is called HTML', 200, '{"success":true,"data":{"message":"preflight"}}', 'text/html'],
    ['nothing', 200, '', 'text/html'],
    ['a word', 200, 'OK', 'text/html'],
    ['an error page, which the framework of a service may send', 500, page, 'text/html'],
  ])('is not seen in what is to be judged: %s', async (_, status, bodyText, contentType) => {
    await expect(asked(status, () => bodyText, contentType)).resolves.toMatchObject({ kind: 'sandbox' });
  });
});

describe('what is answered before the first check', () => {
  /** Runs two topics on a right server of which the first answers to these requests are replaced. */
  async function failedBy(isMeant: (request: IncomingMessage) => boolean, count: number, body: string) {
    let wrong = 0;
    const { results } = await withSteered(referenceRules, (settings) =>
      withServer(
        wrongWire(
          settings.NFE_BASE_URL,
          { seed: 1, rate: 1, isMeant: (request) => wrong < count && isMeant(request), body },
          () => (wrong += 1),
        ),
        (wired) =>
          npmTest({ ...settings, NFE_NUM_RUNS: '1', NFE_BASE_URL: wired }, '--topic', 'echo', '--topic', 'encoding'),
      ),
    );
    const failed = clausesThat({ results }, 'failed');
    return { wrong, failed };
  }

  test('is judged like everything that comes later', async () => {
    const body = JSON.stringify({ success: true, code: 0, message: 'ok', data: { echo: 'preflight' } });
    const seen = await failedBy(({ url }) => url === '/openapi/demo/echo', 1, body);
    expect(seen).toEqual({ wrong: 1, failed: ['echo.identity-fields', 'echo.server-time-format'] });
  });
});
