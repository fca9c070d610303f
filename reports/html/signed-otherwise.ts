import type { ExchangeEvidence } from '../../schemas/results.ts';
import type { Signing } from '../../schemas/evidence.ts';
import type { Language } from '../language.ts';
import { requestHeader } from '../evidence.ts';
import { markup, type Content, type Markup } from './markup.ts';
import { saidBy } from './said.ts';
import { digestWords, formWords, literalWords } from './signing-words.ts';

/** Says how a request was signed that was signed otherwise than by the contract; `undefined` of every other exchange. */
export function signedOtherwise(exchange: ExchangeEvidence): Markup | undefined {
  const { signing, received, stringToSign } = exchange;
  if (!signing || received || !stringToSign) return undefined;
  const isSent = requestHeader(exchange, 'sign') !== undefined;
  if (isSent && isByContract(signing, stringToSign)) return undefined;
  const words = isSent ? signWords(signing) : unsignedWords;
  return markup`<p class="signed-otherwise">${saidBy(words)}</p>`;
}

type StringToSign = NonNullable<ExchangeEvidence['stringToSign']>;

const ingredients = ['token', 'path', 'body', 'timestamp'] as const;

/** Whether the sign is the MD5 of all ingredients in their order, as it is; one that is empty may be left out. */
function isByContract({ digest, sign }: Signing, toSign: StringToSign): boolean {
  if (digest?.hash !== 'md5' || !('between' in sign) || sign.between.length !== 2 || sign.between.join('') !== '')
    return false;
  const hashed = digest.of.map((piece) => ('sent' in piece ? piece.sent : undefined));
  const contract = ingredients.filter((name) => hashed.includes(name) || !isEmpty(name, toSign));
  return contract.length === hashed.length && contract.every((name, index) => name === hashed[index]);
}

/** Whether an ingredient is empty, as far as the evidence tells; only a body can be what is no UTF-8 in the string. */
function isEmpty(name: (typeof ingredients)[number], { parts, encoding }: StringToSign): boolean {
  if (parts) return !parts.some((part) => part.name === name && part.length > 0);
  return !(name === 'body' && encoding === 'base64');
}

const unsignedWords = (language: Language): Content =>
  language === 'en'
    ? markup`On purpose, the request was sent without a <code>sign</code>.`
    : markup`De propósito, a requisição foi enviada sem <code>sign</code>.`;

function signWords({ digest, sign }: Signing): (language: Language) => Content {
  if (digest === undefined) return (language) => literalSign(language, sign);
  return (language) => {
    const recipe = markup`${digestWords(digest, language)}${formWords(sign, language)}`;
    return language === 'en'
      ? markup`Signed otherwise on purpose: the <code>sign</code> sent is ${recipe}.`
      : markup`Assinada de outro modo, de propósito: o <code>sign</code> enviado é ${recipe}.`;
  };
}

/** The sign may still be a digest of something that has to stay hidden: the sentence doesn't say what it was made of. */
function literalSign(language: Language, sign: Signing['sign']): Content {
  const text = 'text' in sign || 'madeUp' in sign ? literalWords(sign, language) : formWords(sign, language);
  return language === 'en'
    ? markup`Signed otherwise on purpose: the <code>sign</code> sent is no digest of this string, but ${text}.`
    : markup`Assinada de outro modo, de propósito: o <code>sign</code> enviado não é um hash deste texto, e sim ${text}.`;
}
