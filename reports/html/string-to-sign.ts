import type { ExchangeEvidence } from '../../schemas/results.ts';
import type { Signing } from '../../schemas/evidence.ts';
import { exactPiece, lastBreak, markup, type Markup } from './markup.ts';
import { requestHeader } from '../evidence.ts';
import { said, sizeText, spellingNote } from './words.ts';

type StringToSign = NonNullable<ExchangeEvidence['stringToSign']>;

/**
 * What the contract has signed, its parts set apart in colour and by name; of a request that was signed otherwise on purpose also
 * that it was.
 */
export function stringToSignBlock(exchange: ExchangeEvidence, toSign: StringToSign): Markup {
  const text = textToSign(toSign);
  return markup`<h6>${said('String to sign, by the contract', 'Texto a assinar, pelo contrato')} <span class="note">${sizeText(toSign)}</span></h6>
${signedOtherwise(exchange)}
<pre class="string-to-sign" tabindex="0">${text}</pre>${spellingNote(text)}`;
}

/** The name of a part stands before it by style alone, so that a copy of the text has the signed bytes and nothing else. */
function textToSign({ text, parts = [] }: StringToSign): Markup {
  const starts = parts.map((_, index) => parts.slice(0, index).reduce((sum, { length }) => sum + length, 0));
  const end = parts.reduce((sum, { length }) => sum + length, 0);
  return markup`${parts.map(({ name, length }, index) => partText(name, text.slice(starts[index], (starts[index] ?? 0) + length)))}${exactPiece(text.slice(end))}${lastBreak(text)}`;
}

function partText(name: string, text: string): Markup | undefined {
  return text === '' ? undefined : markup`<span class="part ${name}" data-part="${name}">${exactPiece(text)}</span>`;
}

/** Says of a request that it was signed otherwise than by the contract, on purpose; `undefined` of every other exchange. */
function signedOtherwise(exchange: ExchangeEvidence): Markup | undefined {
  const { signing, received, stringToSign } = exchange;
  if (!signing || received || !stringToSign) return undefined;
  const isSent = requestHeader(exchange, 'sign') !== undefined;
  if (isSent && isByContract(signing, stringToSign)) return undefined;
  const words = isSent
    ? said(
        markup`Signed otherwise on purpose: the <code>sign</code> sent is not the MD5 of this string.`,
        markup`Assinada de outro modo, de propósito: o <code>sign</code> enviado não é o MD5 deste texto.`,
      )
    : said(
        markup`On purpose, the request was sent without a <code>sign</code>.`,
        markup`De propósito, a requisição foi enviada sem <code>sign</code>.`,
      );
  return markup`<p class="signed-otherwise">${words}</p>`;
}

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
