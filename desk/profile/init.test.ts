import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { ledgerMemory } from '../../targets/traffic/ledger.ts';
import { needs } from '../../contract/clause.ts';
import { profileFiles, readProfile } from '../../targets/profile.ts';
import type { ForeignOptions } from '../../targets/testing/foreign/world.ts';
import {
  writeForeignProfile,
  secretSettings,
  startForeign,
  type ForeignServer,
} from '../../targets/testing/foreign/foreign-server.ts';
import { examine } from '../../runner/preflight/examine.ts';
import type { Proof } from '../../runner/preflight/profile-proof.ts';
import { readSettings } from '../../runner/settings/settings.ts';
import { sandboxAddress } from '../../runner/settings/target-address.ts';
import { withServer } from '../../runner/testing/runs.ts';
import { checkProfile } from '../profile.ts';
import { initProfile } from './init.ts';
import { newFolder } from '../../runner/testing/folders.ts';

const root = newFolder();
const right = join(root, 'right');
beforeAll(() => writeForeignProfile(right));

let folders = 0;

/** The path of a folder that is not there yet. */
function nowhere(): string {
  folders += 1;
  return join(root, `folder-${folders}`);
}

/** A copy of the profile that suits a strict foreign server, with some of its files changed. */
function copyWith(change: Readonly<Record<string, string | undefined>>): string {
  const folder = nowhere();
  cpSync(right, folder, { recursive: true });
  for (const [name, text] of Object.entries(change)) {
    if (text === undefined) rmSync(join(folder, name));
    else writeFileSync(join(folder, name), text);
  }
  return folder;
}

interface Wish {
  readonly from?: readonly string[];
  readonly folder?: string;
  readonly isForced?: boolean;
  readonly isPlan?: boolean;
  readonly settings?: Readonly<Record<string, string>>;
  /** Told of each line as it is printed. */
  readonly onLine?: (line: string) => void;
}

interface Ended {
  readonly status: number;
  readonly folder: string;
  readonly printed: string;
  readonly record: Recorded;
}

interface Recorded {
  readonly target?: string;
  readonly at?: string;
  readonly suite?: { readonly version: string };
  readonly proved: readonly { readonly file: string; readonly status: number; readonly needs: readonly string[] }[];
  readonly missing: readonly {
    readonly file: string;
    readonly part?: string;
    readonly why: string;
    readonly todo: string;
  }[];
}

/** Searches for a profile by these settings. */
async function search(settings: Readonly<Record<string, string>>, wish: Wish = {}): Promise<Ended> {
  const { from = [], folder = nowhere(), isForced = false, isPlan = false } = wish;
  const lines: string[] = [];
  const asked = { command: 'init', folder, from, isForced, isPlan } as const;
  const read = readSettings({ NFE_REPORT_DIR: root, ...settings, ...wish.settings });
  const print = (line: string): void => {
    lines.push(line);
    wish.onLine?.(line);
  };
  const status = await initProfile(asked, read, {}, print);
  const path = join(folder, 'proved.json');
  const none: Recorded = { proved: [], missing: [] };
  const record: unknown = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : none;
  if (!isRecorded(record)) throw new Error('proved.json is no record');
  return { status, folder, printed: lines.join('\n'), record };
}

function isRecorded(value: unknown): value is Recorded {
  return typeof value === 'object' && value !== null && 'proved' in value && 'missing' in value;
}

/** Starts a foreign server for one test. */
async function at<T>(options: ForeignOptions, use: (server: ForeignServer) => Promise<T>): Promise<T> {
  const server = await startForeign({ settleMs: 10, ...options });
  try {
    return await use(server);
  } finally {
    await server.stop();
  }
}

/** The settings of whoever knows that server by its secret, with little patience. */
function settingsOf(server: ForeignServer): Record<string, string> {
  return { ...secretSettings(server), NFE_SETTLE_TIMEOUT: '2' };
}

/** What the preflight of a run says of a profile. */
async function preflight(server: ForeignServer, folder: string): Promise<readonly Proof[]> {
  const settings = readSettings({ NFE_REPORT_DIR: root, ...settingsOf(server), NFE_PROFILE: folder });
  const traffic = { memory: ledgerMemory(), budget: 0 };
  return (await examine(settings, sandboxAddress(settings, {}), traffic)).proofs;
}

/** What the record says was proved, and the preflight finds otherwise. */
function brokenOf({ record }: Ended, proofs: readonly Proof[]): string[] {
  const claimed = new Set(record.proved.flatMap((one) => one.needs));
  return proofs.flatMap((proof) => (proof.state === 'holds' ? [] : proof.needs)).filter((need) => claimed.has(need));
}

function missing({ record }: Ended): string[] {
  return record.missing.map(({ file, part }) => (part === undefined ? file : `${file} ${part}`));
}

describe.concurrent('a profile that suits the target', () => {
  test('is found in the folder that has it, file by file as it stands there, and the preflight proves all of it', async () => {
    await at({}, async (server) => {
      const ended = await search(settingsOf(server), { from: [right] });
      expect(ended.status).toBe(0);
      for (const file of Object.keys(profileFiles)) {
        expect(readFileSync(join(ended.folder, file)), file).toEqual(readFileSync(join(right, file)));
      }
      expect(ended.printed).toContain(
        'Found 14 of 14 parts; 2 companies and 2 invoices (Homologacao) were left at the target.',
      );
      expect(server.sent).toMatchObject({ invoices: 2, cancellations: 0, webhooks: 0 });
      const proofs = await preflight(server, ended.folder);
      expect(proofs).toHaveLength(11);
      expect(proofs.filter(({ state }) => state !== 'holds')).toEqual([]);
      // What each file proved is recorded: by which answer, where, when and by which version.
      const { record } = ended;
      expect(record).toMatchObject({
        target: server.baseUrl,
        suite: { version: expect.any(String) as unknown },
        missing: [],
      });
      expect(Date.parse(record.at ?? '')).toBeGreaterThan(Date.now() - 60_000);
      expect(new Set(record.proved.map(({ file }) => file))).toEqual(new Set(Object.keys(profileFiles)));
      const withFiles = Object.entries(needs).filter(([, need]) => 'profileFiles' in need);
      const proved = new Set(record.proved.flatMap((one) => one.needs));
      expect(proved).toEqual(new Set(withFiles.map(([name]) => name)));
      expect(record.proved.find(({ file }) => file === 'nf-e.invalida.json')?.status).toBe(400);
    });
  });

  test('is found where its files stand under each other’s names', async () => {
    const text = (file: string): string => readFileSync(join(right, file), 'utf8');
    const { unknown, ...known } = readProfile(right).consultas ?? {};
    const from = copyWith({
      'nf-e.autorizada.json': text('nf-e.negada.json'),
      'nf-e.negada.json': text('nf-e.autorizada.json'),
      'verificacao.autorizada.xml': text('verificacao.rejeitada.xml'),
      'verificacao.rejeitada.xml': text('verificacao.autorizada.xml'),
      'consultas.json': JSON.stringify({ ...unknown, unknown: known }),
    });
    await at({}, async (server) => {
      const ended = await search(settingsOf(server), { from: [from] });
      expect(missing(ended)).toEqual([]);
      for (const file of ['nf-e.autorizada.json', 'nf-e.negada.json']) {
        expect(readFileSync(join(ended.folder, file), 'utf8'), file).toBe(text(file));
      }
      const proofs = await preflight(server, ended.folder);
      expect(proofs.filter(({ state }) => state !== 'holds')).toEqual([]);
    });
  });

  test.each([
    ['an authorised body that is refused', 'nf-e.autorizada.json', '{"cabecalho":{}}', ['nf-e.autorizada.json']],
    ['an invalid body that is authorised', 'nf-e.invalida.json', readForeign('nf-e.autorizada.json'), []],
    ['a valid document that is none', 'verificacao.autorizada.xml', '<nfeProc/>', []],
    ['other names for the parts of the upload', 'certificado.json', '{"file":"x","fields":{}}', []],
  ])('with %s lacks no more than nobody can find out', async (_, file, text, lacking) => {
    await at({}, async (server) => {
      const ended = await search(settingsOf(server), { from: [copyWith({ [file]: text })] });
      expect(missing(ended)).toEqual(lacking);
      expect(ended.status).toBe(lacking.length === 0 ? 0 : 1);
      const proofs = await preflight(server, ended.folder);
      expect(brokenOf(ended, proofs)).toEqual([]);
    });
  });
});

/** A file of the foreign profile, before any test. */
function readForeign(file: string): string {
  writeForeignProfile(right);
  return readFileSync(join(right, file), 'utf8');
}

describe.concurrent('a target of which nothing is known', () => {
  test('gets the default profile tried: what held is written, what did not is told with what to do', async () => {
    await at({}, async (server) => {
      const ended = await search(settingsOf(server));
      expect(ended.status).toBe(1);
      expect(missing(ended)).toEqual(['nf-e.autorizada.json', 'nf-e.negada.json', 'verificacao.autorizada.xml']);
      expect(ended.record.missing[0]?.why).toContain('Falta o objeto cabecalho');
      const [authorised, denied, valid] = ended.record.missing.map(({ file, todo }) => `${file} → ${todo}`);
      for (const line of [`✗ missing  ${authorised}`, `✗ missing  ${denied}`, `! partly   ${valid}`]) {
        expect(ended.printed).toContain(line);
      }
      expect(ended.printed).toContain('; 2 companies and 0 invoices (Homologacao) were left at the target.');
      expect(server.sent.invoices).toBe(0);
      expect(brokenOf(ended, await preflight(server, ended.folder))).toEqual([]);
    });
  });

  const all = Object.keys(profileFiles);

  test.each<[string, ForeignOptions, string[]]>([
    ['takes any body', { issuance: 'lenient' }, ['nf-e.negada.json', 'nf-e.invalida.json']],
    ['rejects every document', { documents: 'none' }, ['verificacao.autorizada.xml']],
    ['finds every document valid that it has not seen otherwise', { documents: 'all' }, []],
    ['can judge no document', { documents: 'unjudged' }, ['verificacao.autorizada.xml', 'verificacao.rejeitada.xml']],
    ['takes no company', { companies: 'none' }, all.filter((file) => /empresa|certificado|nf-e/.test(file))],
  ])('and that %s is asked within bounds, and what is missing is told', async (_, options, lacking) => {
    await at(options, async (server) => {
      const ended = await search(settingsOf(server), { from: [right] });
      expect(missing(ended).toSorted()).toEqual(lacking.toSorted());
      expect(ended.status).toBe(lacking.length === 0 ? 0 : 1);
      expect(server.sent.companies).toBeLessThanOrEqual(3);
      expect(server.sent.invoices).toBeLessThanOrEqual(8);
      expect(brokenOf(ended, await preflight(server, ended.folder))).toEqual([]);
    });
  });
});

describe.concurrent('a search', () => {
  test('by --plan says what it would try, and sends nothing', async () => {
    await at({}, async (server) => {
      const { status, printed, folder } = await search(settingsOf(server), { from: [right], isPlan: true });
      expect(status).toBe(0);
      expect(printed).toContain('At most 3 companies (12 certificate uploads each) and 8 invoices stay at the target');
      expect(existsSync(folder)).toBe(false);
      expect(server.sent.requests).toBe(0);
    });
  });

  test('that might reach production is refused before anything is sent', async () => {
    await at({}, async (server) => {
      const wish = { settings: { NFE_ALLOW_PRODUCAO: 'true' } };
      await expect(search(settingsOf(server), wish)).rejects.toThrow(/^NFE_ALLOW_PRODUCAO is set/);
      expect(server.sent.requests).toBe(0);
    });
  });

  test('holds back a body that a server might read as an issuance in production', async () => {
    const body = JSON.stringify({ ...JSON.parse(readForeign('nf-e.autorizada.json')), AmbienteEmissao: 'Producao' });
    await at({}, async (server) => {
      const ended = await search(settingsOf(server), { from: [copyWith({ 'nf-e.autorizada.json': body })] });
      expect(ended.printed).toMatch(/nf-e\.autorizada\.json: held back, since its body has 2 fields ambienteEmissao/);
      expect(missing(ended)).toEqual(['nf-e.autorizada.json']);
    });
  });

  test('overwrites nothing unless it is forced to, and then leaves alone what it found nothing better for', async () => {
    await at({}, async (server) => {
      const folder = nowhere();
      mkdirSync(folder);
      writeFileSync(join(folder, 'nf-e.negada.json'), '{"meu":1}');
      writeFileSync(join(folder, 'LEIAME.txt'), 'meu');
      await expect(search(settingsOf(server), { folder })).rejects.toThrow(/has a nf-e\.negada\.json: .*--force/);
      expect(server.sent.requests).toBe(0);
      const ended = await search(settingsOf(server), { folder, isForced: true });
      expect(readFileSync(join(folder, 'nf-e.negada.json'), 'utf8')).toBe('{"meu":1}');
      expect(ended.printed).toContain('Left as they were, unproven: nf-e.negada.json.');
      expect(readFileSync(join(folder, 'LEIAME.txt'), 'utf8')).toBe('meu');
      expect(readdirSync(folder)).toContain('empresa.json');
      expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([]);
    });
  });

  test('leaves no folder behind where the target can’t be tested', async () => {
    await at({}, async (server) => {
      const wish = { settings: { NFE_APP_SECRET: 'another-secret-1' } };
      const folder = nowhere();
      await expect(search(settingsOf(server), { folder, ...wish })).rejects.toThrow(/10009002/);
      expect(existsSync(folder)).toBe(false);
      expect(server.sent.companies).toBe(0);
    });
  });

  test('leaves none where the target goes away in the middle, and says what was left there', async () => {
    await at({}, async (server) => {
      const folder = nowhere();
      const onLine = (line: string): void => void (line.includes(' nf-e.autorizada.json: ') && server.stop());
      await expect(search(settingsOf(server), { folder, from: [right], onLine })).rejects.toThrow(
        /target (?:unavailable|lost).*; nothing was written, and 2 companies and 1 invoice \(Homologacao\) were left at the target/,
      );
      expect(existsSync(folder)).toBe(false);
    });
  });

  test('refuses a folder that can’t be made before anything is sent', async () => {
    await at({}, async (server) => {
      const file = join(root, 'a-file');
      writeFileSync(file, '');
      await expect(search(settingsOf(server), { folder: join(file, 'profile') })).rejects.toThrow(
        /can't be written \(/,
      );
      expect(server.sent.requests).toBe(0);
    });
  });

  test('issues for the company that NFE_EMPRESA_ID names, and seeks none in its place', async () => {
    await at({}, async (server) => {
      const settings = settingsOf(server);
      const first = await search(settings, { from: [right] });
      const empresaId = /"empresaId":"(emp_[^"]+)"/.exec(first.printed)?.[1] ?? '';
      const ended = await search({ ...settings, NFE_EMPRESA_ID: empresaId }, { from: [right] });
      expect(ended.printed).toContain('; 1 company and 2 invoices (Homologacao)');
      expect(missing(ended)).toEqual([]);
      expect(existsSync(join(ended.folder, 'empresa.json'))).toBe(false);
      expect(ended.record.proved.map(({ file }) => file)).toContain('nf-e.autorizada.json');
    });
  });

  test('shows and records no secret, even of a target that repeats what it was sent', async () => {
    const secret = 'a-very-secret-app-secret';
    await withServer(
      (incoming, outgoing) => {
        const parts: Buffer[] = [];
        incoming.on('data', (part: Buffer) => void parts.push(part));
        incoming.on('end', () => {
          const isEcho = incoming.url === '/openapi/demo/echo';
          const isCompany = incoming.url === '/openapi/v2/empresas';
          const serverTime = new Date().toISOString();
          const repeated = { code: 1, message: Buffer.concat(parts).toString('latin1'), headers: incoming.headers };
          const json = isEcho
            ? { success: true, data: { serverTime, appKey: 'k', appName: 'n', echo: 'x' } }
            : repeated;
          const status = isEcho || isCompany ? 200 : 400;
          outgoing.writeHead(status, { 'content-type': 'application/json', date: new Date().toUTCString() });
          outgoing.end(JSON.stringify(isCompany ? { empresaId: 'e1' } : json));
        });
      },
      async (baseUrl) => {
        const settings = { NFE_BASE_URL: baseUrl, NFE_APP_SECRET: secret, NFE_MAX_RPS: '0' };
        const ended = await search(settings, { from: [right] });
        const everything = ended.printed + readFileSync(join(ended.folder, 'proved.json'), 'utf8');
        expect(everything).toContain('$NFE_APP_SECRET');
        expect(everything).toContain('$certificado.json:pin');
        for (const hidden of [secret, 'pin-de-exemplo-31415', 'Kz8vQ2mXw4Rt']) expect(everything).not.toContain(hidden);
      },
    );
  });
});

describe.concurrent('a check of a profile', () => {
  async function check(server: ForeignServer, folder: string): Promise<{ status: number; printed: string }> {
    const lines: string[] = [];
    const settings = readSettings({ NFE_REPORT_DIR: root, ...settingsOf(server), NFE_PROFILE: folder });
    const status = await checkProfile(settings, {}, (line) => void lines.push(line));
    return { status, printed: lines.join('\n') };
  }

  test('ends with 0 where all of it came out, and says when it was put together', async () => {
    await at({}, async (server) => {
      const { folder, record } = await search(settingsOf(server), { from: [right] });
      const { status, printed } = await check(server, folder);
      expect(status).toBe(0);
      expect(printed).toMatch(/^✓ ok {7}profile tried: 11 of 11 parts came out as it says/m);
      expect(printed).toContain(`proved.json: it was put together at ${record.at} for ${server.baseUrl}`);
    });
  });

  test('ends with 1 and the answer where a part did not come out', async () => {
    await at({}, async (server) => {
      const { status, printed } = await check(server, copyWith({ 'nf-e.negada.json': '{}' }));
      expect(status).toBe(1);
      expect(printed).toMatch(
        /^! warning {2}profile tried: the profile's nf-e\.negada\.json was refused: 400: .*cabecalho/m,
      );
    });
  });

  test('refuses a folder that can’t be read', async () => {
    await at({}, async (server) => {
      await expect(check(server, nowhere())).rejects.toThrow(/ENOENT/);
    });
  });
});
