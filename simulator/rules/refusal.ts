import type { Reply } from '../http/reply.ts';
import type { RequestFacts } from '../http/request-facts.ts';
import type { LanguageRules, Message } from './language.ts';
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
interface EndpointRefusalRules {
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

/** Why a registry gives nothing. Section 7.3. */
export const lookupRefusals = {
  cnpjMalformed: {
    status: 400,
    code: 'SIM-CNPJ-MALFORMED',
    message: {
      zh: 'CNPJ 须为 14 位数字，末两位为校验码',
      en: 'A CNPJ is 14 digits, the last two of them check digits',
      pt: 'O CNPJ tem 14 dígitos, e os dois últimos são verificadores',
      es: 'El CNPJ tiene 14 dígitos y los dos últimos son verificadores',
    },
  },
  cnpjUnknown: {
    status: 404,
    code: 'SIM-CNPJ-UNKNOWN',
    message: {
      zh: '登记册中没有该 CNPJ',
      en: 'The registry does not know this CNPJ',
      pt: 'O cadastro não conhece este CNPJ',
      es: 'El registro no conoce este CNPJ',
    },
  },
  cpfMalformed: {
    status: 400,
    code: 'SIM-CPF-MALFORMED',
    message: {
      zh: 'CPF 须为 11 位数字，末两位为校验码',
      en: 'A CPF is 11 digits, the last two of them check digits',
      pt: 'O CPF tem 11 dígitos, e os dois últimos são verificadores',
      es: 'El CPF tiene 11 dígitos y los dos últimos son verificadores',
    },
  },
  nascimentoMalformed: {
    status: 400,
    code: 'SIM-NASCIMENTO-MALFORMED',
    message: {
      zh: '出生日期须为已过去的日历日期，格式为 DDMMYYYY',
      en: 'A birth date is a day of the calendar that has come, as DDMMYYYY',
      pt: 'A data de nascimento é um dia do calendário que já chegou, na forma DDMMAAAA',
      es: 'La fecha de nacimiento es un día del calendario que ya llegó, en la forma DDMMAAAA',
    },
  },
  cpfUnknown: {
    status: 404,
    code: 'SIM-CPF-UNKNOWN',
    message: {
      zh: '登记册中没有该 CPF',
      en: 'The registry does not know this CPF',
      pt: 'O cadastro não conhece este CPF',
      es: 'El registro no conoce este CPF',
    },
  },
  nascimentoMismatch: {
    status: 404,
    code: 'SIM-NASCIMENTO-MISMATCH',
    message: {
      zh: '出生日期与登记册不符',
      en: 'The birth date is not the one that the registry has',
      pt: 'A data de nascimento não é a que consta do cadastro',
      es: 'La fecha de nacimiento no es la que consta en el registro',
    },
  },
  systemError,
} as const satisfies Readonly<Record<string, Refusal>>;

export type LookupRefusals = Readonly<Record<keyof typeof lookupRefusals, Refusal>>;

/** Why a document or a chave is not verified at all. Section 7.3. */
export const verificationRefusals = {
  empty: {
    status: 400,
    code: 'SIM-XML-EMPTY',
    message: {
      zh: '请求体为空',
      en: 'The request body is empty',
      pt: 'O corpo da requisição está vazio',
      es: 'El cuerpo de la solicitud está vacío',
    },
  },
  tooLarge: {
    status: 400,
    code: 'SIM-XML-TOO-LARGE',
    message: {
      zh: 'XML 超过 1 MB',
      en: 'The XML is larger than 1 MB',
      pt: 'O XML tem mais de 1 MB',
      es: 'El XML supera 1 MB',
    },
  },
  encoding: {
    status: 400,
    code: 'SIM-XML-ENCODING',
    message: {
      zh: 'XML 的编码不受支持，或与其字节不符',
      en: 'The encoding of the XML is not supported, or its bytes are not in it',
      pt: 'A codificação do XML não é aceita ou não corresponde aos seus bytes',
      es: 'La codificación del XML no se admite o no corresponde a sus bytes',
    },
  },
  dtd: {
    status: 400,
    code: 'SIM-XML-DTD',
    message: {
      zh: 'XML 不得包含 DTD',
      en: 'The XML must not have a DTD',
      pt: 'O XML não pode ter DTD',
      es: 'El XML no puede tener DTD',
    },
  },
  malformed: {
    status: 400,
    code: 'SIM-XML-MALFORMED',
    message: {
      zh: 'XML 格式不正确',
      en: 'The XML is not well-formed',
      pt: 'O XML está mal formado',
      es: 'El XML está mal formado',
    },
  },
  tooComplex: {
    status: 400,
    code: 'SIM-XML-TOO-COMPLEX',
    message: {
      zh: 'XML 的嵌套、属性或名称过多',
      en: 'The XML has more levels, attributes or names than an invoice needs',
      pt: 'O XML tem mais níveis, atributos ou nomes do que uma nota precisa',
      es: 'El XML tiene más niveles, atributos o nombres de los que una factura necesita',
    },
  },
  withoutChave: {
    status: 400,
    code: 'SIM-XML-WITHOUT-CHAVE',
    message: {
      zh: 'XML 中没有带访问密钥的 NF-e',
      en: 'The XML holds no NF-e with an access key',
      pt: 'O XML não contém uma NF-e com chave de acesso',
      es: 'El XML no contiene una NF-e con clave de acceso',
    },
  },
  severalInvoices: {
    status: 400,
    code: 'SIM-XML-SEVERAL-INVOICES',
    message: {
      zh: 'XML 中有不止一张 NF-e',
      en: 'The XML holds more than one NF-e',
      pt: 'O XML contém mais de uma NF-e',
      es: 'El XML contiene más de una NF-e',
    },
  },
  chaveMalformed: {
    status: 400,
    code: 'SIM-CHAVE-MALFORMED',
    message: {
      zh: '访问密钥须为 44 位数字，末位为校验码',
      en: 'An access key is 44 digits, the last of them the check digit of the others',
      pt: 'A chave de acesso tem 44 dígitos, e o último é o dígito verificador dos demais',
      es: 'La clave de acceso tiene 44 dígitos y el último es el dígito verificador de los demás',
    },
  },
  /** The only code of these that the contract shows. */
  chaveUnknown: {
    status: 404,
    code: 10015004,
    message: {
      zh: '未找到该访问密钥对应的发票',
      en: 'No invoice with this access key was found',
      pt: 'Nenhuma nota com esta chave de acesso foi encontrada',
      es: 'No se encontró ninguna factura con esta clave de acceso',
    },
  },
  systemError,
} as const satisfies Readonly<Record<string, Refusal>>;

export type VerificationRefusals = Readonly<Record<keyof typeof verificationRefusals, Refusal>>;
