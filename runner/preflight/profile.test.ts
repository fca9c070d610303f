import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { startSimulator, type Simulator } from '../../simulator/start.ts';
import { endServers, servedBy } from '../../targets/testing/served.ts';
import { ledgerMemory } from '../../targets/traffic/ledger.ts';
import { answering, foreignAddress } from '../../targets/testing/server.ts';
import { findingLine } from '../../desk/doctor-lines.ts';
import { newFolder } from '../testing/folders.ts';
import type { Remark } from './finding.ts';
import { proveProfile, type Proof, type ProvenProfile } from './profile-proof.ts';
import { echoCall } from '../../generators/calls.ts';
import type { Call } from '../../contract/request.ts';
import type { Exchange, Response } from '../../trace/exchange.ts';
import { readProfile } from '../../targets/profile.ts';
import { readSettings } from '../settings/settings.ts';
import { settingsTable } from '../settings/settings-table.ts';
import { examineProfile, judgeProofs, provenAt } from './profile.ts';
import { openSession } from './session.ts';
import { assuranceOf, mustJudged, catalogue } from '../../contract/catalogue.ts';
import { needs, type NeedName } from '../../contract/clause.ts';
import { additionOf, additions, coverageOf, judgeCoverage } from './clauses.ts';

const folder = newFolder();
afterAll(endServers);

const address = foreignAddress('http://127.0.0.1:9');

const settingsWith = (profile: string) =>
  readSettings({ NFE_BASE_URL: address.baseUrl, NFE_APP_SECRET: 'any', NFE_REPORT_DIR: folder, NFE_PROFILE: profile });

/** What is found of a profile that is only read. */
async function read(profile: string): Promise<readonly Remark[]> {
  const session = openSession(address, { memory: ledgerMemory(), budget: 0 });
  const { findings } = await examineProfile(session, address, settingsWith(profile), undefined);
  await session.target.close();
  return findings;
}

async function lines(profile: string): Promise<string> {
  return (await read(profile)).map((finding) => findingLine(finding, false)).join('\n');
}

test('files that are missing are told one by one', async () => {
  writeFileSync(join(folder, 'empresa.json'), '{}');
  const [present, ...others] = await read(folder);
  expect(present?.state).toBe('ok');
  expect(present?.found).toMatch(/^1 of \d+ files in /);
  const absent = others.filter(({ state }) => state === 'not set');
  expect(absent).toHaveLength(10);
  expect(absent.some(({ found }) => found === 'consultas.json is missing')).toBe(true);
});

test('a file that is not JSON, or a folder that is not there, is a problem', async () => {
  writeFileSync(join(folder, 'empresa.json'), '{');
  expect(await lines(folder)).toMatch(/^✗ problem  profile: .*empresa\.json/);
  expect(await lines(join(folder, 'none'))).toMatch(/^✗ problem  profile: .*ENOENT/);
});

describe('a profile that was tried', () => {
  const held: Proof = { file: 'empresa.json', state: 'holds', found: 'registered', needs: [], trouble: 'target' };
  const other: Proof = {
    file: 'nf-e.autorizada.json',
    state: 'otherwise',
    found: "the profile's nf-e.autorizada.json was refused: 400",
    needs: ['accepted-issuance', 'authorised-issuance'],
    trouble: 'settings',
  };

  test('is told in a line for what holds, and one for each part that does not', () => {
    const findings = judgeProofs([held, other]);
    expect(findings.map(({ state }) => state)).toEqual(['ok', 'warning']);
    expect(findings[0]?.found).toBe('1 of 2 parts came out as it says: empresa.json');
    expect(findings[1]?.found).toBe(other.found);
  });

  test.each([
    ['empresa.json', true],
    ['nf-e.autorizada.json', false],
  ] as const)('whose %s is refused may have left its company at the target before: %s', (file, isNamed) => {
    const [remark] = judgeProofs([{ ...other, file }]);
    expect(/NFE_EMPRESA_ID/.test(remark?.advice ?? '')).toBe(isNamed);
  });

  test('is not to be changed where the service fails at it, whatever it holds', () => {
    const [remark] = judgeProofs([{ ...other, trouble: 'target' }]);
    expect(remark?.advice).toBe('what needs it will not be exercised');
  });

  test('meets no need that the target did not bear out, and gives its answer as the reason', () => {
    const { unproven } = provenAt(address, { proofs: [held, other], empresas: {} });
    const lack = { reason: other.found, trouble: 'settings' };
    expect(unproven).toEqual({ 'accepted-issuance': lack, 'authorised-issuance': lack });
  });
});

const must = mustJudged(catalogue, true);
const nothing = { requireComplete: false, requireLevel: undefined };

test('a target that lacks nothing has every judged must clause exercised', () => {
  const coverage = coverageOf(() => undefined, true);
  expect(coverage).toMatchObject({ exercised: must.length, judged: must.length, withheld: [] });
  const required = { requireComplete: true, requireLevel: 'control' } as const;
  expect(judgeCoverage(coverage, required).map(({ state }) => state)).toEqual(['ok']);
});

describe('a target without a movable clock', () => {
  const missing = (need: string): string | undefined => (need === 'movable-clock' ? 'needs a clock' : undefined);
  const coverage = coverageOf(
    (need) => missing(need) ?? missing(need === 'stored-deliveries' ? 'movable-clock' : ''),
    true,
  );

  test('loses the must clauses that need one, and says why', () => {
    const isNeedy = must.filter(({ needs = [] }) => needs.includes('movable-clock'));
    expect(coverage.exercised).toBe(must.length - isNeedy.length);
    const [head, ...rest] = judgeCoverage(coverage, nothing);
    expect(head?.found).toBe(`${coverage.exercised} of ${must.length} must clauses will be exercised`);
    const lines = rest.map((finding) => findingLine(finding, false));
    expect(lines.join('\n')).toBe(
      `○ not set  clauses: ${isNeedy.length} must clauses will not be exercised: needs a clock`,
    );
  });

  test('has those exercised that stored deliveries show, too', () => {
    const withStored = coverageOf(missing, true);
    const ladder = must.filter(({ needsInstead }) => needsInstead?.includes('stored-deliveries'));
    expect(ladder.length).toBeGreaterThan(0);
    expect(withStored.exercised).toBe(coverage.exercised + ladder.length);
  });
});

test('what a sandbox gives no leave for is withheld, and in no other number', () => {
  const coverage = coverageOf((need) => (need === 'real-issuance' ? 'needs leave' : undefined), false);
  expect(coverage).toMatchObject({ exercised: must.length - 1, judged: must.length - 1 });
  expect(judgeCoverage(coverage, { ...nothing, requireComplete: true }).map((one) => findingLine(one, false))).toEqual([
    `✓ ok       clauses: ${must.length - 1} of ${must.length - 1} must clauses will be exercised`,
    '○ not set  clauses: 1 must clause withheld, for what might issue a real invoice → set NFE_ALLOW_PRODUCAO, or NFE_CONTROL_URL with NFE_CONTROL_TOKEN',
  ]);
});

test('what would be exercised is no promise where a problem hinders the run', () => {
  const [head] = judgeCoverage(
    coverageOf(() => undefined, true),
    nothing,
    true,
  );
  expect(head && findingLine(head, false)).toMatch(
    /^– skipped {2}clauses: \d+ of \d+ must clauses would be exercised, were it not for what is a problem$/,
  );
});

describe('what is required in vain is a warning', () => {
  const coverage = coverageOf((need) => (need === 'disabled-application' ? 'needs one' : undefined), true);
  const states = (required: Parameters<typeof judgeCoverage>[1]): string[] =>
    judgeCoverage(coverage, required).map(({ state }) => state);

  test('NFE_REQUIRE_COMPLETE where a must clause is not exercised', () => {
    expect(states({ ...nothing, requireComplete: true })).toEqual(['ok', 'not set', 'warning']);
    expect(states(nothing)).toEqual(['ok', 'not set']);
  });

  test('NFE_REQUIRE_LEVEL where that is of the level or of one below it', () => {
    const open = must.filter(({ needs = [] }) => needs.includes('disabled-application'));
    expect(new Set(open.map(assuranceOf))).toEqual(new Set(['credentials']));
    expect(states({ ...nothing, requireLevel: 'secret' })).toEqual(['ok', 'not set']);
    for (const requireLevel of ['credentials', 'control'] as const) {
      expect(judgeCoverage(coverage, { ...nothing, requireLevel }).at(-1)?.found).toBe(
        `it is ${requireLevel}, of which ${open.length} must clauses will not be exercised: npm test will end with 1`,
      );
    }
  });
});

test('what a setting adds is told with the settings that must be beside it; a control API adds all that needs more than a profile', () => {
  expect(additionOf('NFE_CONTROL_URL')).toMatch(/^set it with NFE_CONTROL_TOKEN for \d+ must clauses more \(/);
  expect(additionOf('NFE_APP_SECRET_ROTATED')).toBe('set it for 1 must clause more (token 1)');
  expect(additionOf('NFE_SEED')).toBeUndefined();
  const needsMore = (need: NeedName): boolean => !Object.hasOwn(needs[need], 'profileFiles');
  expect(additions().at(-1)?.clauses).toEqual(must.filter((clause) => clause.needs?.some(needsMore)));
});

test('a company from an earlier run is used', async () => {
  const send = async ({ method, path }: Call): Promise<Exchange> => ({
    request: { method, target: path, headers: [], parts: { token: '', path, body: Buffer.alloc(0), timestamp: '' } },
    response: {
      status: path.endsWith('/empresas') ? 400 : 200,
      headers: [],
      rawBody: Buffer.from('{"status":"Autorizada"}'),
    },
    durationMs: 1,
  });
  const profile = readProfile(settingsTable.profile.default);
  const memory = { recall: () => 'E-0', keep: () => undefined };
  const isWanted = (need: NeedName): boolean => need === 'empresa' || need === 'authorised-issuance';
  const proven = await proveProfile({ profile, address, send, memory, pause: async () => false, isWanted });
  expect(proven.empresas.own?.empresaId).toBe('E-0');
  expect(judgeProofs(proven.proofs).map((remark) => findingLine(remark, false))).toEqual([
    '✓ ok       profile tried: 2 of 2 parts came out as it says: empresa.json, nf-e.autorizada.json',
  ]);
});

describe('a certificate that is in force only after a while', () => {
  /** A target that refuses so many issuances, and takes all that comes. */
  async function proven(refusals: number, certificatePausesMs: readonly number[]): Promise<ProvenProfile> {
    let left = refusals;
    const said = (status: number, body: unknown): Response => ({
      status,
      headers: [],
      rawBody: Buffer.from(JSON.stringify(body)),
    });
    const send = async ({ method, path }: Call): Promise<Exchange> => {
      const isRefused = path.endsWith('/nf-e') && left-- > 0;
      const response = isRefused ? said(400, []) : said(200, { empresaId: 'e', status: 'Autorizada' });
      return {
        request: {
          method,
          target: path,
          headers: [],
          parts: { token: '', path, body: Buffer.alloc(0), timestamp: '' },
        },
        response,
        durationMs: 1,
      };
    };
    const wanted: ReadonlySet<string> = new Set(['empresa', 'authorised-issuance']);
    const profile = readProfile(settingsTable.profile.default);
    const isWanted = (need: string): boolean => wanted.has(need);
    return proveProfile({ profile, address, send, pause: async () => false, certificatePausesMs, isWanted });
  }

  test.each([
    [0, [5], 'holds', undefined],
    [2, [1, 2, 4], 'holds', 3],
    [9, [1, 2], 'otherwise', undefined],
    [1, [], 'otherwise', undefined],
  ] as const)('%i refusals, pauses of %j', async (refusals, pauses, state, waitedMs) => {
    const { proofs, certificateMs } = await proven(refusals, pauses);
    expect(proofs.map((proof) => [proof.file, proof.state])).toEqual([
      ['empresa.json', 'holds'],
      ['nf-e.autorizada.json', state],
    ]);
    expect(certificateMs).toBe(waitedMs);
    expect(
      provenAt(address, { proofs, empresas: {}, ...(waitedMs ? { certificateMs: waitedMs } : {}) }).certificateMs,
    ).toBe(waitedMs);
  });
});

/** In front of a simulator: a first issuance takes a second, and a certificate a fifth until it is in force. */
async function coldWith(simulator: Simulator): Promise<string> {
  const certified = new Map<string, number>();
  let isWarm = false;
  return servedBy(async (incoming, outgoing) => {
    const { method = 'GET', url = '/', rawHeaders } = incoming;
    const sent = await buffer(incoming);
    const [, empresaId = '', what = ''] = /^\/openapi\/v\d\/empresas\/([^/]+)\/([^/]+)$/.exec(url) ?? [];
    if (what === 'nf-e' && !isWarm) {
      isWarm = true;
      await sleep(1_000);
    }
    if (what === 'nf-e' && Date.now() - (certified.get(empresaId) ?? 0) < 200)
      return void outgoing
        .writeHead(400, { 'content-type': 'application/json' })
        .end('[{"codigo":"C","mensagem":"x"}]');
    const forwarded = request(`${simulator.baseUrl}${url}`, { method, headers: rawHeaders }, (response) => {
      if (what === 'certificadoDigital') certified.set(empresaId, Date.now());
      outgoing.writeHead(response.statusCode ?? 500, response.rawHeaders);
      response.pipe(outgoing);
    });
    forwarded.end(sent);
  });
}

test(
  'what waits for its turn for longer than answers are waited for is asked all the same',
  { timeout: 20_000 },
  async () => {
    const baseUrl = await servedBy(answering(200));
    const session = openSession(foreignAddress(baseUrl, { maxRps: 0.13 }), { memory: ledgerMemory(), budget: 100 });
    const ask = () => session.ask('a-secret', echoCall('a turn of 7.7 s'), 0);
    await ask();
    expect((await ask()).answer).toMatchObject({ status: 200 });
    await session.target.close();
  },
);

test('how long a certificate takes is learned also where a first issuance takes longer', async () => {
  const simulator = await startSimulator();
  try {
    const { controlUrl: url = '', controlToken: token = '' } = simulator;
    const at = foreignAddress(await coldWith(simulator), { control: { url, token }, settleTimeoutSeconds: 10 });
    const session = openSession(at, { memory: ledgerMemory(), budget: 100 });
    const isWanted = (need: NeedName): boolean => need === 'empresa' || need === 'authorised-issuance';
    const { certificateMs } = await examineProfile(session, at, settingsWith(settingsTable.profile.default), isWanted);
    await session.target.close();
    expect(certificateMs).toBe(1_000);
  } finally {
    await simulator.stop();
  }
});

test.each([
  [404, '{"code":1,"message":"x"}', 'holds'],
  [200, '{"cnpj":"1"}', 'otherwise'],
  [200, '{}', 'open'],
  [200, 'null', 'open'],
  [204, '', 'open'],
] as const)(
  'an unknown number that is answered %i %j is proven as %s: who tells of nobody knows nobody',
  async (status, body, state) => {
    const send = async ({ method, path }: Call): Promise<Exchange> => ({
      request: { method, target: path, headers: [], parts: { token: '', path, body: Buffer.alloc(0), timestamp: '' } },
      response: { status, headers: [], rawBody: Buffer.from(body) },
      durationMs: 1,
    });
    const profile = readProfile(settingsTable.profile.default);
    const isWanted = (need: string): boolean => need === 'unknown-cnpj';
    const { proofs } = await proveProfile({ profile, address, send, pause: async () => false, isWanted });
    expect(proofs.map((proof) => proof.state)).toEqual([state]);
  },
);

test('an unknown number that is found once another one was is proven all the same', async () => {
  const found = new Set<string>();
  const send = async ({ method, path }: Call): Promise<Exchange> => {
    const [registry = '', number = ''] = path.split('/').slice(4);
    if (!number.startsWith('404') && !number.includes('0404')) found.add(registry);
    const response = found.has(registry)
      ? { status: 200, headers: [], rawBody: Buffer.from('{"nome":"X"}') }
      : { status: 404, headers: [], rawBody: Buffer.from('{"code":1,"message":"x"}') };
    const parts = { token: '', path, body: Buffer.alloc(0), timestamp: '' };
    return { request: { method, target: path, headers: [], parts }, response, durationMs: 1 };
  };
  const profile = readProfile(settingsTable.profile.default);
  const numbers = new Set(['known-cnpj', 'unknown-cnpj', 'known-cpf', 'unknown-cpf']);
  const isWanted = (need: string): boolean => numbers.has(need);
  const { proofs } = await proveProfile({ profile, address, send, pause: async () => false, isWanted });
  expect(proofs.map((proof) => proof.state)).toEqual(['holds', 'holds', 'holds', 'holds']);
});

test.each([
  [[500, 200], 'holds'],
  [[500, 500], 'otherwise'],
  [[400, 400], 'otherwise'],
  // It is refused only unless it is to be verified anew.
  [[400, 200], 'holds'],
] as const)(
  'a document that is answered %j is proven as %s: what breaks at it, or refuses it, is asked once more',
  async (statuses, state) => {
    let asked = 0;
    const send = async ({ method, path }: Call): Promise<Exchange> => {
      const status = statuses[asked++] ?? 200;
      const body = status === 200 ? '{"validation":{"validationStatus":"VALIDATED"}}' : '';
      const parts = { token: '', path, body: Buffer.alloc(0), timestamp: '' };
      const response = { status, headers: [], rawBody: Buffer.from(body) };
      return { request: { method, target: path, headers: [], parts }, response, durationMs: 1 };
    };
    const profile = readProfile(settingsTable.profile.default);
    const isWanted = (need: string): boolean => need === 'valid-document';
    const { proofs } = await proveProfile({ profile, address, send, pause: async () => false, isWanted });
    expect(proofs.map((proof) => [proof.file, proof.state])).toEqual([['verificacao.autorizada.xml', state]]);
  },
);
