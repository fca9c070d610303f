import { calledEndpoint } from '../../contract/called-endpoint.ts';
import { idsOfCall, idsOfDelivery } from '../../trace/ids.ts';
import type { DeliveryRecord, ExchangeRecord } from '../../trace/records.ts';

/** What a record to test with is to be like. */
export interface RecordWish {
  readonly method?: string;
  readonly target?: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly requestHeaders?: Readonly<Record<string, string>>;
  readonly requestBody?: string;
  /** As it is where nothing else is said. */
  readonly isRightlySigned?: boolean;
  /** An object is sent as JSON. */
  readonly body?: string | object;
}

/** An exchange with echo, or as it is wished for, to judge. */
export function recordOf(wish: RecordWish): ExchangeRecord {
  const {
    method = 'POST',
    target = '/openapi/demo/echo',
    status = 200,
    headers = {},
    requestHeaders = { 'content-type': 'application/json' },
    requestBody = '',
    isRightlySigned = true,
    body = '',
  } = wish;
  const called = calledEndpoint(method, target);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return {
    kind: 'exchange',
    sentAtMs: 0,
    durationMs: 1,
    method,
    target,
    ...(called === undefined ? {} : 'name' in called ? { endpoint: called } : { retired: called }),
    requestHeaders: new Map(Object.entries(requestHeaders)),
    requestBody: Buffer.from(requestBody),
    isRightlySigned,
    status,
    headers: new Map(Object.entries(headers)),
    body: Buffer.from(text),
    json: parsed(text),
    ids:
      called !== undefined && 'name' in called
        ? idsOfCall(called, target, called.body === 'xml' ? requestBody : parsed(requestBody), parsed(text))
        : {},
  };
}

/** What a delivery to test with is to be like. */
export interface DeliveryWish {
  readonly method?: string;
  /** These in place of those of the same name; an empty text leaves one out. */
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON. */
  readonly body: string | object;
}

/** A delivery to judge, with right headers where none are wished for. */
export function deliveryOf({ method = 'POST', headers = {}, body }: DeliveryWish): DeliveryRecord {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const all = Object.entries({ ...rightHeaders, ...headers }).filter(([, value]) => value !== '');
  return {
    kind: 'delivery',
    method,
    target: '/hook',
    headerPrefix: 'X-Service',
    arrivedAtMs: Date.parse('2026-09-10T12:00:00Z'),
    headers: new Map(all.map(([name, value]) => [name.toLowerCase(), value])),
    body: Buffer.from(text),
    json: parsed(text),
    ids: idsOfDelivery(
      parsed(text),
      headers['x-service-event-id'] ?? rightHeaders['x-service-event-id'],
      Buffer.from(text),
    ),
  };
}

const rightHeaders = {
  'content-type': 'application/json',
  'x-service-event': 'nfe',
  'x-service-event-id': 'e-1',
  'x-service-delivery-id': 'd-1',
  'x-service-timestamp': '1789041600',
  'x-service-signature': '0123456789abcdef'.repeat(4),
};

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
