import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { referenceRules, type Rules } from '../../simulator/rules/rules.ts';
import { page } from '../testing/troubles/front.ts';
import {
  clausesThat,
  command,
  mutantRules,
  ofTopics,
  passOn,
  withForeign,
  withServer,
  withSteered,
} from '../testing/runs.ts';

/** Fast, and the same cases each time. */
const pace = { NFE_MAX_RPS: '0', NFE_NUM_RUNS: '1', NFE_SEED: '1729', NFE_PROFILE: 'profiles/default' };

/** A run of some topics takes longer than one that is stopped. */
const mostMs = 240_000;

/** A service whose echo always tells this time, while it judges timestamps by the right one. */
function telling(serverTime: string): Rules {
  return { ...referenceRules, echo: { ...referenceRules.echo, serverTime: () => serverTime } };
}

/** What a time is like, the time, and the clauses that a secret alone shows to be broken by it. */
const standing: readonly (readonly [what: string, serverTime: string, failed: readonly string[]])[] = [
  ['is 1970', '1970-01-01T00:00:00.000Z', []],
  ['stands still an hour ahead', new Date(Date.now() + 3_600_000).toISOString(), ['echo.server-time-format']],
];

describe.concurrent('a serverTime that is not the time is a fault of the target and no clock: the run goes on', () => {
  test.each(standing)('with a secret alone no clock is to blame: it %s', async (_, serverTime, failed) => {
    await withForeign(telling(serverTime), async (foreign) => {
      const settings = { ...foreign, ...pace };
      const [tested, examined] = await Promise.all([
        command('test', settings, ofTopics('timestamp', 'echo'), { mostMs }),
        command('doctor', settings),
      ]);
      expect(tested.stderr).toBe('');
      expect(clausesThat(tested, 'failed')).toEqual(failed);
      expect(tested.status).toBe(failed.length === 0 ? 0 : 1);
      expect(examined.stdout).not.toMatch(/^✗/m);
      expect(examined.status).toBe(0);
    });
  });

  test.each(standing.slice(0, 1))(
    'with a control API its clause fails, and nothing else: it %s',
    async (_, serverTime) => {
      await withSteered(telling(serverTime), async (steered) => {
        const settings = { ...steered, ...pace, NFE_STRICT: 'true' };
        const [tested, examined] = await Promise.all([
          command('test', settings, ofTopics('timestamp', 'echo'), { mostMs }),
          command('doctor', settings),
        ]);
        expect(tested.stderr).toBe('');
        expect(clausesThat(tested, 'failed')).toEqual(['echo.server-time-now']);
        expect(tested.status).toBe(1);
        expect(examined.status).toBe(0);
      });
    },
  );
});

test('with a secret alone a link that lives for three seconds is told to be dead, since one is followed again late', async () => {
  const lived = { ...referenceRules.nfeQuery, linkLifetimeSeconds: { xml: 3, danfe: 600 } };
  await withForeign({ ...referenceRules, nfeQuery: lived }, async (foreign) => {
    const settings = { ...foreign, ...pace, NFE_MAX_RPS: '2' };
    const tested = await command('test', settings, ['--clause', 'nfe-query.xml-link-alive'], { mostMs });
    expect(clausesThat(tested, 'failed')).toEqual(['nfe-query.xml-link-alive']);
  });
});

/** Pages in place of what an endpoint answers, whatever it is sent, and a clause of its topic that they break. */
const pages = [
  [500, '/consultas/cnpj/', 'cnpj-lookup', 'cnpj-lookup.malformed'],
  [200, '/consultas/nf-e/xml', 'nfe-verification', 'nfe-verification.empty-body'],
  [403, '/consultas/nf-e/xml', 'nfe-verification', 'nfe-verification.empty-body'],
] as const;

test.each(pages)("a page with %i of %s alone is the target's own: the run goes on and judges it", async (...told) => {
  const [status, path, topic, clause] = told;
  await withForeign(referenceRules, async (foreign) => {
    const onward = passOn(foreign['NFE_BASE_URL'] ?? '');
    const broken = page(status, 'Whitelabel Error Page');
    await withServer(
      (incoming, outgoing) => (incoming.url?.includes(path) ? broken(incoming, outgoing) : onward(incoming, outgoing)),
      async (baseUrl) => {
        const settings = { ...foreign, ...pace, NFE_BASE_URL: baseUrl };
        const [tested, examined] = await Promise.all([
          command('test', settings, ofTopics(topic, 'cpf-lookup'), { mostMs }),
          command('doctor', settings),
        ]);
        expect(tested.stderr).toBe('');
        expect(clausesThat(tested, 'failed')).toContain(clause);
        expect(clausesThat(tested, 'failed').filter((id) => !id.startsWith(`${topic}.`))).toEqual([]);
        expect(tested.status).toBe(1);
        expect(examined.stdout).not.toMatch(/^✗/m);
        expect(examined.status).toBe(0);
      },
    );
  });
});

test.each<[string, RequestListener]>([
  ['a 502', page(502, 'Bad Gateway')],
  ['a broken connection', (incoming) => void incoming.resume().on('end', () => incoming.socket.destroy())],
])(
  '%s that one endpoint alone gives now and then is its own, though what is sent again gets through',
  async (_, broken) => {
    await withForeign(referenceRules, async (foreign) => {
      const onward = passOn(foreign['NFE_BASE_URL'] ?? '');
      let asked = 0;
      const isLost = (url: string | undefined): boolean =>
        url?.includes('/consultas/cnpj/') === true && ++asked % 3 === 0;
      await withServer(
        (incoming, outgoing) => (isLost(incoming.url) ? broken : onward)(incoming, outgoing),
        async (baseUrl) => {
          const settings = { ...foreign, ...pace, NFE_NUM_RUNS: '10', NFE_BASE_URL: baseUrl };
          const tested = await command('test', settings, ofTopics('cnpj-lookup', 'errors'), { mostMs });
          expect(clausesThat(tested, 'failed')).toEqual(['errors.own-statuses']);
          expect(tested.status).toBe(1);
        },
      );
    });
  },
);

test('a company that is not found under the empresaId that it was given is a failure, and no fault of the profile', async () => {
  await withForeign(mutantRules('empresa-registration.another-id'), async (foreign) => {
    const tested = await command('test', { ...foreign, ...pace }, ofTopics('empresa-registration', 'nfe-issuance'), {
      mostMs,
    });
    expect(clausesThat(tested, 'failed')).toEqual(['empresa-registration.id-names-company']);
    expect(tested.stdout).toContain('the target finds nothing under the empresaId that it gave');
    expect(tested.stdout).not.toContain("the profile's");
    expect(tested.status).toBe(1);
  });
});
