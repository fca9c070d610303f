import type { Form, Piece, Signing } from '../../schemas/evidence.ts';
import { figure } from '../figures.ts';
import type { Language, Phrase } from '../language.ts';
import { exactLine, markup, type Content, type Markup } from './markup.ts';

type Digest = NonNullable<Signing['digest']>;

const hashWords: Readonly<Record<Digest['hash'], Phrase>> = {
  md5: { en: 'the MD5 of', 'pt-BR': 'o MD5 de' },
  'md5-of-md5': { en: 'the MD5 of the hex MD5 of', 'pt-BR': 'o MD5 do MD5 em hexadecimal de' },
  sha1: { en: 'the SHA-1 of', 'pt-BR': 'o SHA-1 de' },
  sha256: { en: 'the SHA-256 of', 'pt-BR': 'o SHA-256 de' },
  'hmac-md5': { en: 'the HMAC-MD5, keyed with the token, of', 'pt-BR': 'o HMAC-MD5, com o token como chave, de' },
  'hmac-sha256': {
    en: 'the HMAC-SHA256, keyed with the token, of',
    'pt-BR': 'o HMAC-SHA256, com o token como chave, de',
  },
};

/** What was hashed and how: “the MD5 of token + path + “x” + timestamp”. */
export function digestWords({ hash, of }: Digest, language: Language): Content {
  const nothing = { en: 'no bytes', 'pt-BR': 'nenhum byte' };
  const pieces = of.length === 0 ? nothing[language] : inRow(of.map((piece) => pieceWords(piece, language)));
  return [hashWords[hash][language], ' ', pieces];
}

const tokenWords: Readonly<Record<'upper-case' | 'lower-case' | 'md5', Phrase>> = {
  'upper-case': { en: 'the token in upper case', 'pt-BR': 'o token em maiúsculas' },
  'lower-case': { en: 'the token in lower case', 'pt-BR': 'o token em minúsculas' },
  md5: { en: 'the MD5 of the token', 'pt-BR': 'o MD5 do token' },
};

const clockWords: Readonly<Record<'seconds' | 'hex' | 'iso' | 'http-date', Phrase>> = {
  seconds: { en: 'in Unix seconds', 'pt-BR': 'em segundos Unix' },
  hex: { en: 'in hexadecimal', 'pt-BR': 'em hexadecimal' },
  iso: { en: 'in ISO 8601', 'pt-BR': 'em ISO 8601' },
  'http-date': { en: 'as a date of HTTP', 'pt-BR': 'como data de HTTP' },
};

function pieceWords(piece: Piece, language: Language): Content {
  if ('sent' in piece) return markup`<code>${piece.sent}</code>`;
  if ('text' in piece) return quoted(piece.text, language);
  if ('base64' in piece)
    return [{ en: 'the bytes in base64 ', 'pt-BR': 'os bytes em base64 ' }[language], quoted(piece.base64, language)];
  if ('token' in piece) return tokenWords[piece.token][language];
  const { clock, offsetSeconds } = piece;
  const offset = offsetSeconds === 0 ? '' : ` ${offsetSeconds < 0 ? '−' : '+'} ${Math.abs(offsetSeconds)} s`;
  return `${{ en: 'the sender’s time', 'pt-BR': 'a hora de quem envia' }[language]}${offset} ${clockWords[clock][language]}`;
}

const writingWords: Readonly<Record<Extract<Form, { as: string }>['as'], Phrase>> = {
  'upper-case': { en: ', in upper case', 'pt-BR': ', em maiúsculas' },
  'lower-case': { en: ', in lower case', 'pt-BR': ', em minúsculas' },
  'first-letter-upper-case': { en: ', its first letter in upper case', 'pt-BR': ', com a primeira letra em maiúscula' },
  base64: { en: ', in base64', 'pt-BR': ', em base64' },
  uuid: { en: ', with the dashes of a UUID', 'pt-BR': ', com os hífens de um UUID' },
  'bytes-reversed': { en: ', its bytes in reverse order', 'pt-BR': ', com os bytes em ordem inversa' },
};

/** How the sign was made of the digest, behind the words for that; nothing where it is the digest itself. */
export function formWords(form: Form, language: Language): Content {
  const isEnglish = language === 'en';
  if ('as' in form) return writingWords[form.as][language];
  if ('between' in form) return betweenWords(form.between, language);
  if ('dropStart' in form) {
    const { dropStart, dropEnd } = form;
    return isEnglish
      ? `, without its first ${dropStart} and its last ${dropEnd} characters`
      : `, sem os ${dropStart} primeiros e os ${dropEnd} últimos caracteres`;
  }
  if ('changedAt' in form) {
    const place = form.changedAt + 1;
    return isEnglish ? `, with character ${place} changed` : `, com o caractere ${place} trocado`;
  }
  return [isEnglish ? ', in its place ' : ', em seu lugar ', literalWords(form, language)];
}

function betweenWords(between: readonly string[], language: Language): Content {
  if (between.length === 2 && between.join('') === '') return undefined;
  const digest = { en: 'digest', 'pt-BR': 'hash' }[language];
  const row = between.flatMap((text, index) => [
    ...(index === 0 ? [] : [digest]),
    ...(text ? [quoted(text, language)] : []),
  ]);
  return [{ en: ', written as ', 'pt-BR': ', escrito como ' }[language], inRow(row)];
}

/** A sign that was sent for itself, made of no digest. */
export function literalWords(form: Extract<Form, { text: string } | { madeUp: number }>, language: Language): Content {
  if ('madeUp' in form) {
    const count = figure(form.madeUp, language);
    return { en: `${count} characters that are not shown`, 'pt-BR': `${count} caracteres que não são mostrados` }[
      language
    ];
  }
  if (form.text === '') return { en: 'an empty text', 'pt-BR': 'um texto vazio' }[language];
  return [{ en: 'the text ', 'pt-BR': 'o texto ' }[language], quoted(form.text, language)];
}

/** Longest text that a sentence quotes whole, in UTF-16 units. */
const longestQuoted = 1000;

function quoted(text: string, language: Language): Markup {
  const characters = { en: 'characters in all', 'pt-BR': 'caracteres ao todo' }[language];
  const rest = text.length > longestQuoted ? `… (${figure(text.length, language)} ${characters})` : undefined;
  return markup`“<code>${exactLine(text.slice(0, longestQuoted))}</code>”${rest}`;
}

function inRow(pieces: readonly Content[]): Content {
  return pieces.map((piece, index) => [index === 0 ? undefined : ' + ', piece]);
}
