import type { IncomingHttpHeaders } from 'node:http';
import Negotiator from 'negotiator';
import { type CodeName, defaultLanguage, type Language, languageHeaders, languages } from '../../contract/values.ts';
import { headerOf } from '../http/request-facts.ts';

/** In which language `message` texts are. Section 9. */
export interface LanguageRules {
  readonly choose: (headers: IncomingHttpHeaders) => Language;
  readonly text: (name: CodeName | 'success', language: Language) => string;
  /** The text of a 410, naming what replaces the endpoint. */
  readonly retiredText: (replacement: string, language: Language) => string;
}

export const languageRules: LanguageRules = {
  choose: chooseLanguage,
  text: (name, language) => messages[name][language],
  retiredText: (replacement, language) => messages.retired[language].replace('{replacement}', () => replacement),
};

/** The default language comes first, so that it is what `*` gets. */
const offered: readonly Language[] = [defaultLanguage, ...languages];

/** The best language by the first header that names one we have: `Language`, then `Accept-Language`. */
function chooseLanguage(headers: IncomingHttpHeaders): Language {
  for (const name of languageHeaders) {
    const wished = headerOf(headers, name.toLowerCase());
    const best = wished === undefined ? undefined : negotiate(wished);
    if (best) return best;
  }
  return defaultLanguage;
}

function negotiate(wished: string): Language | undefined {
  const best = new Negotiator({ headers: { 'accept-language': wished } }).language(offered);
  return offered.find((language) => language === best);
}

/** One text in each language of section 9. */
export type Message = Readonly<Record<Language, string>>;

/** The texts of the platform envelope; `{replacement}` stands for what replaces a retired endpoint. */
export const messages: Readonly<Record<CodeName | 'success', Message>> = {
  success: { zh: '成功', en: 'Success', pt: 'Sucesso', es: 'Éxito' },
  headersMissing: {
    zh: '缺少请求头 token、sign 或 timestamp',
    en: 'The header token, sign or timestamp is missing',
    pt: 'Falta o cabeçalho token, sign ou timestamp',
    es: 'Falta la cabecera token, sign o timestamp',
  },
  timestampInvalid: {
    zh: 'timestamp 无效，或与服务器时间相差过大',
    en: 'The timestamp is invalid or too far from server time',
    pt: 'O timestamp é inválido ou está longe demais da hora do servidor',
    es: 'El timestamp no es válido o está demasiado lejos de la hora del servidor',
  },
  tokenInvalid: {
    zh: 'token 无效',
    en: 'The token is not valid',
    pt: 'O token não é válido',
    es: 'El token no es válido',
  },
  signMismatch: {
    zh: '签名不匹配',
    en: 'The signature does not match the request',
    pt: 'A assinatura não confere com a requisição',
    es: 'La firma no coincide con la solicitud',
  },
  applicationDisabled: {
    zh: '该应用已停用',
    en: 'The application is disabled',
    pt: 'O aplicativo está desativado',
    es: 'La aplicación está desactivada',
  },
  applicationNotEffective: {
    zh: '该应用尚未生效：等待审批或已被拒绝',
    en: 'The application is not effective: its approval is pending or was refused',
    pt: 'O aplicativo não está em vigor: a aprovação está pendente ou foi recusada',
    es: 'La aplicación no está en vigor: su aprobación está pendiente o fue rechazada',
  },
  integratorDisabled: {
    zh: '集成商账户已停用',
    en: 'The integrator account is disabled',
    pt: 'A conta do integrador está desativada',
    es: 'La cuenta del integrador está desactivada',
  },
  notSubscribed: {
    zh: '该应用未订阅此接口',
    en: 'The application is not subscribed to this endpoint',
    pt: 'O aplicativo não assina este endpoint',
    es: 'La aplicación no está suscrita a este endpoint',
  },
  retired: {
    zh: '该接口已下线，请改用 {replacement}',
    en: 'This API has been retired, please use {replacement} instead',
    pt: 'Esta API foi descontinuada, use {replacement} em seu lugar',
    es: 'Esta API fue retirada, utilice {replacement} en su lugar',
  },
  rateLimited: {
    zh: '请求过于频繁，请稍后重试',
    en: 'Too many requests: the rate limit is exceeded, try again later',
    pt: 'Requisições demais: o limite foi excedido, tente mais tarde',
    es: 'Demasiadas solicitudes: se superó el límite, inténtelo más tarde',
  },
};
