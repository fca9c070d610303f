import { endpoint } from '../../contract/endpoints.ts';
import { withTopic, type Variant } from './variant.ts';

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
