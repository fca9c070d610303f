import type { Message } from './messages.ts';

/** Why endpoints 8 to 11 don't do what they are asked for. Section 7.3. */
export interface Refusal {
  readonly status: number;
  /** One that starts with `SIM-` is the simulator's own: the contract shows none. Section 7.4. */
  readonly code: string | number;
  readonly message: Message;
}

/** How endpoints 8 to 11 refuse. Section 7.3. */
export interface CodeMessageRules {
  readonly body: (code: string | number, message: string) => unknown;
}

export const codeMessageRules: CodeMessageRules = { body: (code, message) => ({ code, message }) };

/** What a documented number provokes: the service fails, and tells nothing of why. Section 7.1. */
export const systemError: Refusal = {
  status: 500,
  code: 'SIM-SYSTEM',
  message: { zh: '系统错误', en: 'System error', pt: 'Erro de sistema', es: 'Error de sistema' },
};
