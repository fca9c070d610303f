import { createServer, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import {
  type ForeignServer,
  startForeign,
  writeForeignProfile,
} from '../../../targets/testing/foreign/foreign-server.ts';
import { listening, type Staged } from '../troubles/front.ts';
import { type Ended, command, passedOn, ofClauses } from '../runs.ts';
import { newFolder } from '../folders.ts';

/** A request that came. */
export interface Seen {
  readonly method: string;
  /** Without the prefix of the right server and without the query. */
  readonly path: string;
  readonly bodyText: string;
}

/** An answer as the right server gave it, or as it has become. */
export interface HostileAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

/** Gives an answer, in whatever way. */
export type Give = (socket: Socket, answer: HostileAnswer, seen: Seen) => void;

/** A front's ways. */
interface Ways {
  /** Which requests it is hostile to; all when absent. */
  readonly meets?: (seen: Seen) => boolean;
  /** What it makes of the right answer to those. */
  readonly change?: (answer: HostileAnswer, seen: Seen) => HostileAnswer;
  /** How it gives what came of that; as a right server does when absent. */
  readonly give?: Give;
  /** Whether it breaks a clause of the contract as well, whomever it is hostile to. */
  readonly hasBreach?: boolean;
  /** Told of every request; it is answered once that is over. */
  readonly onRequest?: (seen: Seen) => Promise<void> | void;
  readonly settings?: Readonly<Record<string, string>>;
}

/** Stands in front of a right server. */
export async function frontOf(upstream: ForeignServer, ways: Ways): Promise<Staged> {
  const { meets = () => true, change = same, give = giveRightly, hasBreach = false, onRequest } = ways;
  const own = { origin: '' };
  const serve = async (incoming: IncomingMessage): Promise<void> => {
    const rawBody = await buffer(incoming);
    const { pathname } = new URL(incoming.url ?? '', 'http://any');
    const path = pathname.replace(/^\/nfe-gw/, '');
    const seen: Seen = { method: incoming.method ?? '', path, bodyText: rawBody.toString('utf8') };
    await onRequest?.(seen);
    const { headers, ...passed } = await passedOn(upstream.baseUrl, incoming, rawBody);
    const right = {
      ...passed,
      headers: Object.entries(headers).map(([name, value]) => [name, String(value)] as const),
    };
    const answered = withOwnLinks(right, upstream, own.origin);
    const answer = hasBreach && isEchoOfCheck(seen) ? withBreach(answered) : answered;
    if (meets(seen)) give(incoming.socket, change(answer, seen), seen);
    else giveRightly(incoming.socket, answer);
  };
  const server = createServer((incoming) => void serve(incoming).catch(() => incoming.socket.destroy()));
  const { port, stop } = await listening(server);
  own.origin = `http://127.0.0.1:${port}`;
  const { pathname } = new URL(upstream.baseUrl);
  const settings = {
    NFE_BASE_URL: own.origin + pathname,
    NFE_APP_SECRET: upstream.secrets.active,
    NFE_MAX_RPS: '0',
    NFE_NUM_RUNS: '5',
    NFE_SEED: '1729',
    ...ways.settings,
  };
  return { settings, stop };
}

function same(answer: HostileAnswer): HostileAnswer {
  return answer;
}

/** Links of the right server lead by way of its front. */
function withOwnLinks(answer: HostileAnswer, { baseUrl }: ForeignServer, ownOrigin: string): HostileAnswer {
  const text = answer.body.toString('latin1');
  return {
    ...answer,
    body: Buffer.from(
      text.replaceAll(new URL(baseUrl).origin, () => ownOrigin),
      'latin1',
    ),
  };
}

/** Whether a check asks for an echo: not the preflight, nor whoever only looks whether the target is there. */
export function isEchoOfCheck({ path, bodyText }: Seen): boolean {
  return path === '/openapi/demo/echo' && !/^\{"message":"(?:preflight|twin)"\}$/.test(bodyText);
}

/** Whether a request is not one of the preflight: that of an echo is known by its text. */
export function afterPreflight(): (seen: Seen) => boolean {
  let hasBegun = false;
  return (seen) => (hasBegun ||= isEchoOfCheck(seen));
}

/** Whether a link to a document is followed. */
export function isDownload({ path }: Seen): boolean {
  return path === '/arquivos';
}

/** An echo of another text than was sent. */
function withBreach(answer: HostileAnswer): HostileAnswer {
  return { ...answer, body: Buffer.from(answer.body.toString('utf8').replace(/"echo":"/, '"echo":"!')) };
}

/** The status line and the headers of an answer, to their empty line. */
export function headOf({ status, headers }: Pick<HostileAnswer, 'status' | 'headers'>): Buffer {
  const lines = [`HTTP/1.1 ${status} Any`, ...headers.map(([name, value]) => `${name}: ${value}`), '', ''];
  return Buffer.from(lines.join('\r\n'), 'latin1');
}

/** A whole answer with the length of its body, which ends its connection. */
export function written(answer: HostileAnswer): Buffer {
  const headers = [...answer.headers, ['content-length', String(answer.body.length)], ['connection', 'close']] as const;
  return Buffer.concat([headOf({ ...answer, headers }), answer.body]);
}

/** Gives an answer as it is to be given. */
function giveRightly(socket: Socket, answer: HostileAnswer): void {
  socket.end(written(answer));
}

/** Gives bytes that are made of an answer, and ends the connection. */
export function giving(bytesOf: (answer: HostileAnswer) => Buffer | string): Give {
  return (socket, answer) => void socket.end(bytesOf(answer));
}

/** One way after the other, a request each. */
export function inTurn<Asked extends readonly unknown[], Came>(
  ...ways: readonly ((...asked: Asked) => Came)[]
): (...asked: Asked) => Came {
  let turn = 0;
  return (...asked) => {
    const way = ways[turn++ % ways.length];
    if (!way) throw new Error('there is no way to take');
    return way(...asked);
  };
}

/** The answer with its JSON changed. */
export function withJson(change: (text: string) => string): (answer: HostileAnswer) => HostileAnswer {
  return (answer) => {
    const text = answer.body.toString('utf8');
    return text.startsWith('{') ? { ...answer, body: Buffer.from(change(text)) } : answer;
  };
}

/** The answer with a header more. */
export function withHeader(name: string, value: string): (answer: HostileAnswer) => HostileAnswer {
  return (answer) => ({ ...answer, headers: [...answer.headers, [name, value]] });
}

/** What a run against a hostile target has to end in. */
export interface Ending {
  readonly verdict: 'conformant' | 'incomplete' | 'nonconformant' | 'error';
  readonly status: 0 | 1 | 2;
  /** Of an error alone. */
  readonly trouble?: 'network' | 'settings' | 'target';
  /** The clauses that fail: these, and no other. Of no account where it is absent. */
  readonly failed?: readonly string[];
}

/** A target that does what no server ought to, in front of a right one, and what a run against it has to end in. */
export interface HostileTarget {
  /** What it does: the title of its test. */
  readonly name: string;
  readonly start: (upstream: ForeignServer) => Promise<Staged>;
  /** What of the suite is run against it. */
  readonly words: readonly string[];
  readonly ends: Ending;
  /** Its run waits most of the time: many of them may go on at once. */
  readonly isSlow?: true;
  /** What of that run must be so, besides. */
  readonly also?: (ended: Ended) => void;
}

/** Nobody can be judged there, and nobody is. */
export const unreachable: Ending = { verdict: 'error', status: 2, trouble: 'network', failed: [] };

/** Broken by the planted breach, and by nothing else. */
export const breachAlone: Ending = { verdict: 'nonconformant', status: 1, failed: ['echo.message-returned'] };

/** Broken, by whatever of it. */
export const broken: Ending = { verdict: 'nonconformant', status: 1 };

/** What is run where nothing else is said: quick clauses, of which the planted breach breaks the first. */
export const quickClauses: readonly string[] = ['echo.message-returned', 'echo.status'];

type Kind = (name: string, ways: Ways, change?: Partial<HostileTarget>) => HostileTarget;

/** A hostile way that changes nothing for a right server, with the breach: that is to be seen, and nothing else. */
export const breached: Kind = kind({ hasBreach: true }, breachAlone);

/** Hostile to the echoes of checks alone: the target's own doing. */
export const accused: Kind = kind({ meets: isEchoOfCheck }, broken);

/** Hostile to everything, so that nothing can be judged. */
export const hopeless: Kind = kind({}, unreachable);

function kind(ofKind: Ways, ends: HostileTarget['ends']): Kind {
  return (name, ways, change = {}) => ({
    name,
    start: (upstream) => frontOf(upstream, { ...ofKind, ...ways }),
    words: ofClauses(...quickClauses),
    ends,
    ...change,
  });
}

/** Clauses that follow links, with the one that the planted breach breaks. */
const linkClauses = [
  'echo.message-returned',
  'nfe-query.xml-link-serves-its-invoice',
  'nfe-query.danfe-link-serves-a-pdf',
];

/** Hostile to whoever issues an invoice and looks at its documents; the breach is elsewhere. */
export function withLife(name: string, ways: Ways, change: Partial<HostileTarget> = {}): HostileTarget {
  return {
    name,
    async start(upstream) {
      const folder = newFolder();
      writeForeignProfile(folder);
      const settings = { NFE_PROFILE: folder, NFE_SETTLE_TIMEOUT: '3', ...ways.settings };
      return frontOf(upstream, { hasBreach: true, ...ways, settings });
    },
    words: ofClauses(...linkClauses),
    ends: broken,
    ...change,
  };
}

/** Runs the suite against a hostile target. */
export async function runAgainst(target: HostileTarget, mostMs: number): Promise<Ended> {
  const upstream = await startForeign({ settleMs: 30 });
  const staged = await target.start(upstream);
  try {
    return await command('test', staged.settings, target.words, { mostMs });
  } finally {
    await staged.stop();
    await upstream.stop();
  }
}
