import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Call } from '../contract/request.ts';
import { pathCall } from '../generators/calls.ts';
import { chaveCheckDigit } from '../generators/domain.ts';
import { freshId } from '../generators/nfe-ids.ts';
import { issueSettled, issuerOf } from '../specs/kit/life-cycle.ts';
import { attemptsOfLadder, climbLadder } from '../simulator/testing/receiver.ts';
import { load, signedBytes } from './http-load.ts';
import { byTurns, type Row, addressOf, openTrial, serve, type Served } from './measure.ts';
import { issuanceCall } from '../generators/issuance.ts';

const fewest = 1_000;
const turn = { query: 300, issuance: 100, lookup: 600 } as const;
const pairs = 5;

/** A simulator that knows so many invoices of one company. */
interface Grown {
  readonly count: number;
  readonly served: Served;
  readonly bytesOf: (kind: keyof typeof turn) => Buffer;
}

/** What a request costs with more and more invoices, against what it costs with a thousand; and the memory that it takes. */
export async function growthRows(counts: readonly number[]): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'nfe-bench-'));
  const all: Grown[] = [];
  try {
    for (const count of [fewest, ...counts]) all.push(await grown(join(folder, `${count}.db`), count));
    const rows: Row[] = [];
    const [few] = all;
    for (const many of all.slice(1)) for (const kind of kinds) if (few) rows.push(await compared(kind, few, many));
    for (const { count, served } of all) rows.push(memoryRow(count, (await served.usage()).memoryBytes));
    return rows;
  } finally {
    await Promise.all(all.map(({ served }) => served.stop()));
    rmSync(folder, { recursive: true, force: true });
  }
}

const kinds = ['query', 'issuance', 'lookup'] as const;

async function compared(kind: (typeof kinds)[number], few: Grown, many: Grown): Promise<Row> {
  const msOf =
    ({ served, bytesOf }: Grown) =>
    async (): Promise<number> => {
      const before = await served.usage();
      const { statuses } = await load(served.port, 8, () => bytesOf(kind), { requests: turn[kind] });
      if (statuses.get(200) !== turn[kind]) throw new Error(`${kind}: answered ${JSON.stringify([...statuses])}`);
      return ((await served.usage()).cpuMs - before.cpuMs) / turn[kind];
    };
  const { one, other, ratio } = await byTurns(pairs, msOf(many), msOf(few));
  const what = `growth: ${kind}, ${many.count.toLocaleString('en')} invoices against ${few.count.toLocaleString('en')}`;
  return { what, measured: one, limit: other, unit: 'ms', ratio, goal: { atMost: 1.2 } };
}

function memoryRow(count: number, bytes: number): Row {
  const megabytes = bytes / 2 ** 20;
  return {
    what: `memory: ${count.toLocaleString('en')} invoices on a data file`,
    measured: megabytes,
    unit: 'MiB',
    ratio: 1,
  };
}

/** Starts a simulator on a data file in which one invoice, settled as any, stands so many times. */
async function grown(dataFile: string, count: number): Promise<Grown> {
  const first = await serve('simulator', dataFile);
  const trial = openTrial(addressOf(first));
  const { caller, empresaId } = await issuerOf(trial.t);
  await issueSettled(trial.t, { caller, empresaId });
  const invoice = trial.target.profile.json('nf-e.autorizada.json') ?? {};
  await trial.close();
  await first.stop();
  multiply(dataFile, count);
  const served = await serve('simulator', dataFile);
  const some = (): number => 1 + Math.floor(Math.random() * (count - 1));
  const calls: Readonly<Record<keyof typeof turn, () => Call>> = {
    query: () => pathCall('nfe-query', { empresaId, nfeId: `copy-${some()}` }),
    issuance: () => issuanceCall(empresaId, invoice, { id: freshId(), ambienteEmissao: 'Homologacao' }),
    lookup: () => pathCall('chave-lookup', { chave: chaveOf(some()) }),
  };
  return { count, served, bytesOf: (kind) => signedBytes(caller, calls[kind]()) };
}

function chaveOf(numero: number): string {
  const start = `35310599999991000125550020${String(numero).padStart(8, '0')}100012345`;
  return `${start}${chaveCheckDigit(start)}`;
}

/** Copies the invoice of a data file, and what the authority knows of it, under other ids and chaves. */
function multiply(dataFile: string, count: number): void {
  const database = new DatabaseSync(dataFile);
  const copy = database.prepare(`INSERT INTO invoices SELECT NULL, empresa_id, ?, app_key, ambiente, content, 2, ?, ?,
    issued_ms, due_ms, outcome, settled_ms, motivo, protocolo, xml FROM invoices WHERE id = 1`);
  const record = database.prepare('INSERT INTO authority_records SELECT ?, record FROM authority_records LIMIT 1');
  database.exec('PRAGMA synchronous = OFF; BEGIN');
  for (let numero = 1; numero < count; numero++) {
    copy.run(`copy-${numero}`, numero, chaveOf(numero));
    record.run(chaveOf(numero));
  }
  database.exec('COMMIT');
  database.close();
}

/** What an attempt at a delivery costs as a clock moves through the whole ladder of many, against that of a thousand. */
export async function ladderRows(counts: readonly number[]): Promise<readonly Row[]> {
  await climbLadder(fewest);
  const fewMs = await climbLadder(fewest);
  const perAttempt = (ms: number, count: number): number => (1000 * ms) / (count * attemptsOfLadder);
  const rows: Row[] = [];
  for (const count of counts) {
    const ms = await climbLadder(count);
    const [measured, limit] = [perAttempt(ms, count), perAttempt(fewMs, fewest)];
    const what = `clock: an attempt, of ${count.toLocaleString('en')} pending deliveries against 1,000`;
    rows.push({ what, measured, limit, unit: 'µs', ratio: measured / limit, goal: { atMost: 1.2 } });
    if (count !== 10_000) continue;
    const whole = { what: 'clock: the whole ladder of 10,000 deliveries', measured: ms / 1000, limit: 5, unit: 's' };
    rows.push({ ...whole, ratio: ms / 5000, goal: { atMost: 1 } });
  }
  return rows;
}
