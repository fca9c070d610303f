import type { ExchangeEvidence } from '../../schemas/results.ts';
import { exactText, markup, type Markup } from './markup.ts';
import { said } from './said.ts';
import { sizeText } from './size.ts';
import { checksumTool } from './tools.ts';

type StringToSign = NonNullable<ExchangeEvidence['stringToSign']>;

/** What was signed, its parts set apart in colour and by name, with the tool that recomputes the signature. */
export function stringToSignBlock(exchange: ExchangeEvidence, signed: StringToSign): Markup {
  return markup`<h6>${said('String to sign', 'Texto assinado')} <span class="note">${sizeText(signed)}</span></h6>
<pre class="string-to-sign" data-bytes="${signed.bytes}" data-encoding="${signed.encoding}" tabindex="0">${signedText(signed)}</pre>
${checksumTool(exchange)}`;
}

/** The name of a part stands before it by style alone, so that a copy of the text has the signed bytes and nothing else. */
function signedText({ text, parts = [] }: StringToSign): Markup {
  const starts = parts.map((_, index) => parts.slice(0, index).reduce((sum, { length }) => sum + length, 0));
  const end = parts.reduce((sum, { length }) => sum + length, 0);
  return markup`${parts.map(({ name, length }, index) => partText(name, text.slice(starts[index], (starts[index] ?? 0) + length)))}${exactText(text.slice(end))}`;
}

function partText(name: string, text: string): Markup | undefined {
  return text === '' ? undefined : markup`<span class="part ${name}" data-part="${name}">${exactText(text)}</span>`;
}
