import { systemError, type Refusal } from './refusal.ts';

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
