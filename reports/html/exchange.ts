import type { BodyEvidence, ExchangeEvidence } from '../../schemas/results.ts';
import { ending } from '../evidence.ts';
import { counted, duration } from '../figures.ts';
import { shortened } from '../visible.ts';
import { exactLine, exactText, markup, type Markup } from './markup.ts';

/** Longest target or error that the one-line summary of an exchange shows whole. */
const longestInSummary = 160;

/** The exchanges of a check, folded but for the last one, which is what the failure is about. */
export function exchangeList(exchanges: readonly ExchangeEvidence[]): Markup | undefined {
  if (exchanges.length === 0) return undefined;
  return markup`<div class="exchanges">
<h5>${counted(exchanges.length, 'exchange')}</h5>
${exchanges.map((exchange, index) => exchangeDetails(exchange, index + 1, index === exchanges.length - 1))}
</div>`;
}

function exchangeDetails(exchange: ExchangeEvidence, position: number, isOpen: boolean): Markup {
  const { request, stringToSign, response, error } = exchange;
  const line = `${request.method} ${shortened(request.target, longestInSummary)}`;
  const end = shortened(ending(exchange), longestInSummary);
  return markup`<details class="exchange"${isOpen ? markup` open` : undefined}>
<summary>${position}. <code>${line}</code> → <strong>${end}</strong> <span class="note">in ${duration(exchange.durationMs)}</span></summary>
${part('Request', `${request.method} ${request.target}`, request.headers, request.body)}
${stringToSign && markup`<h6>String to sign <span class="note">${sizeOf(stringToSign)}</span></h6>${raw(stringToSign.text)}`}
${response && part('Response', `HTTP ${response.status}`, response.headers, response.body)}
${error === undefined ? undefined : markup`<h6>No response</h6>${raw(error)}`}
</details>
`;
}

function part(
  title: string,
  startLine: string,
  headers: readonly (readonly string[])[],
  body: BodyEvidence | undefined,
): Markup {
  const lines = headers.map(
    ([name = '', value = '']) => markup`
<b>${exactLine(name)}</b>: ${exactLine(value)}`,
  );
  return markup`<h6>${title}</h6>
<pre tabindex="0">${exactLine(startLine)}${lines}</pre>
${body === undefined || body.bytes === 0 ? markup`<p class="note">No body.</p>` : bodyBlock(title, body)}`;
}

function bodyBlock(title: string, body: BodyEvidence): Markup {
  return markup`<h6>${title} body <span class="note">${sizeOf(body)}</span></h6>
${raw(body.text)}`;
}

function raw(text: string): Markup {
  return markup`<pre tabindex="0">${exactText(text)}</pre>`;
}

function sizeOf(body: BodyEvidence): string {
  return `${counted(body.bytes, 'byte')}${body.encoding === 'base64' ? ', not UTF-8, shown in base64' : ''}`;
}
