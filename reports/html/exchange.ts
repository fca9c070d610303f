import type { BodyEvidence, Signing, CallerEvidence } from '../../schemas/evidence.ts';
import type { ExchangeEvidence, CheckResult } from '../../schemas/results.ts';
import { deliverySignature, ending, requestHeader } from '../evidence.ts';
import { figure, type Language, type Say } from '../language.ts';
import { comparedBlock } from './difference.ts';
import { exactLine, exactText, markup, type Markup, exactPiece, lastBreak } from './markup.ts';
import { said, saidBy, saidDuration, sizeText, spellingNote, statementSaid } from './words.ts';
import { member } from '../../schemas/values.ts';
import { shortened } from '../visible.ts';

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
${ownAnswer(exchange)}
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

/** What we answered to a delivery, where that was more than a status. */
function ownAnswer({ answered, answeredWith }: ExchangeEvidence): Markup | undefined {
  if (!answeredWith) return undefined;
  const { headers, body: text } = answeredWith;
  const body = { encoding: 'utf-8' as const, bytes: Buffer.byteLength(text), text };
  return part(said('Our answer', 'Nossa resposta'), `HTTP ${answered}`, headers, body);
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

/** The exchanges of a check that are shown, with how many there were; nothing of a check that sent nothing. */
export function exchangeList(check: CheckResult, shown: readonly Markup[]): Markup | undefined {
  const { exchanges = [], exchangesMade = exchanges.length } = check;
  if (exchangesMade === 0 && exchanges.length === 0) return undefined;
  return markup`<div class="exchanges">
<h5>${said('Exchanges', 'Trocas')} <span class="note">${shownText(shown.length, check)}</span></h5>
${shown}
</div>`;
}

/** How many are shown, of which, and where the others are. */
function shownText(shown: number, { exchanges = [], exchangesMade = exchanges.length, state }: CheckResult): Markup {
  const [kept, made] = [exchanges.length, Math.max(exchangesMade, exchanges.length)];
  return saidBy((language) => {
    const words = shownWords[language];
    const count = (number: number): string => figure(number, language);
    // Of a check that passed one exchange is shown, however much room there is.
    if (state === 'passed') return shown === made ? count(made) : words.sample(count(shown), count(made));
    const ofCase = kept === made ? count(kept) : words.ofCase(count(kept));
    const told = shown === kept ? ofCase : words.cut(count(shown), ofCase);
    return kept === made ? told : `${told}${words.besides(count(made))}`;
  });
}

const shownWords = {
  en: {
    sample: (shown: string, made: string) => `a sample: ${shown} of ${made}`,
    ofCase: (kept: string) => `${kept} of the failing case`,
    cut: (shown: string, kept: string) =>
      `the last ${shown} of ${kept}; the others are in results.json: they would make this page too large`,
    besides: (made: string) => `; the check made ${made}`,
  },
  'pt-BR': {
    sample: (shown: string, made: string) => `uma amostra: ${shown} de ${made}`,
    ofCase: (kept: string) => `${kept} do caso que falhou`,
    cut: (shown: string, kept: string) =>
      `as últimas ${shown} de ${kept}; as outras, que tornariam esta página grande demais, estão em results.json`,
    besides: (made: string) => `; a verificação fez ${made}`,
  },
} as const;

/** A check that passed, and the exchanges that are shown as a sample of what it did. */
export interface Sample {
  readonly check: CheckResult;
  readonly shown: readonly Markup[];
}

/** The samples of a clause, folded; nothing without any. */
export function sampleDetails(samples: readonly Sample[], inPortuguese: Say): Markup | undefined {
  if (samples.length === 0) return undefined;
  return markup`<details class="samples"><summary>${said('evidence', 'evidência')}</summary>
${samples.map(({ check, shown }) => markup`<div class="check"><h4>${statementSaid(check.name, inPortuguese)}</h4>${exchangeList(check, shown)}</div>`)}</details>`;
}

type StringToSign = NonNullable<ExchangeEvidence['stringToSign']>;

/**
 * What the contract has signed, its parts set apart in colour and by name; of a request that was signed otherwise on purpose also
 * that it was.
 */
function stringToSignBlock(exchange: ExchangeEvidence, toSign: StringToSign): Markup {
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

/** Who sent a request, by the condition of the application: "the application that is disabled". */
function callerLine({ standing, hasOwnClock }: CallerEvidence, secret: string | undefined): Markup {
  return markup`<p class="note caller">${saidBy((language) => {
    const words = callerWords[language];
    const conditions = [...conditionsOf(standing, language), ...(hasOwnClock ? [words.ownClock] : [])];
    const of = conditions.length === 0 ? words.plain : `${words.that} ${conditions.join(words.and)}`;
    return secret === undefined ? of : markup`${of} (<code>${secret}</code>)`;
  })}</p>`;
}

function conditionsOf(standing: CallerEvidence['standing'], language: Language): string[] {
  const words = callerWords[language];
  const { state = 'active', integratorState = 'active', subscriptions = 'all', rateLimit } = standing;
  const scopes =
    subscriptions === 'all'
      ? []
      : [subscriptions.length === 0 ? words.unsubscribed : words.only(subscriptions.join(', '))];
  return [
    ...(state === 'active' ? [] : [words.states[state]]),
    ...(integratorState === 'active' ? [] : [words.integrator]),
    ...scopes,
    ...(rateLimit ? [words.limited(rateLimit.limit, rateLimit.windowSeconds)] : []),
  ];
}

type State = NonNullable<CallerEvidence['standing']['state']>;

interface CallerWords {
  readonly plain: string;
  readonly that: string;
  readonly and: string;
  readonly states: Readonly<Record<Exclude<State, 'active'>, string>>;
  readonly integrator: string;
  readonly unsubscribed: string;
  readonly only: (scopes: string) => string;
  readonly limited: (limit: number, seconds: number) => string;
  readonly ownClock: string;
}

const callerWords: Readonly<Record<Language, CallerWords>> = {
  en: {
    plain: 'Sent by an active application that may call everything',
    that: 'Sent by the application that',
    and: ', and ',
    states: { disabled: 'is disabled', pending: 'awaits approval', rejected: 'was rejected' },
    integrator: 'belongs to a disabled integrator account',
    unsubscribed: 'has no subscription',
    only: (scopes) => `is subscribed to nothing but ${scopes}`,
    limited: (limit, seconds) => `may send ${limit} requests in ${seconds} s`,
    ownClock: 'has a clock of its own',
  },
  'pt-BR': {
    plain: 'Enviada por uma aplicação ativa que pode chamar tudo',
    that: 'Enviada pela aplicação que',
    and: ' e que ',
    states: { disabled: 'está desabilitada', pending: 'aguarda aprovação', rejected: 'foi recusada' },
    integrator: 'é de uma conta de integrador desabilitada',
    unsubscribed: 'não tem assinatura',
    only: (scopes) => `só assina ${scopes}`,
    limited: (limit, seconds) => `pode enviar ${limit} requisições em ${seconds} s`,
    ownClock: 'tem um relógio próprio',
  },
};

type Step = NonNullable<CheckResult['steered']>[number];

/** What was done by the control API in the case of a failure, step by step, in words; nothing where nothing was. */
export function steeredList({ steered = [] }: CheckResult): Markup | undefined {
  if (steered.length === 0) return undefined;
  return markup`<details class="steered"><summary>${said('What was done by the control API before it', 'O que a API de controle fez antes')}: ${steered.length}</summary>
<ol>${steered.map(stepItem)}</ol></details>
`;
}

function stepItem(step: Step): Markup {
  const { at, method, path, json, status } = step;
  return markup`<li>${timeOfDay(at)} ${saidBy((language) => stepWords(step, language))} <code class="note">${method} ${exactLine(path)}${json === undefined || json === null ? undefined : markup` ${exactLine(JSON.stringify(json))}`} → ${status}</code></li>
`;
}

/** What a call does, by its place and its body. */
function stepWords({ method, path, json }: Step, language: Language): string {
  const place = `${method} ${path.replace(/^\/applications\/[^/]+/, '/applications/*').replace(/^\/authority\/invoices\/.*/, '/authority/invoices/*')}`;
  const seconds = Number(member(json, 'advanceSeconds') ?? 0);
  if (place === 'POST /applications/*/clock') return words.clock[language](seconds);
  return words.places[language][place] ?? words.other[language];
}

const words = {
  clock: {
    en: (seconds: number) =>
      seconds === 0 ? 'what is due by its clock happens' : `moves its clock on by ${seconds} s`,
    'pt-BR': (seconds: number) =>
      seconds === 0 ? 'acontece o que o relógio dela já pede' : `adianta o relógio dela em ${seconds} s`,
  },
  places: {
    en: {
      'POST /applications': 'makes an application',
      'PATCH /applications/*': 'changes the application',
      'POST /applications/*/secret': 'rotates its App Secret',
      'PUT /applications/*/authority': 'has the tax authority decide so',
      'PUT /applications/*/verification-webhook': 'saves the addresses for verification events',
      'GET /applications/*/deliveries': 'asks what was delivered',
      'PUT /authority/invoices/*': 'puts an invoice on the tax authority’s record',
    },
    'pt-BR': {
      'POST /applications': 'cria uma aplicação',
      'PATCH /applications/*': 'muda a aplicação',
      'POST /applications/*/secret': 'troca o App Secret dela',
      'PUT /applications/*/authority': 'faz a autoridade fiscal decidir assim',
      'PUT /applications/*/verification-webhook': 'salva os endereços dos eventos de verificação',
      'GET /applications/*/deliveries': 'pergunta o que foi entregue',
      'PUT /authority/invoices/*': 'põe uma nota no registro da autoridade fiscal',
    },
  } as Readonly<Record<Language, Readonly<Record<string, string>>>>,
  other: { en: 'calls the control API', 'pt-BR': 'chama a API de controle' },
} as const;

/** The time of day of an instant in epoch milliseconds, with its date for who points at it: "23:21:57.123". */
function timeOfDay(at: number): Markup {
  const iso = new Date(at).toISOString();
  return markup`<time datetime="${iso}" title="${iso}">${iso.slice(11, 23)}</time>`;
}
