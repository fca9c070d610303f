import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ledgerMemory } from '../../targets/traffic/ledger.ts';
import { foreignAddress } from '../../targets/testing/server.ts';
import { findingLine } from '../../desk/doctor/doctor-lines.ts';
import { newFolder } from '../testing/folders.ts';
import type { Remark } from './finding.ts';
import { proveProfile, type Proof, type ProvenProfile } from './profile-proof.ts';
import type { Call } from '../../contract/request.ts';
import type { Exchange, Response } from '../../trace/exchange.ts';
import { readProfile } from '../../targets/profile.ts';
import { settingsTable } from '../settings/settings-table.ts';
import { examineProfile, judgeProofs, provenAt } from './profile.ts';
import { openSession } from './session.ts';

const folder = newFolder();

const address = foreignAddress('http://127.0.0.1:9');

/** What is found of a profile that is only read. */
async function read(profile: string): Promise<readonly Remark[]> {
  const session = openSession(address, { memory: ledgerMemory(), budget: 0 });
  const { findings } = await examineProfile(session, address, { profile }, undefined);
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

  test('meets no need that the target did not bear out, and gives its answer as the reason', () => {
    const { unproven } = provenAt(address, { proofs: [held, other], empresas: {} });
    const lack = { reason: other.found, trouble: 'settings' };
    expect(unproven).toEqual({ 'accepted-issuance': lack, 'authorised-issuance': lack });
  });
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
