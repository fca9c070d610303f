import { randomUUID } from 'node:crypto';

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

export type TextName = keyof typeof texts;

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
export function retiredText(replacement: string, request: Received): string {
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
export function plain(status: number, text: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, headers, bytes: { type: 'text/plain; charset=utf-8', content: Buffer.from(`${text}\n`) } };
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
