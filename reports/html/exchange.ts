import type { BodyEvidence, ExchangeEvidence } from '../../schemas/results.ts';
import { ending } from '../evidence.ts';
import { shortened } from '../visible.ts';
import { exactLine, exactText, markup, type Markup } from './markup.ts';
import { said, saidDuration } from './said.ts';
import { sizeText } from './size.ts';
import { spellingNote } from './spelling-note.ts';
import { stringToSignBlock } from './string-to-sign.ts';

/** Longest target or error that the one-line summary of an exchange shows whole. */
const longestInSummary = 160;

/** One exchange, folded to a line: request and response as they were on the wire, and what was signed. */
export function exchangeDetails(exchange: ExchangeEvidence, position: number, isOpen: boolean): Markup {
  const { request, stringToSign, response, error } = exchange;
  const line = `${request.method} ${shortened(request.target, longestInSummary)}`;
  const end = exchange.received
    ? said('received by the suite', 'recebida pela suíte')
    : shortened(ending(exchange), longestInSummary);
  return markup`<details class="exchange"${isOpen ? markup` open` : undefined}>
<summary>${position}. <code>${line}</code> → <strong>${end}</strong> <span class="note">${saidDuration(exchange.durationMs)}</span></summary>
${part(said('Request', 'Requisição'), `${request.method} ${request.target}`, request.headers, request.body)}
${stringToSign && stringToSignBlock(exchange, stringToSign)}
${response && part(said('Response', 'Resposta'), `HTTP ${response.status}`, response.headers, response.body)}
${error === undefined ? undefined : markup`<h6>${said('No response', 'Sem resposta')}</h6>${raw(error)}`}
</details>
`;
}

function part(
  title: Markup,
  startLine: string,
  headers: readonly (readonly string[])[],
  body: BodyEvidence | undefined,
): Markup {
  const lines = headers.map(
    ([name = '', value = '']) => markup`
<b>${exactLine(name)}</b>: ${exactLine(value)}`,
  );
  return markup`<h6>${title}</h6>
${block(markup`${exactLine(startLine)}${lines}`)}
${body === undefined || body.bytes === 0 ? markup`<p class="note">${said('No body.', 'Sem corpo.')}</p>` : bodyBlock(title, body)}`;
}

function bodyBlock(title: Markup, body: BodyEvidence): Markup {
  return markup`<h6>${title}: ${said('body', 'corpo')} <span class="note">${sizeText(body)}</span></h6>
${raw(body.text)}`;
}

function raw(text: string): Markup {
  return block(exactText(text));
}

function block(shown: Markup): Markup {
  return markup`<pre tabindex="0">${shown}</pre>${spellingNote(shown)}`;
}
