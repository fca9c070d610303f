import type { ErrorShape } from '../../contract/endpoints.ts';
import type { Language } from '../../contract/languages.ts';
import type { Reply } from '../http/reply.ts';
import type { Message } from '../rules/messages.ts';

interface EndpointError {
  readonly status: number;
  /** The contract shows no code for it: the prefix says that it is the simulator's own. */
  readonly code: string;
  readonly message: Message;
}

/** What endpoints refuse by themselves. Section 7.3. */
const endpointErrors = {
  notFound: {
    status: 404,
    code: 'SIM-NOT-FOUND',
    message: { zh: '未找到', en: 'Not found', pt: 'Não encontrado', es: 'No encontrado' },
  },
  bodyTooLarge: {
    // Not 413: sections 7.1 and 7.3 know 400 and 404 only.
    status: 400,
    code: 'SIM-BODY-TOO-LARGE',
    message: {
      zh: '请求体过大',
      en: 'The request body is too large',
      pt: 'O corpo da requisição é grande demais',
      es: 'El cuerpo de la solicitud es demasiado grande',
    },
  },
  echoWithoutMessage: {
    status: 400,
    code: 'SIM-ECHO-WITHOUT-MESSAGE',
    message: {
      zh: '请求体必须是 JSON 对象，且 message 为字符串',
      en: 'The body is to be a JSON object whose message is a string',
      pt: 'O corpo deve ser um objeto JSON em que message é um texto',
      es: 'El cuerpo debe ser un objeto JSON en el que message es un texto',
    },
  },
} as const satisfies Readonly<Record<string, EndpointError>>;

export type EndpointErrorName = keyof typeof endpointErrors;

/** That error in the shape of an endpoint's family. Section 7.3. */
export function endpointError(name: EndpointErrorName, shape: ErrorShape, language: Language): Reply {
  const { status, code, message } = endpointErrors[name];
  const text = message[language];
  return { status, body: shape === 'code-message' ? { code, message: text } : [{ codigo: code, mensagem: text }] };
}
