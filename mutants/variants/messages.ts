import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { Language } from '../../contract/values.ts';
import { all, withTopic, type Variant } from './variant.ts';

/** Another wording of all texts; the one text that the contract fixes is the English 410. */
function worded(what: string, dress: (text: string, language: Language | undefined) => string): Variant {
  return {
    id: `variant.message-${what}`,
    change: all(
      withTopic('language', ({ text, retiredText }) => ({
        text: (name, language) => dress(text(name, language), language),
        retiredText(replacement, language) {
          const right = retiredText(replacement, language);
          return language === 'en' ? right : dress(right, language);
        },
      })),
      withTopic('codeMessage', ({ body }) => ({ body: (code, message) => body(code, dress(message, undefined)) })),
      withTopic('faults', ({ body }) => ({
        body: (faults) =>
          body(faults.map(({ codigo, mensagem }) => ({ codigo, mensagem: dress(mensagem, undefined) }))),
      })),
    ),
  };
}

/** Letters alone, as an id in base 26 has them. */
function letters(count: number): string {
  return Array.from({ length: count }, () => 'abcdefghijklmnopqrstuvwxyz'[randomInt(26)]).join('');
}

const base36 = (): string => BigInt(`0x${randomBytes(8).toString('hex')}`).toString(36);

const traceWords = { zh: '追踪号', en: 'trace id', pt: 'rastreio', es: 'rastreo' } as const;

/** What texts look like, and what stands in them beside the words. Sections 2.6 and 9. */
export const messageVariants: readonly Variant[] = [
  worded('with-uuid', (text) => `${text} (${randomUUID()})`),
  worded('with-uuid-first', (text) => `${randomUUID().toUpperCase()}: ${text}`),
  worded('with-hex', (text) => `[${randomBytes(8).toString('hex')}] ${text}`),
  worded('with-base36', (text) => `${text} #${base36()}`),
  worded('with-base64', (text) => `${text} {${randomBytes(12).toString('base64')}}`),
  worded('with-letters', (text) => `${text} ref=${letters(8)}`),
  worded('with-words', (text) => `${text} ${letters(5)}-${letters(4)} ${letters(6)}`),
  worded('glued-to-trace', (text) => `${randomBytes(6).toString('hex')}${text}`),
  worded('with-trace-in-words', (text, language = 'pt') => `${text}${traceWords[language]}${base36()}`),
  worded('with-iso-time', (text) => `${new Date().toISOString()} ${text}`),
  worded('with-unix-time', (text) => `${text} @${Date.now()}`),
  worded('with-date-in-words', (text) => `${text} — ${new Date().toUTCString()}`),
  worded('with-node', (text) => `${text} [node ${'abc'[randomInt(3)]}]`),
  worded('with-node-in-words', (text) => `${['alfa', 'beta'][randomInt(2)]} - ${text}`),
  worded(
    'with-greek-id',
    (text) => `${text} ${String.fromCodePoint(...Array.from({ length: 6 }, () => 0x3b1 + randomInt(17)))}`,
  ),
  worded(
    'with-chinese-id',
    (text) => `${text} ${String.fromCodePoint(...Array.from({ length: 6 }, () => 0x4e00 + randomInt(1000)))}`,
  ),
  worded('in-brackets', (text) => `【${text}】`),
  worded('in-quotes', (text) => `“${text}”`),
  worded('as-html', (text) => `<p class="erro"><b>${text}</b>&nbsp;</p>`),
  worded('of-lines', (text) => `\n${text}\r\n\t`),
  worded('with-numbers', (text) => `401.3 – ${text} (1/2)`),
  worded('with-emoji', (text) => `⚠️ ${text} 🙏`),
  worded('decomposed', (text) => text.normalize('NFD')),
  {
    id: 'variant.message-one-alike-in-all-languages',
    change: withTopic('language', ({ text }) => ({
      text: (name, language) => (name === 'tokenInvalid' ? 'Token 401' : text(name, language)),
    })),
  },
  {
    id: 'variant.message-alike-in-portuguese-and-spanish',
    change: withTopic('language', ({ text }) => ({
      text: (name, language) => text(name, name !== 'signMismatch' && language === 'es' ? 'pt' : language),
    })),
  },
];
