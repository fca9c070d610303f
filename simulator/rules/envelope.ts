import { type CodeName, codes, type PlatformCode } from '../../contract/values.ts';
import type { Reply } from '../http/reply.ts';
import type { RequestFacts } from '../http/request-facts.ts';
import type { LanguageRules } from './language.ts';

/** The fields of an error's envelope, as they are to be sent. */
interface ErrorFields {
  readonly success: unknown;
  readonly errorType: unknown;
  readonly code: unknown;
  readonly message: unknown;
}

/** How the platform envelope looks. Sections 2.6 and 7.1. */
export interface EnvelopeRules {
  /** `success` of an error. */
  readonly success: unknown;
  readonly errorType: unknown;
  readonly code: (code: number) => unknown;
  readonly message: (text: string) => unknown;
  readonly status: (refusal: PlatformCode) => number;
  /** The body of an error. */
  readonly error: (fields: ErrorFields) => unknown;
  /** The body of a success. */
  readonly ok: (data: unknown, message: string) => unknown;
}

export const envelopeRules: EnvelopeRules = {
  success: false,
  errorType: 1,
  code: (code) => code,
  message: (text) => text,
  status: ({ status }) => status,
  error: (fields) => fields,
  ok: (data, message) => ({ success: true, message, data }),
};

/** The rules that a refusal of the gateway goes by. */
interface RefusalRules {
  readonly envelope: EnvelopeRules;
  readonly language: LanguageRules;
}

/** The refusal with that code; its message is the code's in the language of the request, unless a text is given. */
export function refuse(name: CodeName, request: RequestFacts, rules: RefusalRules, text?: string): Reply {
  const { envelope, language } = rules;
  const refusal = codes[name];
  const fields = {
    success: envelope.success,
    errorType: envelope.errorType,
    code: envelope.code(refusal.code),
    message: envelope.message(text ?? language.text(name, language.choose(request.headers))),
  };
  return { status: envelope.status(refusal), body: envelope.error(fields) };
}
