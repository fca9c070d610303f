import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { StagedRules } from '../../simulator/gateway/gateway.ts';
import { referenceRules, type Rules } from '../../simulator/rules/rules.ts';
import {
  npmTest,
  passOn,
  withForeign,
  withServer,
  type Ended,
  clausesThat,
  ofTopics,
  ofClauses,
} from '../testing/runs.ts';

/** What stands before a server, and may pass a request on. */
type Hindrance = (incoming: IncomingMessage, outgoing: ServerResponse, onward: RequestListener) => void;

/** The suite against a good server behind something that gets in the way. */
function through(getInTheWay: Hindrance, more: Record<string, string> = {}, ...words: string[]): Promise<Ended> {
  return throughTo(referenceRules, getInTheWay, more, ...words);
}

/** The same of a server with these rules; its links lead to it and not to what gets in the way. */
function throughTo(
  rules: StagedRules,
  getInTheWay: Hindrance,
  more: Record<string, string>,
  ...words: string[]
): Promise<Ended> {
  return withForeign(rules, (settings) => {
    const onward = passOn(settings['NFE_BASE_URL'] ?? '');
    const listener: RequestListener = (incoming, outgoing) => getInTheWay(incoming, outgoing, onward);
    return withServer(listener, (baseUrl) =>
      npmTest({ ...settings, NFE_BASE_URL: baseUrl, NFE_NUM_RUNS: '3', ...more }, ...words),
    );
  });
}

function failed(ended: Ended): string[] {
  return clausesThat(ended, 'failed');
}

function flaky({ results }: Ended): string[] {
  return (results?.clauses ?? []).flatMap(({ checks }) => checks.flatMap((check) => check.flaky ?? []));
}

/** Has the server act on a request, and breaks the connection before its answer goes out. */
function losingTheAnswer(incoming: IncomingMessage, outgoing: ServerResponse, onward: RequestListener): void {
  outgoing.writeHead = () => {
    incoming.socket.destroy();
    return outgoing;
  };
  onward(incoming, outgoing);
}

describe.concurrent('trouble on the way', () => {
  test('answers that are lost after the server has acted fail nothing, and keep little from being tried', async () => {
    let count = 0;
    const ended = await through(
      (incoming, outgoing, onward) => {
        count += 1;
        if (count % 7 === 1) losingTheAnswer(incoming, outgoing, onward);
        else onward(incoming, outgoing);
      },
      { NFE_NUM_RUNS: '1' },
      ...ofTopics('nfe-issuance', 'nfe-query', 'nfe-cancellation'),
    );
    expect(failed(ended)).toEqual([]);
    expect(ended.status).toBe(0);
    expect(ended.results?.counts.passed).toBeGreaterThan(20);
  });

  // One that goes away in the middle is in cut-short.test.ts.
  test('a target that answers 503 at first is waited for, and nothing fails or stays unexercised for it', async () => {
    let [startMs, refused] = [0, 0];
    const ended = await through(
      (incoming, outgoing, onward) => {
        startMs ||= Date.now();
        const isDown = Date.now() - startMs < 6_000;
        if (isDown) refused += 1;
        if (isDown) incoming.resume().on('end', () => outgoing.writeHead(503).end());
        else onward(incoming, outgoing);
      },
      {},
      ...ofTopics('echo', 'token', 'timestamp'),
    );
    expect(refused).toBeGreaterThan(0);
    expect([ended.status, failed(ended)]).toEqual([0, []]);
    expect(ended.everything).not.toContain('target unavailable');
  });

  test('a target that answers 503 to a certain request only fails the clauses that send it', async () => {
    const ended = await through(
      (incoming, outgoing, onward) => {
        if (incoming.url?.includes('/consultas/cpf/')) incoming.resume().on('end', () => outgoing.writeHead(503).end());
        else onward(incoming, outgoing);
      },
      { NFE_NUM_RUNS: '1' },
      ...ofClauses('signature.cpf-and-birth-date-signed', 'signature.every-endpoint', 'signature.chave-in-path'),
    );
    expect(failed(ended)).toEqual(['signature.every-endpoint', 'signature.cpf-and-birth-date-signed']);
    expect(ended.results?.counts.passed).toBe(1);
    expect(ended.status).toBe(1);
  });

  test('an answer that is wrong once fails its clause, and is told to be intermittent', async () => {
    let [own, others] = ['', 0];
    const once = await through(
      (incoming, outgoing, onward) => {
        const token = String(incoming.headers['token']);
        own ||= token;
        if (token !== own) others += 1;
        // The third request by another token than that of the run.
        if (token !== own && others === 3)
          incoming.resume().on('end', () => outgoing.writeHead(200).end('{"success":true}'));
        else onward(incoming, outgoing);
      },
      {},
      '--topic',
      'token',
    );
    expect(failed(once)).toEqual(['token.unknown-refused']);
    expect(flaky(once)).toEqual([]);
    expect(once.everything).toContain('in 1 of 4 tries: intermittent, 95 % interval 0.6 % to 81 %');
  });
});

/** A server whose clock is off by so many seconds, its Date header included. */
function clockOff(seconds: number): Rules {
  const { serverSeconds } = referenceRules.timestamp;
  const { serverTime } = referenceRules.echo;
  return {
    ...referenceRules,
    timestamp: { ...referenceRules.timestamp, serverSeconds: (nowMs) => serverSeconds(nowMs) + seconds },
    echo: { ...referenceRules.echo, serverTime: (now) => serverTime(new Date(now.getTime() + seconds * 1000)) },
  };
}

describe.concurrent('the target’s clock', () => {
  test('off by two minutes is measured and allowed for', async () => {
    await withForeign(clockOff(-120), async (settings) => {
      const ended = await npmTest({ ...settings, NFE_NUM_RUNS: '10' }, '--topic', 'timestamp');
      expect(failed(ended)).toEqual([]);
      expect(ended.results?.verdict).toBe('conformant');
    });
  });
});

describe.concurrent('manners', () => {
  test('NFE_MAX_RPS is kept to, and the budget is printed before the run and kept', async () => {
    const times: number[] = [];
    const ended = await through(
      (incoming, outgoing, onward) => {
        times.push(Date.now());
        onward(incoming, outgoing);
      },
      { NFE_MAX_RPS: '40', NFE_NUM_RUNS: '1' },
      '--topic',
      'timestamp',
    );
    const [first = 0] = times;
    const seconds = ((times.at(-1) ?? 0) - first) / 1000;
    expect((times.length - 1) / seconds).toBeLessThanOrEqual(44);
    const most = Number(/requests at 40 a second, .*; ([\d,]+) at most/.exec(ended.stdout)?.[1]?.replaceAll(',', ''));
    expect(times.length).toBeLessThanOrEqual(most);
    expect(ended.results?.requests).toBe(times.length);
    expect(failed(ended)).toEqual([]);
  });

  test.each([
    ['a right server', 1, /^incomplete$/],
    ['a server whose every fifth answer is a 500', 5, /^(?:nonconformant|incomplete|error)$/],
  ])(
    '--budget is kept to the request, what is asked before the first check and what failures cost included: %s',
    async (_, every, verdict) => {
      let requests = 0;
      let downloads = 0;
      const { nfeQuery } = referenceRules;
      const servedInvoice: typeof nfeQuery.servedInvoice = (...asked) => {
        downloads += 1;
        return nfeQuery.servedInvoice(...asked);
      };
      const ended = await throughTo(
        { ...referenceRules, nfeQuery: { ...nfeQuery, servedInvoice } },
        (incoming, outgoing, onward) => {
          requests += 1;
          if (every === 1 || requests <= 40 || requests % every > 0) onward(incoming, outgoing);
          else incoming.resume().on('end', () => outgoing.writeHead(500).end('{}'));
        },
        { NFE_MAX_RPS: '1000' },
        '--budget',
        '70',
      );
      expect(requests + downloads).toBeLessThanOrEqual(70);
      expect(ended.results?.requests).toBe(requests + downloads);
      const unbought = ended.results?.clauses.filter(({ reason }) => reason?.startsWith('the budget of 70 requests'));
      expect(unbought?.length).toBeGreaterThan(50);
      expect(ended.results?.verdict).toMatch(verdict);
    },
  );

  test('--at-most goes on until each clause was seen so often, and never beyond the budget', async () => {
    const words = ['--topic', 'required-headers', '--at-most', '0.25'];
    const settings = { NFE_MAX_RPS: '1000', NFE_NUM_RUNS: '3' };
    const seen = ({ results }: Ended): number[] =>
      (results?.clauses ?? [])
        .filter(({ level, verdict }) => level === 'must' && verdict === 'passed')
        .map(({ observations }) => observations?.right ?? 0);
    const [whole, cut] = await Promise.all([
      through((...[incoming, outgoing, onward]) => onward(incoming, outgoing), settings, ...words),
      through((...[incoming, outgoing, onward]) => onward(incoming, outgoing), settings, ...words, '--budget', '60'),
    ]);
    expect(seen(whole).length).toBeGreaterThan(5);
    expect(Math.min(...seen(whole))).toBeGreaterThanOrEqual(11);
    expect(whole.stdout).toMatch(/Not so sure yet: \d+ must clauses on fewer than 11 answers/);
    expect(whole.stdout).toMatch(/That takes 11 answers, and (\d+) of \1 passed must clauses/);
    expect(cut.results?.requests).toBeLessThanOrEqual(60);
    expect(Math.min(...seen(cut))).toBeLessThan(11);
    expect([failed(whole), failed(cut)]).toEqual([[], []]);
  });

  test('a 429 that no check asked for is met with the advised backoff and fails nothing', async () => {
    let [windowMs, inWindow, limited] = [0, 0, 0];
    const ended = await through(
      (incoming, outgoing, onward) => {
        const second = Math.floor(Date.now() / 1000);
        if (second !== windowMs) [windowMs, inWindow] = [second, 0];
        inWindow += 1;
        if (inWindow > 20) limited += 1;
        if (inWindow > 20)
          incoming.resume().on('end', () => outgoing.writeHead(429).end('{"success":false,"code":10009006}'));
        else onward(incoming, outgoing);
      },
      { NFE_NUM_RUNS: '2' },
      '--topic',
      'timestamp',
    );
    expect(failed(ended)).toEqual([]);
    expect(limited).toBeGreaterThan(0);
    expect(ended.everything).not.toContain('kept answering 429');
    expect(ended.status).toBe(0);
  });

  test('a 429 that no check asked for accuses no order of refusals', async () => {
    let [count, limited] = [0, 0];
    const ended = await through(
      (incoming, outgoing, onward) => {
        count += 1;
        const isLimited = count % 10 === 0;
        if (isLimited) limited += 1;
        if (isLimited)
          incoming.resume().on('end', () => outgoing.writeHead(429).end('{"success":false,"code":10009006}'));
        else onward(incoming, outgoing);
      },
      { NFE_NUM_RUNS: '1', NFE_MAX_RPS: '50' },
      '--clause',
      'precedence.401-before-410',
    );
    expect(limited).toBeGreaterThan(0);
    expect(failed(ended)).toEqual([]);
    expect(ended.results?.counts.passed).toBe(1);
  });

  test('an application that is called by others beside the run causes no false failure', async () => {
    await withForeign(referenceRules, async (settings) => {
      const running = npmTest({ ...settings, NFE_NUM_RUNS: '1' }, '--topic', 'echo');
      const beside = npmTest({ ...settings, NFE_NUM_RUNS: '1' }, '--topic', 'token');
      for (const ended of await Promise.all([running, beside])) expect(failed(ended)).toEqual([]);
    });
  });
});
