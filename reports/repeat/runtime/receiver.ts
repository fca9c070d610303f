import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomBytes } from 'node:crypto';
import { NotTried, env, hide, pairsOf, type Call, type Arrival } from './kit.ts';

/** Receives deliveries at addresses of its own, and answers them as the run did. */
export class Receiver {
  readonly places = new Map<
    string,
    {
      path: string;
      query: string;
      /** Tokens that it was registered with, by the application that did it. */
      tokens: Map<string | undefined, string>;
      answers: readonly Call[];
      came: Arrival[];
      taken: number;
    }
  >();
  readonly server = http.createServer((incoming, outgoing) => this.#receive(incoming, outgoing));
  /** The token that was due when an event came first, by the id of the event. */
  readonly #tokens = new Map<string, string>();
  /** Where addresses of the run are now. */
  readonly origins = new Map<string, string>();
  #origin = '';
  /** Whether what comes belongs to what a case stands on: it is acknowledged, and no more is known of it. */
  isSettingUp = false;

  listen(): Promise<void> {
    const [host = '127.0.0.1', port = '0'] = (env['NFE_WEBHOOK_LISTEN'] ?? '').split(/:(?=\d+$)/);
    return new Promise((resolve, reject) => {
      this.server.on('error', (error) => reject(new NotTried(`no receiver at NFE_WEBHOOK_LISTEN: ${error.message}`)));
      this.server.listen(Number(port), host || '127.0.0.1', () => {
        const address = this.server.address();
        const own = `http://${host || '127.0.0.1'}:${typeof address === 'object' ? address?.port : port}`;
        this.#origin = (env['NFE_WEBHOOK_PUBLIC_URL'] || own).replace(/(?<!\/)\/+$/, '');
        resolve();
      });
    });
  }

  isListening(): boolean {
    return this.server.listening;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  /** An address of this script's own for one of the run; what was no address at all stays as it was. */
  addressFor(name: string, was: string, answers: readonly Call[]): string {
    if (!URL.canParse(was)) return was;
    const url = new URL(was);
    this.origins.set(url.origin, this.#origin);
    const known = this.places.get(name);
    const query = url.search;
    const path =
      known?.path ??
      (/[$…]/.test(url.pathname) || url.pathname.length < 8
        ? `/${randomBytes(18).toString('base64url')}`
        : url.pathname);
    this.places.set(name, { came: [], taken: 0, tokens: new Map(), ...known, path, query, answers });
    return this.#origin + path + query;
  }

  /** Whether a delivery called its address as it was registered. */
  isExact({ target }: Arrival): boolean {
    return [...this.places.values()].some(({ path, query }) => target === path + query);
  }

  /**
   * Whether a delivery bears the token that its application registered its address with, now or when its event came first; `undefined`
   * where that had none.
   */
  hasToken({ address = '', application }: Call, { headers }: Arrival): boolean | undefined {
    const due = this.places.get(address)?.tokens.get(application);
    if (due === undefined) return undefined;
    const event = headers.find(([header]) => /-event-id$/i.test(header))?.[1] ?? '';
    const atFirst = this.#tokens.get(event) ?? due;
    this.#tokens.set(event, atFirst);
    return headers.some(([header, value]) => /^token$/i.test(header) && (value === due || value === atFirst));
  }

  async next(name: string, withinMs: number): Promise<Arrival | undefined> {
    const place = this.places.get(name) ?? (this.places.size === 1 ? [...this.places.values()][0] : undefined);
    const until = Date.now() + withinMs;
    const isThere = (): boolean => place === undefined || place.came.length > place.taken;
    while (!isThere() && Date.now() < until) await sleep(20);
    const arrival = place?.came[place.taken];
    if (place && arrival) place.taken += 1;
    return arrival;
  }

  more(): number {
    return [...this.places.values()].reduce((sum, { came, taken }) => sum + came.length - taken, 0);
  }

  #receive(incoming: http.IncomingMessage, outgoing: http.ServerResponse): void {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('error', () => undefined);
    incoming.on('end', () => {
      const { method = '', url = '', rawHeaders } = incoming;
      const pathname = url
        .split('?', 1)
        .join('')
        .replace(/(?<=.)\/$/, '');
      const place = [...this.places.values()].find(({ path }) => pathname.endsWith(path.split('/').at(-1) ?? path));
      if (!place) return void outgoing.writeHead(404).end();
      if (this.isSettingUp) return void outgoing.writeHead(200).end();
      place.came.push({
        method,
        target: url,
        headers: pairsOf(rawHeaders),
        body: Buffer.concat(chunks),
        atMs: Date.now(),
      });
      const step = place.answers[place.came.length - 1];
      void this.#answer(step, outgoing, place.path);
    });
  }

  async #answer(step: Call | undefined, outgoing: http.ServerResponse, path: string): Promise<void> {
    const answered = step ? step.evidence.answered : 200;
    if (step?.answeredAfterMs !== undefined && step.answeredAfterMs > 500) await sleep(step.answeredAfterMs);
    // Not answered in the run: it is left open.
    if (answered === undefined) return;
    if (answered === 'hang-up') return void outgoing.destroy();
    const { headers = [], body = '' } = step?.evidence.answeredWith ?? {};
    for (const [name = '', value = ''] of headers) outgoing.appendHeader(name, value);
    if (answered >= 300 && answered < 400) outgoing.setHeader('location', this.#origin + path);
    outgoing.statusCode = answered;
    outgoing.end(body);
  }
}

/** How long a plain token of a run is, which is of hexadecimal digits. */
export const plainTokenBytes = 32;

/**
 * A token of this script's own, as long as that of the run, which no report shows: one that was plain is plain again, any other holds
 * what services are known to change in one.
 */
export function ownToken(bytes: number): string {
  const plain = randomBytes(Math.max(16, Math.ceil(bytes / 2))).toString('hex');
  const token =
    bytes === plainTokenBytes || bytes < 16 ? plain.slice(0, plainTokenBytes) : `0Ab,%41  ${plain}`.slice(0, bytes);
  return hide(token, '$WEBHOOK_TOKEN');
}
