import type { ExchangeEvidence } from '../../schemas/results.ts';
import type { BodyEvidence } from '../../schemas/evidence.ts';
import { deliverySignature, ending, requestHeader } from '../evidence.ts';
import { shortened } from '../visible.ts';
import { callerLine } from './caller.ts';
import { comparedBlock } from './compared.ts';
import { exactLine, exactText, markup, type Markup } from './markup.ts';
import { said, saidDuration } from './said.ts';
import { sizeText } from './size.ts';
import { spellingNote } from './spelling-note.ts';
import { stringToSignBlock } from './string-to-sign.ts';
import { timeOfDay } from './time-of-day.ts';

/** Longest target or error that the one-line summary of an exchange shows whole. */
const longestInSummary = 160;

/** One exchange, folded to a line: request and response as they were on the wire, what was signed, and what is known besides. */
export function exchangeDetails(exchange: ExchangeEvidence, position: number, isOpen: boolean, id: string): Markup {
  const { request, stringToSign, response, error, caller, signing } = exchange;
  const line = `${request.method} ${shortened(request.target, longestInSummary)}`;
  const end = exchange.received
    ? said('received by the suite', 'recebida pela suíte')
    : shortened(ending(exchange), longestInSummary);
  return markup`<details class="exchange" id="${id}"${isOpen ? markup` open` : undefined}>
<summary>${position}. <code>${line}</code> → <strong>${end}</strong> <span class="note">${circumstances(exchange)}</span></summary>
${caller && callerLine(caller, signing?.secret)}
${part(said('Request', 'Requisição'), `${request.method} ${request.target}`, request.headers, request.body)}
${stringToSign && stringToSignBlock(exchange, stringToSign)}
${signaturesBlock(exchange)}
${response && part(said('Response', 'Resposta'), `HTTP ${response.status}`, response.headers, response.body)}
${error === undefined ? undefined : markup`<h6>${said('No response', 'Sem resposta')}</h6>${raw(error)}`}
</details>
`;
}

/** When it happened, over which connection, how long it took, and what a delivery was answered. */
function circumstances({ at, connection, received, answered, durationMs }: ExchangeEvidence): Markup {
  const parts = [
    at === undefined ? undefined : timeOfDay(at),
    connection === undefined ? undefined : markup`${said('connection', 'conexão')} ${connection}`,
    received ? undefined : saidDuration(durationMs),
    answered === undefined ? undefined : answeredText(answered),
  ].filter((one) => one !== undefined);
  return markup`${parts.map((one, index) => (index === 0 ? one : markup`, ${one}`))}`;
}

function answeredText(answered: NonNullable<ExchangeEvidence['answered']>): Markup {
  if (answered === 'hang-up') return said('we closed the connection', 'nós fechamos a conexão');
  return said(`we answered ${answered}`, `respondemos ${answered}`);
}

/** The signature that is due beside the one that was given, where that is another. */
function signaturesBlock(exchange: ExchangeEvidence): Markup | undefined {
  const { rightSignature } = exchange;
  if (rightSignature === undefined) return undefined;
  const given = (exchange.received ? deliverySignature(exchange) : requestHeader(exchange, 'sign')) ?? '';
  return comparedBlock(
    { label: said('Signature that is due', 'Assinatura devida'), text: rightSignature, kind: 'expected' },
    { label: said('Signature given', 'Assinatura dada'), text: given, kind: 'actual' },
    signatureRoom,
  );
}

const signatureRoom = { block: 2_000, line: 2_000 };

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
