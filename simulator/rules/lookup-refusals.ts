import { systemError, type Refusal } from './refusal.ts';

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
