import { createHash, createHmac, timingSafeEqual, randomUUID } from 'node:crypto';
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

/** What the rate-limited application may send in each window. */
const rate = { limit: 10, windowMs: 60_000 };

/** Counts a request in the window of the wall clock in which it comes; a spent limit lets one in seven pass, as one that fills up does. */
function limitFault(application: Application, world: World): RefusalName | undefined {
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

const languages = ['pt', 'es', 'en', 'zh'] as const;

type Language = (typeof languages)[number];

/** Every text in the order of `languages`. Some are the same in two of them, as they are in life. */
const texts = {
  success: ['OK: recebido', 'OK: recibido', 'OK: received', '请求已收到。'],
  missing: ['Cabeçalhos incompletos.', 'Cabeceras incompletas.', 'Incomplete headers.', '请求头不完整。'],
  timestamp: [
    'Timestamp fora da janela.',
    'Timestamp fuera de la ventana.',
    'Timestamp out of range.',
    '时间戳超出范围。',
  ],
  token: ['Token inválido.', 'Token inválido.', 'Bad token.', '令牌无效。'],
  sign: ['Assinatura divergente.', 'Firma divergente.', 'Signature mismatch.', '签名错误。'],
  disabled: ['Aplicação bloqueada.', 'Aplicación bloqueada.', 'Application blocked.', '应用已被停用。'],
  notEffective: ['Aplicação sem aprovação.', 'Aplicación sin aprobar.', 'Application not approved.', '应用未获批准。'],
  integrator: ['Integrador suspenso.', 'Integrador suspendido.', 'Integrator suspended.', '集成商账号被停用。'],
  subscription: ['Serviço não contratado.', 'Servicio no contratado.', 'Service not subscribed.', '未订阅该服务。'],
  limit: ['Limite excedido.', 'Límite excedido.', 'Limit exceeded.', '超出调用频率限制。'],
} as const;

type TextName = keyof typeof texts;

/** How a trace is told in each language. */
const traces: Readonly<Record<Language, (text: string, trace: string) => string>> = {
  pt: (text, trace) => `${text} Rastreio ${trace}`,
  es: (text, trace) => `${text} Rastro: ${trace}`,
  en: (text, trace) => `[${trace}] ${text}`,
  zh: (text, trace) => `${text}（追踪号：${trace}）`,
};

const retiredTexts: Readonly<Record<Language, (replacement: string) => string>> = {
  pt: (replacement) => `Serviço desativado em 04/09/2026; em seu lugar há «${replacement}».`,
  es: (replacement) => `Servicio retirado: ahora es “${replacement}”.`,
  en: (replacement) => `This API has been retired, please use ${replacement} instead`,
  zh: (replacement) => `该接口已下线，请改用【${replacement}】。`,
};

/** A text in the language of a request, with a trace of its own. Sections 2.6 and 9. */
export function textFor(name: TextName, request: Received): string {
  const language = languageOf(request);
  return traces[language](texts[name][languages.indexOf(language)] ?? '', randomUUID());
}

/** The text of a 410; the English one is fixed and has no room for a trace. Section 7.2. */
function retiredText(replacement: string, request: Received): string {
  const language = languageOf(request);
  const text = retiredTexts[language](replacement);
  return language === 'en' ? text : traces[language](text, randomUUID());
}

/** The first known language that is named, of `Accept-Language` before `Language`; Portuguese without one. Section 9. */
function languageOf(request: Received): Language {
  const wishes = [request.header('accept-language'), request.header('language')];
  const words = wishes.flatMap((wish) => (wish ?? '').toLowerCase().split(','));
  const named = words.map((word) => word.trim().slice(0, 2));
  return languages.find((language) => language === named.find((name) => languages.some((one) => one === name))) ?? 'pt';
}

/** A request, as the gateway and the endpoints see it. */
export interface Received {
  readonly method: string;
  /** From `/openapi` on as it stands on the request line, without the query. */
  readonly path: string;
  readonly rawBody: Buffer;
  header(name: string): string | undefined;
}

/** What is answered: JSON, bytes of a type, or nothing at all. */
export interface Answer {
  readonly status: number;
  readonly json?: unknown;
  readonly bytes?: { readonly type: string; readonly content: Buffer };
  readonly headers?: Readonly<Record<string, string>>;
}

/** A text without JSON around it. */
export function plain(status: number, text: string): Answer {
  return { status, bytes: { type: 'text/plain; charset=utf-8', content: Buffer.from(`${text}\n`) } };
}

/** A refusal by issuance, query or cancellation. Section 7.3. */
export function refusedWithArray(status: 400 | 404, codigo: number, mensagem: string): Answer {
  return { status, json: [{ codigo, mensagem: `${mensagem} (${randomUUID()})`, campo: null }] };
}

/** A refusal by the endpoints that report a code and a message. Section 7.3. */
export function refusedWithCode(status: number, code: number | string, message: string): Answer {
  return { status, json: { code, message, requestId: randomUUID() } };
}

/** The object in a body; `undefined` for any other JSON, and for none. */
export function objectIn(rawBody: Buffer): Map<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(rawBody.toString('utf8'));
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? new Map(Object.entries(value)) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a value is an object with members. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** JSON in ASCII: every other character is escaped. */
export function asciiJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replaceAll(
    /[\u007F-\uFFFF]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
