import type { ClauseId } from '../../contract/catalogue.ts';
import type { DeliveryRecord, ExchangeRecord, SteeringRecord, TraceRecord } from '../../trace/records.ts';
import { openJudge, isStanding, observationsOf } from '../judge.ts';
import { authorised, eventWith, valid, deliveryOf, recordOf, type DeliveryWish, type RecordWish } from './records.ts';

/** What a delivery of a story is to be like; right where nothing is said. */
export interface Coming extends Partial<DeliveryWish> {
  /** Seconds of the clock after the start at which it is sent, which its timestamp says. */
  readonly at?: number;
  readonly channel?: 'issuance' | 'verification';
  readonly address?: string;
  readonly context?: Partial<Pick<DeliveryRecord, 'answer' | 'answeredAfterMs' | 'signature' | 'hasToken' | 'isExact'>>;
}

const start = '2031-05-17T09:30:00.000Z';
const startSeconds = Date.parse(start) / 1000;
const hasOwnClock = true;

/** What happens to an application on a clock of its own, in order: each step takes 10 ms. */
export function newStory() {
  const records: TraceRecord[] = [];
  let nowMs = 1_000;
  const steer = (
    method: string,
    path: string,
    json: object,
    during: () => void = () => undefined,
    status = 200,
  ): void => {
    const atMs = nowMs;
    nowMs += 1;
    during();
    nowMs += 10;
    const done: SteeringRecord = {
      kind: 'steering',
      ids: {},
      atMs,
      durationMs: nowMs - atMs,
      method,
      path,
      json,
      status,
      application: 'app',
    };
    records.push(done);
    nowMs += 1;
  };
  const call = (wish: RecordWish, more: Partial<ExchangeRecord> = {}): void => {
    const caller = { name: 'app', standing: {}, hasOwnClock } as const;
    records.push({ ...recordOf(wish), sentAtMs: nowMs, durationMs: 5, caller, ...more });
    nowMs += 10;
  };
  const story = {
    records,
    comes(coming: Coming = {}): void {
      const { at = 0, channel = 'verification', address = 'a', context = {}, headers = {}, body } = coming;
      const isVerdict = channel === 'verification';
      const own = isVerdict ? { 'x-service-event': 'invoice.verify.completed' } : { token: 't' };
      const stamped = { 'x-service-timestamp': String(startSeconds + at), ...own, ...headers };
      const usual = isVerdict
        ? eventWith({ ...valid, verifiedAt: start, dataAutorizacao: null })
        : { ...authorised, nfeDataEmissao: start };
      const shown = body ?? (isVerdict ? { ...usual, occurred_at: start } : usual);
      const facts = { name: address, channel, caller: 'app', hasOwnClock } as const;
      const told = { answer: 200, answeredAfterMs: 1, signature: 'right', ...context } as const;
      records.push({ ...deliveryOf({ body: shown, headers: stamped }), arrivedAtMs: nowMs, address: facts, ...told });
      nowMs += 1;
    },
    advance(seconds: number, during: () => void = () => undefined): void {
      steer('POST', '/applications/app/clock', { advanceSeconds: seconds }, during);
    },
    steer,
    /** Saves addresses, each of which gets its test. */
    save(...addresses: readonly string[]): void {
      steer('PUT', '/applications/app/verification-webhook', { urls: addresses }, () => {
        for (const address of addresses) {
          const headers = { 'x-service-event': 'webhook.verify', 'x-service-event-id': `test of ${address}` };
          story.comes({ address, headers, body: { event_type: 'webhook.verify' } });
        }
      });
    },
    register(): void {
      call({ target: '/openapi/v1/webhooks', requestBody: '{}' }, { address: 'a' });
    },
    verify(): void {
      call({
        target: '/openapi/v3/consultas/nf-e/xml',
        requestHeaders: { 'content-type': 'application/xml', forcerevalidate: 'true' },
        requestBody: `<infNFe Id="NFe${'4'.repeat(44)}"/>`,
        body: { validation: { validationStatus: 'VALIDATED' } },
      });
    },
    issue(id = 'pedido-1'): void {
      call({ target: '/openapi/v2/empresas/c-1/nf-e', requestBody: JSON.stringify({ id }) });
    },
    cancel(id = 'pedido-1'): void {
      call({ method: 'DELETE', target: `/openapi/v2/empresas/c-1/nf-e/${id}`, body: '' });
    },
    query(status: string, id = 'pedido-1'): void {
      call({ method: 'GET', target: `/openapi/v2/empresas/c-1/nf-e/${id}`, body: { status, ...links(status) } });
    },
  };
  steer('POST', '/applications', { clock: start }, undefined, 201);
  return story;
}

function links(status: string): object {
  return status === 'Autorizada' ? { linkDanfe: 'https://nfe.example/d', linkXml: 'https://nfe.example/x' } : {};
}

/** The clauses that records, one after another, are seen to break, each once. */
export function brokenIn(records: readonly TraceRecord[]): ClauseId[] {
  return clausesIn(records, true);
}

/** The clauses that they are seen to keep. */
export function keptIn(records: readonly TraceRecord[]): ClauseId[] {
  return clausesIn(records, false);
}

function clausesIn(records: readonly TraceRecord[], isBroken: boolean): ClauseId[] {
  const judge = openJudge();
  const all = [...records.flatMap((record) => judge.see(record)), ...judge.end()];
  const clauses = all.filter(({ broken }) => (broken !== undefined) === isBroken).map(({ clause }) => clause);
  return [...new Set(clauses)];
}

/** The clauses that a history is seen to break, of these where some are named; what single records show of it is no part of that. */
export function brokenByHistory(records: readonly TraceRecord[], of?: readonly string[]): string[] {
  return clausesOf(records, true, of);
}

/** The same of those that it is seen to keep. */
export function keptByHistory(records: readonly TraceRecord[], of?: readonly string[]): string[] {
  return clausesOf(records, false, of);
}

function clausesOf(records: readonly TraceRecord[], isBroken: boolean, of: readonly string[] | undefined): string[] {
  const judge = openJudge();
  const seen = [...records.flatMap((record) => judge.see(record, [])), ...judge.end()];
  const standing = seen.filter(isStanding);
  const clauses = standing.filter(({ broken }) => (broken !== undefined) === isBroken).map(({ clause }) => clause);
  return [...new Set(clauses)].filter((clause) => of?.includes(clause) ?? true);
}

/** The clauses that such an exchange breaks. */
export function brokenBy(wish: RecordWish): ClauseId[] {
  return observationsOf(recordOf(wish)).flatMap(({ clause, broken }) => (broken ? [clause] : []));
}

/** The clauses that such an exchange is seen to keep. */
export function keptBy(wish: RecordWish): ClauseId[] {
  return observationsOf(recordOf(wish)).flatMap(({ clause, broken }) => (broken ? [] : [clause]));
}
