import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { Language } from '../../contract/values.ts';
import { all, withTopic, type Variant } from './variant.ts';
import { endpoint } from '../../contract/endpoints.ts';

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
  worded('with-abbreviations', (text) => `SU: ${text} (OS, DO)`),
  worded('with-emoji', (text) => `⚠️ ${text} 🙏`),
  worded('decomposed', (text) => text.normalize('NFD')),
  {
    id: 'variant.message-one-alike-in-three-languages',
    change: withTopic('language', ({ text }) => ({
      text: (name, language) => (name === 'tokenInvalid' && language !== 'zh' ? 'Token 401' : text(name, language)),
    })),
  },
  {
    id: 'variant.message-alike-in-portuguese-and-spanish',
    change: withTopic('language', ({ text }) => ({
      text: (name, language) => text(name, name !== 'signMismatch' && language === 'es' ? 'pt' : language),
    })),
  },
];

/** Another way to name the replacement of a retired endpoint, by its path. */
function named(what: string, dress: (path: string) => string): Variant {
  return {
    id: `variant.replacement-${what}`,
    change: withTopic('retirement', () => ({
      replacementText: ({ replacement }) => dress(endpoint(replacement).path),
    })),
  };
}

/** Another spelling of the variables in the path. */
const spelt = (what: string, spell: (name: string) => string): Variant =>
  named(`variables-${what}`, (path) => path.replaceAll(/\{(\w+)\}/g, (_, name: string) => spell(name)));

const around: readonly (readonly [what: string, before: string, behind: string])[] = [
  ['lenticular-brackets', '【', '】'],
  ['corner-brackets', '「', '」'],
  ['angle-brackets', '<', '>'],
  ['square-brackets', '[', ']'],
  ['parentheses', '(', ')'],
  ['wide-parentheses', '（', '）'],
  ['braces', '{', '}'],
  ['curly-quotes', '“', '”'],
  ['straight-quotes', '"', '"'],
  ['single-quotes', "'", "'"],
  ['guillemets', '«', '»'],
  ['backticks', '`', '`'],
  ['stars', '**', '**'],
  ['link', '<a href="', '">aqui</a>'],
  ['code', '<code>', '</code>'],
  ['full-stop', '', '.'],
  ['ellipsis', '', '...'],
  ['exclamation', '', '!'],
  ['question', '', '?'],
  ['comma', '', ', v3'],
  ['semicolon', '', ';'],
  ['colon', 'URL:', ':'],
  ['dash', '', '—veja'],
  ['slash', '', '/'],
  ['bar', '|', '|'],
  ['equals', 'path=', '&'],
  ['underscore', '_', ' _'],
  ['chinese-stop', '', '。'],
  ['chinese-comma', '，', '，'],
  ['danda', '', '।'],
  ['arabic-comma', '', '،'],
  ['host', 'https://api.example.com:8443', ''],
  ['query', '', '?x=1'],
  ['method', 'POST', ' HTTP/1.1'],
];

/** Where the path of a replacement stands in the text of a 410. Section 4.3 and reading 38. */
export const replacementVariants: readonly Variant[] = [
  ...around.map(([what, before, behind]) => named(`in-${what}`, (path) => `${before}${path}${behind}`)),
  {
    id: 'variant.replacement-in-chinese-without-spaces',
    change: withTopic('language', ({ retiredText }) => ({
      retiredText: (replacement, language) =>
        language === 'zh' ? `该接口已下线，请改用${replacement}代替。` : retiredText(replacement, language),
    })),
  },
  spelt('colon', (name) => `:${name}`),
  spelt('angle', (name) => `<${name}>`),
  spelt('square', (name) => `[${name}]`),
  spelt('double-braces', (name) => `{{${name}}}`),
  spelt('dollar', (name) => `\${${name}}`),
  spelt('shell', (name) => `$${name}`),
  spelt('star', () => '*'),
  spelt('dots', () => '...'),
  spelt('chinese', () => '{公司编号}'),
  spelt('with-spaces', () => '{id da empresa}'),
  spelt('filled-in', () => '35260911222333000181550010000000011000000017'),
];
