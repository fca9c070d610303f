import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { referenceRules } from '../../simulator/rules/rules.ts';
import { npmTest, withServer, withSteered } from '../testing/runs.ts';
import { wrongWire } from '../testing/wires.ts';

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
    const failed = (results?.clauses ?? []).filter(({ verdict }) => verdict === 'failed').map(({ id }) => id);
    return { wrong, failed };
  }

  test('is judged like everything that comes later', async () => {
    const body = JSON.stringify({ success: true, code: 0, message: 'ok', data: { echo: 'preflight' } });
    const seen = await failedBy(({ url }) => url === '/openapi/demo/echo', 1, body);
    expect(seen).toEqual({ wrong: 1, failed: ['echo.identity-fields', 'echo.server-time-format'] });
  });
});
