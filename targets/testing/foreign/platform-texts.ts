import { randomUUID } from 'node:crypto';
import type { Received } from './messages.ts';

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
