import type { ExchangeEvidence } from '../../schemas/results.ts';
import { exactPiece, lastBreak, markup, type Markup } from './markup.ts';
import { said } from './said.ts';
import { signedOtherwise } from './signed-otherwise.ts';
import { sizeText } from './size.ts';
import { spellingNote } from './spelling-note.ts';
import { checksumTool } from './tools.ts';

type StringToSign = NonNullable<ExchangeEvidence['stringToSign']>;

/**
 * What the contract has signed, its parts set apart in colour and by name, with the tool that recomputes the signature; of a
 * request that was signed otherwise on purpose also how.
 */
export function stringToSignBlock(exchange: ExchangeEvidence, toSign: StringToSign): Markup {
  const text = textToSign(toSign);
  return markup`<h6>${said('String to sign, by the contract', 'Texto a assinar, pelo contrato')} <span class="note">${sizeText(toSign)}</span></h6>
${signedOtherwise(exchange)}
<pre class="string-to-sign" data-bytes="${toSign.bytes}" data-encoding="${toSign.encoding}" tabindex="0">${text}</pre>${spellingNote(text)}
${checksumTool(exchange)}`;
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
