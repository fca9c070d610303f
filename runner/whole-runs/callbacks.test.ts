import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { openReceiver, type Receiver } from '../../targets/receiver/receiver.ts';
import { catalogue, isJudged, topicOf } from '../../contract/catalogue.ts';
import { replacingRegistrations } from '../../mutants/variants/gateway.ts';
import type { Results } from '../../schemas/results.ts';
import { referenceRules } from '../../simulator/rules/rules.ts';
import { startSimulator, type Simulator } from '../../simulator/start.ts';
import { send, signedCall, type TestAnswer, textIn } from '../../simulator/testing/call.ts';
import { invoiceBody, associationCall, profileFile, registrationCall } from '../../simulator/testing/company.ts';
import { portOf } from '../../targets/testing/served.ts';
import { newFolder, freePort } from '../testing/folders.ts';
import { mutantRules, npmTest, withForeign, ofClauses, ofTopics, clausesThat } from '../testing/runs.ts';

const topics = ['issuance-callback', 'webhook-signature', 'webhook-url', 'webhook-delivery'];
const asked = ofTopics(...topics);

describe.concurrent('a foreign server that reaches our receiver', () => {
  test('has every callback clause exercised that needs no clock, at one address for the whole run', async () => {
    await withForeign(referenceRules, async (settings) => {
      const port = await freePort();
      const listen = `127.0.0.1:${port}`;
      const more = { NFE_WEBHOOK_LISTEN: listen, NFE_WEBHOOK_PUBLIC_URL: `http://${listen}/a/b`, NFE_NUM_RUNS: '1' };
      const { status, results, stdout, everything } = await npmTest({ ...settings, ...more }, ...asked);
      expect(results?.counts).toMatchObject({ failed: 0, warned: 0 });
      expect(status).toBe(0);
      const ofTopics = catalogue.filter((clause) => isJudged(clause) && topics.includes(topicOf(clause.id)));
      const isMet = (need: string): boolean => !/clock|verification-webhook|passing|chosen|rotation/.test(need);
      const expected = ofTopics.filter(({ needs = [] }) => needs.every(isMet)).map(({ id }) => id);
      const exercised = clausesThat({ results }, 'passed');
      expect(exercised).toEqual(expected);
      expect(stdout).toContain(`Callbacks of this run come to http://${listen}; it may have replaced`);
      expect(everything).not.toContain('0Nf%2Fe');
    });
  });

  test('and keeps no address as it was given, or no token, fails its clause at the one address of the run', async () => {
    const clauses = {
      'webhook-url.slash-unescaped': 'webhook-url.called-exactly',
      'webhook-url.in-lower-case': 'webhook-url.called-exactly',
      'issuance-callback.token-cut': 'issuance-callback.token',
    } as const;
    for (const [mutant, clause] of Object.entries(clauses)) {
      await withForeign(mutantRules(mutant), async (settings) => {
        const listen = `127.0.0.1:${await freePort()}`;
        const more = { NFE_WEBHOOK_LISTEN: listen, NFE_WEBHOOK_PUBLIC_URL: `http://${listen}` };
        const ended = await npmTest({ ...settings, ...more }, '--clause', clause);
        expect(clausesThat(ended, 'failed')).toEqual([clause]);
      });
    }
  });

  test('and never calls back an authorised invoice fails that clause', async () => {
    await withForeign(mutantRules('issuance-callback.authorisation-not-called-back'), async (settings) => {
      const listen = `127.0.0.1:${await freePort()}`;
      const more = { NFE_WEBHOOK_LISTEN: listen, NFE_WEBHOOK_PUBLIC_URL: `http://${listen}`, NFE_SETTLE_TIMEOUT: '3' };
      const ended = await npmTest({ ...settings, ...more }, ...ofTopics('issuance-callback'));
      expect(clausesThat(ended, 'failed')).toEqual(['issuance-callback.called-back-when-authorised']);
    });
  });

  test('and refuses addresses with a query gets the plain one', async () => {
    const { webhookUrl } = referenceRules;
    const isCallable: typeof webhookUrl.isCallable = (url) => webhookUrl.isCallable(url) && !url.includes('?');
    await withForeign({ ...referenceRules, webhookUrl: { ...webhookUrl, isCallable } }, async (settings) => {
      const listen = `127.0.0.1:${await freePort()}`;
      const more = { NFE_WEBHOOK_LISTEN: listen, NFE_WEBHOOK_PUBLIC_URL: `http://${listen}` };
      const ended = await npmTest({ ...settings, ...more }, ...ofClauses('webhook-url.called-exactly'));
      expect(clausesThat(ended, 'passed')).toEqual(['webhook-url.called-exactly']);
      expect(ended.stdout).toContain('Callbacks of this run come to');
    });
  });

  test('and sends a denial with an empty reason fails that clause, with the delivery as evidence', async () => {
    await withForeign(mutantRules('issuance-callback.motivo-empty'), async (settings) => {
      const listen = `127.0.0.1:${await freePort()}`;
      const more = { NFE_WEBHOOK_LISTEN: listen, NFE_WEBHOOK_PUBLIC_URL: `http://${listen}` };
      const { status, results, everything } = await npmTest({ ...settings, ...more }, '--topic', 'issuance-callback');
      expect(status).toBe(1);
      const failed = results?.clauses.filter(({ verdict }) => verdict === 'failed');
      expect(failed?.map(({ id }) => id)).toEqual(['issuance-callback.motivo-of-denial']);
      const delivery = failed?.[0]?.checks[0]?.exchanges?.find(({ received }) => received);
      expect(delivery?.request.body?.text).toContain('"nfeStatus":"Negada"');
      expect(delivery?.request.headers).toContainEqual(['token', '$WEBHOOK_TOKEN']);
      expect(everything).not.toContain(settings['NFE_APP_SECRET']);
    });
  });
});

/** An application whose verification events go to an address of a receiver that may listen there from now on, with its settings. */
async function withVerdictsAt(listen: string, { controlUrl = '', controlToken = '', baseUrl }: Simulator) {
  const [host = '', port] = listen.split(':');
  const ask = async (method: string, path: string, body: object): Promise<unknown> => {
    const authorization = `Bearer ${controlToken}`;
    const answer = await fetch(`${controlUrl}/control/v1/applications${path}`, {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return answer.json();
  };
  const application = await ask('POST', '', {});
  // The console tests an address when it is saved.
  const answering = await openReceiver({ listen: { host, port: Number(port) } });
  const { url } = answering.address();
  await ask('PUT', `/${textIn(application, 'appKey')}/verification-webhook`, { urls: [url] });
  await answering.close();
  return {
    NFE_BASE_URL: baseUrl,
    NFE_APP_SECRET: textIn(application, 'appSecret'),
    NFE_MAX_RPS: '0',
    NFE_WEBHOOK_LISTEN: listen,
    NFE_WEBHOOK_PUBLIC_URL: `http://${listen}`,
    NFE_VERIFICATION_WEBHOOK_URL: url,
  };
}

test('verification events that nobody signed are the target’s where they name an invoice that it issued in this run', async () => {
  const simulator = await startSimulator({ rules: mutantRules('webhook-signature.verdicts-unsigned') });
  const settings = await withVerdictsAt(`127.0.0.1:${await freePort()}`, simulator);
  const { status, results } = await npmTest(settings, ...ofTopics('webhook-signature', 'verdict-event'));
  await simulator.stop();
  expect(clausesThat({ results }, 'failed')).toContain('webhook-signature.every-delivery');
  expect(status).toBe(1);
});

test('another copy of an event that a check before has seen is no answer to the next verification', async () => {
  const { webhookDelivery } = referenceRules;
  const copied = new Set<string>();
  const againMs: typeof webhookDelivery.againMs = ({ eventId, targetId }, endedMs) => {
    const isFirst = copied.size < copied.add(`${eventId} ${targetId}`).size;
    return isFirst ? endedMs + 30 : undefined;
  };
  const rules = { ...referenceRules, webhookDelivery: { ...webhookDelivery, againMs } };
  const simulator = await startSimulator({ rules });
  const settings = await withVerdictsAt(`127.0.0.1:${await freePort()}`, simulator);
  const ended = await npmTest(settings, ...ofTopics('verdict-event'));
  await simulator.stop();
  expect(clausesThat(ended, 'failed')).toEqual([]);
  expect(clausesThat(ended, 'passed')).toContain('verdict-event.chave-acesso');
});

describe.concurrent('an application that somebody else uses beside the run', () => {
  test.each([
    ['adds an address', referenceRules],
    ['replaces the address before', replacingRegistrations(referenceRules)],
  ])('where a registration %s causes no failure', async (_, rules) => {
    await withForeign(rules, async (settings) => {
      const others = await openReceiver({ listen: { host: '127.0.0.1', port: 0 } });
      const stranger = strangerAt(settings['NFE_BASE_URL'] ?? '', settings['NFE_APP_SECRET'] ?? '', others);
      const listen = `127.0.0.1:${await freePort()}`;
      const more = {
        NFE_WEBHOOK_LISTEN: listen,
        NFE_WEBHOOK_PUBLIC_URL: `http://${listen}`,
        NFE_NUM_RUNS: '2',
        NFE_SETTLE_TIMEOUT: '1',
      };
      const { status, results } = await npmTest(
        { ...settings, ...more },
        ...ofTopics('issuance-callback', 'nfe-query'),
      );
      const issued = await stranger.stop();
      const arrived = stranger.callbacks();
      await others.close();
      expect(results?.counts).toMatchObject({ failed: 0, warned: 0 });
      expect(status).toBe(0);
      expect(issued).toBeGreaterThan(5);
      expect(arrived).toBeGreaterThan(5);
      const { verdict } = results?.clauses.find(({ id }) => id === 'issuance-callback.nfe-id') ?? {};
      expect(verdict).toMatch(/^passed$|^not-exercised$/);
    });
  });
});

/** Somebody who registers a company and addresses, and issues without a pause, until it is told to stop. */
function strangerAt(baseUrl: string, token: string, receiver: Receiver) {
  const address = receiver.address();
  const post = (target: string, body: object): Promise<TestAnswer> =>
    send(baseUrl, signedCall({ token, method: 'POST', target, body: JSON.stringify(body) }));
  const stopping = new AbortController();
  let issued = 0;
  const work = async (): Promise<void> => {
    // With the certificate of another company its invoices are denied: callbacks come all the same.
    const company = profileFile('empresa.json').toString('utf8').replace('99999991000125', '11222333000181');
    const empresaId = textIn((await send(baseUrl, registrationCall(token, company))).json, 'empresaId');
    await send(baseUrl, associationCall(token, empresaId));
    while (!stopping.signal.aborted) {
      await post('/openapi/v1/webhooks', { uri: `${address.url}?n=${issued % 3}`, token: `stranger-${issued}` });
      await post(`/openapi/v2/empresas/${empresaId}/nf-e`, invoiceBody(`stranger-${issued}`));
      issued += 1;
      // Often enough to be in the way of every check, and with gaps that a registration of ours fits into.
      await sleep(100);
    }
  };
  const working = work();
  return {
    callbacks: () => address.deliveries().length,
    async stop() {
      stopping.abort();
      await working;
      return issued;
    },
  };
}

describe.concurrent('a receiver that nobody reaches', () => {
  test('leaves the callback clauses unexercised, and the run says why', async () => {
    await withForeign(referenceRules, async (settings) => {
      const [listening, elsewhere] = [await freePort(), await freePort()];
      const { status, results } = await npmTest(
        {
          ...settings,
          NFE_WEBHOOK_LISTEN: `127.0.0.1:${listening}`,
          NFE_WEBHOOK_PUBLIC_URL: `http://127.0.0.1:${elsewhere}`,
          NFE_SETTLE_TIMEOUT: '1',
          NFE_NUM_RUNS: '1',
        },
        '--clause',
        'issuance-callback.called-back-when-authorised',
        '--clause',
        'issuance-callback.tipo',
      );
      expect(status).toBe(0);
      expect(results?.clauses.map(({ verdict }) => verdict)).toEqual(['not-exercised', 'not-exercised']);
      expect(results?.clauses[0]?.checks[0]?.reason).toBe(
        `no delivery of any kind has arrived in this run: see whether the target reaches http://127.0.0.1:${elsewhere}`,
      );
    });
  });

  test('that can not listen there stops the run: exit 2 and the setting', async () => {
    const port = await portOf(createServer());
    await withForeign(referenceRules, async (settings) => {
      const listen = { NFE_WEBHOOK_LISTEN: `127.0.0.1:${port}`, NFE_WEBHOOK_PUBLIC_URL: `http://127.0.0.1:${port}` };
      const { status, stderr } = await npmTest({ ...settings, ...listen }, '--topic', 'issuance-callback');
      expect(status).toBe(2);
      expect(stderr).toContain(`NFE_WEBHOOK_LISTEN: port ${port} of 127.0.0.1 is in use`);
    });
  });
});

describe.concurrent('what an earlier receiver stored', () => {
  const start = Date.UTC(2026, 10, 20, 12);
  const ladder = [0, 60, 360, 2160, 9360, 30_960];

  type Change = (line: Record<string, unknown>, at: number) => object;

  /** A folder of a receiver with one event that it refused each time, at these seconds after the first. */
  function folderWith(appSecret: string, seconds: readonly number[], change: Change): string {
    const folder = newFolder();
    const lines = seconds.map((second, at) => {
      const atMs = start + second * 1000;
      const timestamp = String(atMs / 1000);
      const body = '{"version":"1.0","event_id":"e-1","data":{}}';
      const signature = createHmac('sha256', appSecret).update(`${timestamp}.${body}`).digest('hex');
      const headers = [
        ['content-type', 'application/json'],
        ['x-service-event', 'invoice.verify.completed'],
        ['x-service-event-id', 'e-1'],
        ['x-service-delivery-id', `d-${at}`],
        ['x-service-timestamp', timestamp],
        ['x-service-signature', signature],
      ];
      const time = new Date(atMs).toISOString();
      const base = { time, pathName: 'p', method: 'POST', target: '/p', headers, body, bodyEncoding: 'utf8' };
      return JSON.stringify(change({ ...base, isTooLarge: false, answeredStatus: 500 }, at));
    });
    writeFileSync(join(folder, 'deliveries.jsonl'), `${lines.join('\n')}\n`);
    return folder;
  }

  interface Judged {
    readonly failed: string[];
    readonly passed: string[];
    readonly ladders: Results['ladders'];
  }

  /** The clauses that failed, those that passed, and the ladders, of a run that judges such a folder. */
  async function judged(seconds: readonly number[], change: Change): Promise<Judged> {
    return withForeign(referenceRules, async (settings) => {
      const folder = folderWith(settings['NFE_APP_SECRET'] ?? '', seconds, change);
      const words = ['--received', folder, '--topic', 'webhook-delivery', '--topic', 'webhook-signature'];
      const { results } = await npmTest({ ...settings, NFE_NUM_RUNS: '1' }, ...words);
      const failed = clausesThat({ results }, 'failed', 'warned');
      return { failed, passed: clausesThat({ results }, 'passed'), ladders: results?.ladders };
    });
  }

  test('is judged by a later run: the whole ladder of an event that was never acknowledged', async () => {
    const { failed, passed, ladders } = await judged(ladder, (line) => line);
    expect(failed).toEqual([]);
    expect(ladders).toMatchObject([{ source: 'stored', retriesSeconds: ladder.slice(1) }]);
    expect(passed).toEqual([
      'webhook-delivery.retry-delays',
      'webhook-delivery.five-retries',
      'webhook-delivery.event-id-kept-on-retry',
      'webhook-delivery.fresh-timestamp-on-retry',
      'webhook-delivery.body-kept-on-retry',
      'webhook-signature.fresh-on-retry',
    ]);
  });

  // What may be wrong with attempts is decided by the predicates alone: judge/attempts.test.ts.
  test('with other delays and a signature that is wrong fails both clauses', async () => {
    const { failed } = await judged([0, 60, 120, 180], (line, at) =>
      at === 1 ? withHeader(line, 'x-service-signature', '0'.repeat(64)) : line,
    );
    expect(failed).toEqual(
      expect.arrayContaining(['webhook-delivery.retry-delays', 'webhook-signature.fresh-on-retry']),
    );
  });

  test('is asked for with a folder that has some', async () => {
    const { status, stderr } = await npmTest({}, '--received', '/nowhere');
    expect(status).toBe(2);
    expect(stderr).toContain('--received takes the folder of a receiver: /nowhere can');
  });

  function withHeader(line: Record<string, unknown>, name: string, value: string): object {
    const headers: unknown[] = Array.isArray(line['headers']) ? line['headers'] : [];
    const isNamed = (header: unknown): boolean => Array.isArray(header) && header[0] === name;
    return { ...line, headers: headers.map((header) => (isNamed(header) ? [name, value] : header)) };
  }
});
