import { createHash, createHmac, timingSafeEqual, randomUUID } from 'node:crypto';
import { type Answer, type Received, retiredText, textFor, type TextName } from './messages.ts';
import type { Application, World } from './world.ts';

/** What a request is signed with: all of it texts, as this server reads them. */
interface Signed {
  readonly token: string;
  readonly path: string;
  readonly bodyText: string;
  readonly timestamp: string;
}

/** The `sign` of a request. Section 5.2. */
function requestSign({ token, path, bodyText, timestamp }: Signed): string {
  const body = bodyText.split(/[\r\n]/).join('');
  return createHash('md5').update([token, path, body, timestamp].join(''), 'utf8').digest('hex');
}

/** The signature of a delivery. Section 6.1. */
export function deliverySignature(secret: string, timestamp: string, rawBody: Buffer): string {
  return createHmac('sha256', secret)
    .update(Buffer.concat([Buffer.from(`${timestamp}.`), rawBody]))
    .digest('hex');
}

/** Whether two texts are the same, in a time that does not tell where they differ. */
function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Status, code and text of each refusal. Section 7.2. */
const refusals = {
  missing: [401, 10009000],
  timestamp: [401, 10009001],
  token: [401, 10009002],
  sign: [401, 10009003],
  disabled: [403, 10009004],
  notEffective: [403, 10009015],
  integrator: [403, 10009014],
  subscription: [403, 10009005],
  limit: [429, 10009006],
} as const satisfies Partial<Record<TextName, readonly [number, number]>>;

type RefusalName = keyof typeof refusals;

/** What stands in the way of a request, or the application that it may pass as. Sections 4.3 and 7.1. */
export function passed(request: Received, replacement: string | undefined, world: World): Application | Answer {
  const application = world.applications.get(request.header('token') ?? '');
  const unauthenticated = authenticationFault(request, application, world);
  if (unauthenticated || !application) return refused(unauthenticated ?? 'missing', request);
  if (replacement !== undefined) return envelope(410, 1, 10009034, retiredText(replacement, request));
  const fault = authorisationFault(application) ?? limitFault(application, world);
  return fault ? refused(fault, request) : application;
}

/** In this order, since an unknown token makes the rest pointless; what is missing can't be wrong, and comes last. */
function authenticationFault(
  request: Received,
  application: Application | undefined,
  world: World,
): RefusalName | undefined {
  const [token, timestamp, sign] = ['token', 'timestamp', 'sign'].map((name) => request.header(name) || undefined);
  if (token !== undefined && !application) return 'token';
  if (token !== undefined && timestamp !== undefined && sign !== undefined) {
    const signed = { token, path: request.path, bodyText: signedBody(request), timestamp };
    if (!isSame(sign, requestSign(signed))) return 'sign';
  }
  if (timestamp !== undefined && !isNear(timestamp, world.nowMs())) return 'timestamp';
  return token === undefined || timestamp === undefined || sign === undefined ? 'missing' : undefined;
}

const toleranceSeconds = 300;

function isNear(timestamp: string, nowMs: number): boolean {
  if (!/^(?:0|[1-9]\d{0,14})$/.test(timestamp)) return false;
  return Math.abs(Number(timestamp) - Math.floor(nowMs / 1000)) <= toleranceSeconds;
}

function signedBody(request: Received): string {
  const isMultipart = /^multipart\//i.test(request.header('content-type') ?? '');
  return request.method === 'POST' && !isMultipart ? request.rawBody.toString('utf8') : '';
}

function authorisationFault({ condition }: Application): RefusalName | undefined {
  switch (condition) {
    case 'unsubscribed':
      return 'subscription';
    case 'integratorDisabled':
      return 'integrator';
    case 'pending':
    case 'rejected':
      return 'notEffective';
    case 'disabled':
      return 'disabled';
    case 'active':
    case 'rateLimited':
      return undefined;
  }
}

/** Counts a request in the window of the wall clock in which it comes; a spent limit lets one in seven pass, as one that fills up does. */
function limitFault(application: Application, world: World): RefusalName | undefined {
  const { rate } = world.settings;
  if (application.condition !== 'rateLimited') return undefined;
  const window = Math.floor(world.nowMs() / rate.windowMs);
  const spent = application.rate.window === window ? application.rate.spent : 0;
  application.rate = { window, spent: spent + 1 };
  return spent < rate.limit || spent % 7 === 0 ? undefined : 'limit';
}

const errorTypeOfLimit = 7;

function refused(name: RefusalName, request: Received): Answer {
  const [status, code] = refusals[name];
  return envelope(status, status === 429 ? errorTypeOfLimit : 1, code, textFor(name, request));
}

function envelope(status: number, errorType: number, code: number, message: string): Answer {
  return { status, json: { requestId: randomUUID(), success: false, errorType, code, message, errors: [] } };
}
