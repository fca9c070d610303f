import type { Call } from '../contract/request.ts';
import { echoCall, jsonCall, pathCall, xmlCall } from '../generators/calls.ts';
import { freshId } from '../generators/nfe-ids.ts';
import { issueSettled, issuerOf, type Issuer, xmlLinkOf } from '../specs/kit/life-cycle.ts';
import type { Caller } from '../targets/applications.ts';
import { load, signedBytes } from './http-load.ts';
import { byTurns, type Row, addressOf, openTrial, type OpenTrial, serve, type Served, cpuMs } from './measure.ts';
import { issuanceCall } from '../generators/issuance.ts';
import { spawn } from 'node:child_process';
import { createHash, createPrivateKey, createSign } from 'node:crypto';
import { ParseOption, XmlDocument } from 'libxml2-wasm';
import { nfeProc } from '../simulator/documents/nfe-xml.ts';
import { documentOf } from '../simulator/testing/documents.ts';
import { profileBody } from '../simulator/testing/invoice-bodies.ts';
import { readDocument } from '../simulator/verification/document.ts';
import { documentFault } from '../simulator/verification/examine.ts';
import type { JsonObject, JsonValue } from '../schemas/values.ts';

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

const bareServer = `require('node:http').createServer().listen(0, '127.0.0.1', () => process.stdout.write('App Secret\\n'))`;

/** How long the simulator takes until it listens, as people start it, beside a server that does nothing. */
export async function startRows(): Promise<readonly Row[]> {
  const { one, other } = await byTurns(
    5,
    () => msUntilListening(['simulator/main.ts', '--port', '0']),
    () => msUntilListening(['-e', bareServer]),
  );
  const started = { measured: one, unit: 'ms' };
  return [
    {
      what: 'start-up: the simulator, from the second time on',
      ...started,
      limit: 300,
      ratio: one / 300,
      goal: { atMost: 1 },
    },
    { what: 'start-up: against a bare node:http server', ...started, limit: other, ratio: one / other },
  ];
}

function msUntilListening(words: readonly string[]): Promise<number> {
  const started = performance.now();
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    let [printed, ms] = ['', Number.NaN];
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString('utf8');
      if (!printed.includes('App Secret') || !Number.isNaN(ms)) return;
      ms = performance.now() - started;
      // By signal, so that what was compiled is kept.
      child.kill('SIGTERM');
    });
    child.once('error', reject);
    child.once('close', () => resolve(ms));
  });
}

const times = 200;

/** Verifying a document against parsing and hashing it by the same library, and issuing one against its signature alone. */
export async function documentRows(): Promise<readonly Row[]> {
  const input = documentOf(profileBody('autorizada'));
  const text = nfeProc(input).xml.toString('utf8');
  const signedInfo = text.slice(text.indexOf('<SignedInfo'), text.indexOf('</Signature>'));
  const key = createPrivateKey(input.empresa.certificate.privateKeyPem);
  return [
    await row(
      'verification, against parsing and hashing',
      3,
      () => verify(text),
      () => parseAndHash(text),
    ),
    await row(
      'an invoice made, against its signature',
      2,
      () => nfeProc(input),
      () => createSign('RSA-SHA1').update(signedInfo).sign(key),
    ),
  ];
}

async function row(what: string, atMost: number, ours: () => unknown, limit: () => unknown): Promise<Row> {
  const all = (work: () => unknown) => async (): Promise<number> => {
    const ms = await cpuMs(() => {
      for (let time = 0; time < times; time++) work();
    });
    return ms / times;
  };
  const { one, other, ratio } = await byTurns(pairs, all(ours), all(limit));
  return { what: `simulator: ${what}`, measured: one, limit: other, unit: 'ms', ratio, goal: { atMost } };
}

/** What no verification can do without: the document parsed, its invoice in canonical form, and a hash of that. */
function parseAndHash(text: string): void {
  const document = XmlDocument.fromString(text, { option: ParseOption.XML_PARSE_NONET });
  const invoice = document.get('//n:infNFe', { n: 'http://www.portalfiscal.inf.br/nfe' });
  createHash('sha1')
    .update(invoice?.canonicalizeToString() ?? '')
    .digest('base64');
  document.dispose();
}

function verify(text: string): void {
  const document = readDocument(text);
  if (typeof document === 'string' || documentFault(document)) throw new Error('the document is not sound');
}
