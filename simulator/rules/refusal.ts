import type { Reply } from '../http/reply.ts';
import type { RequestFacts } from '../http/request-facts.ts';
import type { LanguageRules } from './language.ts';
import type { Message } from './messages.ts';
import { findRoute } from './route.ts';

/** Why an endpoint does not do what it is asked for, or one reason of several. Section 7.3. */
export interface Refusal {
  /** 400 where it is absent. */
  readonly status?: number;
  /** One that starts with `SIM-` is the simulator's own: the contract shows none. Section 7.4. */
  readonly code: string | number;
  /** A text alone is in Portuguese; it names the field where there is one. */
  readonly message: Message | string;
}

/** A reason, as endpoints 2 to 7 tell it. */
export interface Reason {
  readonly codigo: string | number;
  readonly mensagem: string;
}

/** How endpoints 2 to 7 refuse. Section 7.3. */
export interface FaultsRules {
  /** The body of a refusal, of all that is wrong. */
  readonly body: (faults: readonly Reason[]) => unknown;
}

export const faultsRules: FaultsRules = { body: (faults) => faults };

/** How the echo and endpoints 8 to 11 refuse. Section 7.3. */
export interface CodeMessageRules {
  readonly body: (code: string | number, message: string) => unknown;
}

export const codeMessageRules: CodeMessageRules = { body: (code, message) => ({ code, message }) };

/** The rules that a refusal of an endpoint goes by. */
export interface EndpointRefusalRules {
  readonly faults: FaultsRules;
  readonly codeMessage: CodeMessageRules;
  readonly language: LanguageRules;
}

/**
 * The answer to a request that is refused for these reasons, in the shape of the endpoint that it is for: all of them, or the
 * first where there is room for one. The status is that of the first. A request for no endpoint gets code and message.
 */
export function refuseFor(
  reasons: readonly Refusal[],
  { method, path, headers }: Pick<RequestFacts, 'method' | 'path' | 'headers'>,
  { faults, codeMessage, language }: EndpointRefusalRules,
): Reply {
  const told = reasons.map(({ code, message }) => ({
    codigo: code,
    mensagem: typeof message === 'string' ? message : message[language.choose(headers)],
  }));
  const [first] = told;
  if (!first) throw new Error(`${method} ${path} is refused without a reason`);
  const shape = findRoute(method, path)?.endpoint.errors ?? 'code-message';
  const body = shape === 'code-message' ? codeMessage.body(first.codigo, first.mensagem) : faults.body(told);
  return { status: reasons[0]?.status ?? 400, body };
}

/** Where there is no such path, method or document. */
export const notFound: Refusal = {
  status: 404,
  code: 'SIM-NOT-FOUND',
  message: { zh: '未找到', en: 'Not found', pt: 'Não encontrado', es: 'No encontrado' },
};

/** A body of which only the start was kept. It is not 413: sections 7.1 and 7.3 know 400 and 404 only. */
export const bodyTooLarge: Refusal = {
  code: 'SIM-BODY-TOO-LARGE',
  message: {
    zh: '请求体过大',
    en: 'The request body is too large',
    pt: 'O corpo da requisição é grande demais',
    es: 'El cuerpo de la solicitud es demasiado grande',
  },
};

/** What is wrong where no company of the caller has that id: the same whether it is another's or nobody's. */
export const unknownEmpresa: Refusal = {
  status: 404,
  code: 'SIM-EMPRESA-DESCONHECIDA',
  message: 'A empresa não existe ou não pertence a este integrador.',
};

/** What a documented number provokes: the service fails, and tells nothing of why. Section 7.1. */
export const systemError: Refusal = {
  status: 500,
  code: 'SIM-SYSTEM',
  message: { zh: '系统错误', en: 'System error', pt: 'Erro de sistema', es: 'Error de sistema' },
};
