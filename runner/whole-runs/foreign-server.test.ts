import { describe, expect, test } from 'vitest';
import type { ForeignOptions } from '../../targets/testing/foreign/world.ts';
import {
  credentialSettings,
  secretSettings,
  writeForeignProfile,
  startForeign,
  type ForeignServer,
} from '../../targets/testing/foreign/foreign-server.ts';
import { catalogue, isJudged } from '../../contract/catalogue.ts';
import { type Need, type NeedName, needs } from '../../contract/clause.ts';
import { openReceiver } from '../../targets/receiver/receiver.ts';
import { expectAsAnnounced } from '../testing/wires.ts';
import { newFolder, freePort } from '../testing/folders.ts';
import { npmTest, type Ended, ofTopics, ofClauses } from '../testing/runs.ts';

/** Runs the suite against a server that keeps the contract and that nobody of the simulator wrote. */
async function judged<T>(options: ForeignOptions, use: (server: ForeignServer) => Promise<T>): Promise<T> {
  const server = await startForeign(options);
  try {
    return await use(server);
  } finally {
    await server.stop();
  }
}

/** Nobody has signed the documents of that server. */
const ofSignedDocuments = 'nfe-verification.signature-verified';

/** Whether a need is met where all is set but a control API. */
function isMet(name: NeedName): boolean {
  const { settings, profileFiles }: Need = needs[name];
  const isOwn = name === 'passing-time' || name === 'real-issuance';
  return (settings.length > 0 && !isOwn) || profileFiles !== undefined;
}

/** All that can be set: the credentials, the server's own profile, and a receiver that it reaches. */
async function everything(server: ForeignServer) {
  const profile = newFolder();
  writeForeignProfile(profile);
  const place = `127.0.0.1:${await freePort()}`;
  const receiver = { NFE_WEBHOOK_LISTEN: place, NFE_WEBHOOK_PUBLIC_URL: `http://${place}/hooks` };
  return { ...credentialSettings(server, profile), ...receiver, NFE_SETTLE_TIMEOUT: '3', NFE_NUM_RUNS: '1' };
}

/** All that can be set, and verdicts that come to our receiver. */
async function hearingVerdicts(server: ForeignServer) {
  const settings = await everything(server);
  // The console tests an address when it is saved: something has to answer there before the run does.
  const { host, hostname, port } = new URL(settings.NFE_WEBHOOK_PUBLIC_URL);
  const answering = await openReceiver({ listen: { host: hostname, port: Number(port) } });
  const { url } = answering.address();
  expect(await server.saveVerificationUrl(url)).toBe(true);
  await answering.close();
  expect(new URL(url).host).toBe(host);
  return { ...settings, NFE_WEBHOOK_PUBLIC_URL: `http://${host}`, NFE_VERIFICATION_WEBHOOK_URL: url };
}

function exercised({ results }: Ended): string[] {
  const open = /^(?:not-exercised|withheld|unobservable)$/;
  return (results?.clauses ?? []).filter(({ verdict }) => !open.test(verdict)).map(({ id }) => id);
}

function accused({ results }: Ended): string[] {
  return (results?.clauses ?? [])
    .filter(({ verdict }) => verdict === 'failed')
    .map(({ id, checks }) => `${id}: ${checks.find(({ state }) => state === 'failed')?.error?.actual}`);
}

describe.concurrent('a right server of somebody else', () => {
  test('known by its address and a secret alone is accused of nothing, completes level secret and names what is missing', async () => {
    await judged({}, async (server) => {
      const required = { NFE_NUM_RUNS: '1', NFE_REQUIRE_LEVEL: 'secret' };
      const ended = await npmTest({ ...secretSettings(server), ...required });
      const { status, stdout, results } = ended;
      expect(accused(ended)).toEqual([]);
      // Costs are measured at the simulator with a profile: of a server that is asked without a pace more is sent than that says.
      expectAsAnnounced(ended, 0.4);
      expect(status).toBe(0);
      expect(results?.level?.complete).toBe('secret');
      expect(stdout).toMatch(
        /^Level secret complete: all \d+ must clauses .* hold; level credentials: \d+ of \d+ exercised\.$/m,
      );
      expect(results?.verdict).toBe('incomplete');
      expect(results?.target).toMatchObject({ kind: 'sandbox', control: false });
      const unexercised = results?.clauses.filter(({ verdict }) => verdict === 'not-exercised') ?? [];
      expect(unexercised.map(({ id }) => id)).toContain('token.rotated-refused');
      const needless = catalogue.filter((clause) => isJudged(clause) && !clause.needs?.length).map(({ id }) => id);
      expect(exercised(ended)).toEqual(expect.arrayContaining(needless));
      for (const { reason } of unexercised) expect(reason).toMatch(/set NFE_[A-Z_]+|^the profile's /);
      expect(results?.clauses.filter(({ verdict }) => verdict === 'withheld').map(({ id }) => id)).toEqual([
        'nfe-issuance.ambiente-known',
        'nfe-issuance.both-ambientes',
      ]);
      const { companies, invoices } = server.sent;
      expect(companies).toBeLessThanOrEqual(3);
      expect(invoices).toBeLessThanOrEqual(40);
      expect(results?.sideEffects).toMatchObject({ companies, invoices });
    });
  });

  test('known by everything that can be set has all exercised whose needs are met, only that, and is accused of nothing', async () => {
    const asked = catalogue.filter((clause) => isJudged(clause) && clause.needs?.length);
    await judged({}, async (server) => {
      const settings = await hearingVerdicts(server);
      const ended = await npmTest(settings, ...ofClauses(...asked.map(({ id }) => id)));
      expect(accused(ended)).toEqual([]);
      expect(ended.status).toBe(0);
      const met = asked.filter(({ id, needs: its = [] }) => its.every(isMet) && id !== ofSignedDocuments);
      expect(exercised(ended)).toEqual(met.map(({ id }) => id));
      expectAsAnnounced(ended, 0.25);
    });
  });

  test('is asked for the companies that only some checks of a clause need, where that clause is asked for alone', async () => {
    await judged({}, async (server) => {
      const asked = ['signature.path-bound', 'nfe-verification.validation-status'] as const;
      const { results } = await npmTest(await everything(server), ...asked.flatMap((id) => ['--clause', id]));
      const checks = (results?.clauses ?? []).flatMap((clause) => clause.checks);
      const unmade = checks.filter(
        ({ state, reason }) => state === 'not-exercised' && !/NFE_CONTROL/.test(reason ?? ''),
      );
      expect(unmade).toEqual([]);
      expect(checks.length).toBeGreaterThan(asked.length);
    });
  });

  test('whose verdicts take long is not made wait for by each check that only reads one', async () => {
    const ids = ['envelope', 'version', 'event-id', 'event-type', 'fields'].map((name) => `verdict-event.${name}`);
    const askedAt = async (settleMs: number) =>
      judged({ settleMs }, async (server) => {
        const settings = { ...(await hearingVerdicts(server)), NFE_SETTLE_TIMEOUT: '10' };
        const { status, results } = await npmTest(settings, ...ofClauses(...ids));
        expect(status).toBe(0);
        const passed = results?.clauses.filter(({ verdict }) => verdict === 'passed') ?? [];
        expect(passed.map(({ id }) => id)).toEqual(ids);
        const checks = passed.flatMap((clause) => clause.checks);
        const times = checks.reduce((sum, { exchangesMade = 0 }) => sum + exchangesMade, 0);
        return { times, longestMs: Math.max(...checks.map(({ durationMs }) => durationMs)) };
      });
    const [quick, slow] = [await askedAt(100), await askedAt(3_500)];
    // The event of a request of the preflight may come to the first of them.
    expect(slow.times).toBeLessThan(ids.length);
    // A machine that has much else to do makes any verdict take long.
    expect(quick.longestMs > 3_000 ? ids.length : quick.times).toBe(ids.length);
  });

  test('one of whose events is lost on the way is accused of nothing, though several checks read what came of one invoice', async () => {
    const ids = ['nfe-verification.force-revalidate', 'verdict-event.eventos-of-the-authority'];
    await judged({ isLosingOne: true }, async (server) => {
      const ended = await npmTest(await hearingVerdicts(server), ...ofClauses(...ids));
      expect(accused(ended)).toEqual([]);
      expect(exercised(ended)).toEqual(ids);
    });
  });

  const life = ['nfe-issuance', 'nfe-query', 'nfe-cancellation', 'issuance-callback', 'empresa-registration'];
  const documents = ['nfe-verification', 'chave-lookup'];
  const numbers = ['cnpj-lookup', 'cpf-lookup'];

  // Only what rests on the points that are otherwise: whole runs would take minutes.
  test.each<[ForeignOptions, readonly string[]]>([
    [{ issuance: 'denies' }, life],
    [{ issuance: 'lenient', isDoubling: true }, [...life, 'webhook-delivery', 'webhook-signature']],
    [{ issuance: 'waits', clockAheadSeconds: 120 }, [...life, 'timestamp', 'echo', 'token']],
    [{ documents: 'all', numbers: 'none' }, [...documents, ...numbers]],
    [{ documents: 'none', numbers: 'all' }, [...documents, ...numbers]],
    [{ documents: 'unjudged' }, documents],
    [{ companies: 'none' }, [...life, 'certificado-association']],
    [{ certificates: 'none' }, [...life, 'certificado-association']],
  ])('that is otherwise than its profile says is accused of nothing: %j', async (options, topics) => {
    await judged(options, async (server) => {
      const ended = await npmTest(await everything(server), ...ofTopics(...topics));
      expect(accused(ended)).toEqual([]);
      expect(ended.status).toBe(0);
    });
  });
});
