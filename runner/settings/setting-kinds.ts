import type { Language } from '../../reports/language.ts';

/** A kind of value: how a message words it after "takes", and what a text means; `undefined` refuses the text. */
export interface SettingKind<T> {
  readonly text: string;
  readonly parse: (text: string) => T | undefined;
}

/** Where a server listens. */
interface ListenAddress {
  /** Name or IP address; an IPv6 address without its brackets. */
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
}

/** A text of which every part is legal. */
function matching(text: string, pattern: RegExp): SettingKind<string> {
  return { text, parse: (value) => (pattern.test(value) ? value : undefined) };
}

/** One of a few words, in that letter case. */
export function oneOf<const Word extends string>(words: readonly Word[]): SettingKind<Word> {
  return {
    text: words.map((word) => `\`${word}\``).join(' or '),
    parse: (value) => words.find((word) => word === value),
  };
}

/** What `NFE_LANGUAGE` takes, and the language that each word means. */
const spokenLanguages = { en: 'en', pt: 'pt-BR' } as const satisfies Record<string, Language>;

export const language: SettingKind<Language> = {
  text: oneOf(Object.keys(spokenLanguages)).text,
  parse: (value) => Object.entries(spokenLanguages).find(([word]) => word === value)?.[1],
};

export const flag: SettingKind<boolean> = {
  text: '`true` or `false`',
  parse: (value) => (value === 'true' || value === 'false' ? value === 'true' : undefined),
};

/** A decimal integer without leading zeros; both limits are allowed. */
export function integer(least: number, most: number): SettingKind<number> {
  return {
    text: most === Number.MAX_SAFE_INTEGER ? `an integer of at least ${least}` : `an integer from ${least} to ${most}`,
    parse: (value) => {
      const parsed = /^(?:0|-?[1-9]\d*)$/.test(value) ? Number(value) : Number.NaN;
      return parsed >= least && parsed <= most ? parsed : undefined;
    },
  };
}

export const notNegative: SettingKind<number> = {
  text: 'a number of at least 0, such as `5` or `0.5`',
  parse: (value) => {
    const parsed = /^(?:0|[1-9]\d*)(?:\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
    return Number.isFinite(parsed) ? parsed : undefined;
  },
};

/** The token of a header: what arrives is what was sent only without blanks at its ends. */
export const secretText = matching(
  'printable ASCII characters, none of them a blank at either end',
  /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/,
);

export const anyText = matching('text on one line', /^\P{Cc}+$/u);

export const pathSegment = matching(
  'one path segment as it stands on the request line: printable ASCII without blank, `/`, `?` and `#`',
  /^(?!\.{1,2}$)[!"$-.0-\x3e@-\x7e]+$/,
);

export const headerPrefix = matching(
  'the start of a header name without the hyphen that follows it, such as `X-Service`',
  /^[\w!#$%&'*+.^`|~-]*[\w!#$%&'*+.^`|~]$/,
);

export const contentType = matching(
  'a Content-Type, such as `application/xml` or `text/xml; charset=utf-8`',
  /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+(?: *;[\x20-\x7e]*[\x21-\x7e])?$/,
);

export const filePath = matching('a path', /^\P{Cc}+$/u);

/** The URL that a text is, when it is absolute, http(s), without user info and fragment, and needs no repair. */
function parseUrl(value: string): URL | undefined {
  const plain = /^https?:\/\/[^\s\\#/?@]+(?:[/?][^\s\\#]*)?$/i.test(value);
  return plain && URL.canParse(value) ? new URL(value) : undefined;
}

/** An address to which paths are added: given back without the slash at its end, its own path kept. */
export const baseUrl: SettingKind<string> = {
  text: 'an absolute http or https URL without user info, query and fragment',
  parse: (value) => {
    const url = value.includes('?') ? undefined : parseUrl(value);
    return url && (url.origin + url.pathname).replace(/(?<!\/)\/+$/, '');
  },
};

/** A whole address, compared with what arrives: given back as it stands. */
export const wholeUrl: SettingKind<string> = {
  text: 'an absolute http or https URL without user info and fragment',
  parse: (value) => parseUrl(value) && value,
};

export const listenAddress: SettingKind<ListenAddress> = {
  text: '`host:port` with a port from 0 to 65535, such as `127.0.0.1:0` or `[::1]:8080`',
  parse: (value) => {
    const parts = /^(?:\[(?<ipv6>[\da-f:.]+)\]|(?<name>[\w.-]+)):(?<port>\d{1,5})$/i.exec(value)?.groups;
    const host = parts?.['ipv6'] ?? parts?.['name'];
    const port = Number(parts?.['port']);
    return host !== undefined && port <= 65_535 ? { host, port } : undefined;
  },
};

/** The word for the language of the locale: that of the first variable that says one; English unless it is Portuguese. */
export function wordOfLocale(environment: Readonly<Record<string, string | undefined>>): keyof typeof spokenLanguages {
  const locale = environment['LC_ALL'] || environment['LC_MESSAGES'] || environment['LANG'] || '';
  return /^pt(?![a-z])/i.test(locale) ? 'pt' : 'en';
}

/** The language in which a command speaks before its settings are read, or where they can't be. */
export function languageIn(environment: Readonly<Record<string, string | undefined>>): Language {
  const word = environment['NFE_LANGUAGE'] || wordOfLocale(environment);
  return word === 'pt' ? spokenLanguages.pt : spokenLanguages.en;
}
