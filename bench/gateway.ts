import type { Call } from '../contract/request.ts';
import { echoCall, jsonCall, pathCall, xmlCall } from '../generators/calls.ts';
import { freshId } from '../generators/nfe-ids.ts';
import { issueSettled, issuerOf, type Issuer, xmlLinkOf } from '../specs/kit/life-cycle.ts';
import type { Caller } from '../targets/applications.ts';
import type { JsonObject, JsonValue } from '../targets/profile.ts';
import { load, signedBytes } from './http-load.ts';
import { byTurns, type Row, addressOf, openTrial, type OpenTrial, serve, type Served } from './measure.ts';
import { issuanceCall } from '../generators/issuance.ts';

const connections = 32;
const pairs = 5;
const megabyte = 1_000_000;

/** A kind of request that the simulator answers. */
interface Case {
  readonly what: string;
  /** Of one turn: what takes about half a second. */
  readonly requests: number;
  readonly status: number;
  /** The next one. */
  readonly call: () => Call;
  readonly goal?: number;
}

/**
 * What the simulator answers in a second of processor time, by one connection after the other of 32, against a bare server that is
 * sent the same bytes, takes their MD5 and answers as many.
 */
export async function gatewayRows(): Promise<readonly Row[]> {
  const [simulator, bare] = await Promise.all([serve('simulator'), serve('bare')]);
  const trial = openTrial(addressOf(simulator));
  try {
    const issuer = await issuerOf(trial.t);
    const rows: Row[] = [];
    for (const one of await casesFor(trial, issuer)) rows.push(await measured(one, issuer.caller, simulator, bare));
    return rows;
  } finally {
    await trial.close();
    await Promise.all([simulator.stop(), bare.stop()]);
  }
}

async function casesFor({ t }: OpenTrial, issuer: Issuer): Promise<readonly Case[]> {
  const { empresaId } = issuer;
  const invoice = t.target.profile.json('nf-e.autorizada.json') ?? {};
  const { nfeId, exchange } = await issueSettled(t, issuer);
  const xml = (await t.download(xmlLinkOf(exchange) ?? '')).response?.rawBody.toString() ?? '';
  const large = withItems(invoice, 990);
  const issuing = (body: JsonObject) => () =>
    issuanceCall(empresaId, body, { id: freshId(), ambienteEmissao: 'Homologacao' });
  const retired = (bytes: number): Call => ({ ...echoCall('x'.repeat(bytes)), path: '/openapi/nfe/invoice/create' });
  const echo = (bytes: number): Call => jsonCall('echo', JSON.stringify({ message: 'x'.repeat(bytes) }));
  const always = (call: Call) => () => call;
  return [
    { what: 'echo, 1 kB', requests: 5000, status: 200, call: always(echo(1000)), goal: 0.8 },
    { what: 'echo, 1 MB', requests: 64, status: 200, call: always(echo(megabyte)), goal: 0.8 },
    { what: 'retired, 1 kB', requests: 5000, status: 410, call: always(retired(1000)), goal: 0.8 },
    { what: 'retired, 1 MB', requests: 96, status: 410, call: always(retired(megabyte)), goal: 0.8 },
    {
      what: 'query',
      requests: 3000,
      status: 200,
      call: always(pathCall('nfe-query', { empresaId, nfeId })),
      goal: 0.6,
    },
    { what: 'issuance, 1 kB', requests: 320, status: 200, call: issuing(invoice) },
    { what: 'issuance, 990 items', requests: 32, status: 200, call: issuing(large) },
    { what: 'verification, 1 item', requests: 256, status: 200, call: always(xmlCall(xml, 'application/xml')) },
  ];
}

/** The invoice with so many of its first item. */
function withItems(invoice: JsonObject, count: number): JsonObject {
  const parse: (json: string) => readonly JsonValue[] = JSON.parse;
  const [item = null] = parse(JSON.stringify(invoice['itens']));
  return { ...invoice, itens: Array.from({ length: count }, () => item) };
}

async function measured(one: Case, caller: Caller, simulator: Served, bare: Served): Promise<Row> {
  const { requests } = one;
  const next = (): Buffer => signedBytes(caller, one.call());
  const perSecond = (served: Served, status: number, sent: () => Buffer) => async (): Promise<number> => {
    const before = await served.usage();
    const { statuses } = await load(served.port, connections, sent, { requests });
    const after = await served.usage();
    if (statuses.get(status) !== requests) throw new Error(`${one.what}: answered ${JSON.stringify([...statuses])}`);
    return (1000 * requests) / (after.cpuMs - before.cpuMs);
  };
  const { bodyBytes } = await load(simulator.port, 1, next, { requests: 1 });
  await bare.answers(bodyBytes);
  const {
    one: ours,
    other,
    ratio,
  } = await byTurns(pairs, perSecond(simulator, one.status, next), perSecond(bare, 200, next));
  return {
    what: `simulator: ${one.what}`,
    measured: ours,
    limit: other,
    unit: '/s',
    ratio,
    ...(one.goal === undefined ? {} : { goal: { atLeast: one.goal } }),
  };
}
