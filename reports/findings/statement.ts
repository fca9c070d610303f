import { type Fact, type FactName, type Finding, linkToDocument } from '../../schemas/finding.ts';
import { codes } from '../../contract/values.ts';
import { cachedAnswer } from '../../trace/records.ts';
import { topicOf } from '../../contract/catalogue.ts';
import { isAnswer, platformCode } from './breaks.ts';
import { nodeText } from './node-text.ts';
import { inEnglish, type Language, type Speech, figure, utc } from '../language.ts';
import type { ClauseResult, Results } from '../../schemas/results.ts';
import { verdictLooks } from '../verdicts.ts';
import { shortened } from '../visible.ts';

/** What a finding is told by: what its records have in common, and what its first clause shows. */
type ToldOfFinding = Pick<Finding, 'facts' | 'expected' | 'actual' | 'diagnosis' | 'observations' | 'node'> &
  Partial<Pick<Finding, 'clauses'>>;

/** Characters of a text from the target in a statement that is shown. */
const longestShown = 160;

/**
 * What the target does, in one sentence without a stop; what it said itself may stand in it, so escape it. Only what is masked is cut:
 * half a secret is no longer recognised.
 */
export function statementOf(
  told: ToldOfFinding,
  speech: Speech = inEnglish,
  longest: number = Number.POSITIVE_INFINITY,
): string {
  const said = toldOf(told, speech, longest);
  // Which requests a way to sign is right for hangs on no node.
  return told.node && !takenSign.test(told.diagnosis ?? '') ? `${said}; ${nodeText(told.node, speech)}` : said;
}

function toldOf(told: ToldOfFinding, { language, say }: Speech, longest: number): string {
  const words = statementWords[language];
  const { facts = [], expected = '', actual = '', diagnosis } = told;
  const sign = takenSign.exec(diagnosis ?? '')?.[1];
  const known = new Map(facts.map(({ name, value }) => [name, value]));
  const shown = (text: string): string => say(shortened(text.replaceAll(/\s+/g, ' '), longest));
  const [due, came] = [shown(expected), shown(actual)];
  const [clause = ''] = told.clauses ?? [];
  const telling: Telling = { known, facts, words, say, expected, topic: topicOf(clause) };
  const isRefusal = expected.startsWith('accepted');
  const isEvery = isRefusal && sign !== undefined && isThroughout(told);
  const request = isEvery ? words.everyRight : requestOf(telling);
  const place = placeOf(telling);
  const seen = isNone(actual) ? words.nothing : came;
  const shownAt = isNone(actual) && place === words.answers ? seen : `${place}: ${seen}`;
  const said = isAnswer(actual) ? words.answered(request, came) : shownAt;
  const whole = isPlainly(expected) ? said : `${said}; ${words.due(due)}`;
  if (diagnosis === cachedAnswer || diagnosis === pageAnswer) return `${whole}; ${shown(diagnosis)}`;
  if (sign !== undefined) return `${whole}; ${words.takes(say(sign))}`;
  // What is hidden may show as the same on both sides.
  const isAlike = came.length >= leastAlike && bare(due).includes(bare(came));
  return isAlike && diagnosis !== undefined ? `${whole}; ${shown(diagnosis)}` : whole;
}

/** A text without what hardly shows. */
function bare(text: string): string {
  return text.replaceAll(/["\s]/g, '');
}

/** Whether it goes without saying what was due: that what is right passes. */
export function isPlainly(expected: string): boolean {
  return /^accepted(?: by the gateway)?(?:$|:)/.test(expected);
}

/** Characters that are no mere number. */
const leastAlike = 6;

/** How a diagnosis tells which way to sign the target takes. */
export const takenSign = /the target takes (a sign computed .*|any sign)$/s;

/** Who answers with a page. */
export const pageAnswer = 'a page is sent by what stands before the service, such as a proxy, or by its framework';

/** What a target takes that looks at no sign. */
export const anySign = 'any sign';

/** Whether nothing right was seen at all. */
function isThroughout({ observations: { wrong, of } = { wrong: 0, of: 0 } }: ToldOfFinding): boolean {
  return of > 0 && wrong === of;
}

/** What a statement is put together from. */
interface Telling {
  readonly known: ReadonlyMap<FactName, string>;
  readonly facts: readonly Fact[];
  readonly words: StatementWords;
  readonly say: Speech['say'];
  /** What was due. */
  readonly expected: string;
  /** That of the clause which names the finding. */
  readonly topic: string;
}

/** The request of an answer: what is wrong with it, where it went, and what else it hangs on. */
function requestOf(telling: Telling): string {
  const { known, words, say, expected } = telling;
  const fault = known.get('fault');
  const endpoint = known.get('endpoint');
  if (endpoint === linkToDocument) return words.link;
  const isRight = isPlainly(expected) || fault === 'none' || (fault === undefined && known.get('signed') === 'right');
  const [, code] = platformCode.exec(expected) ?? [];
  const wrong = words.wrong[Number(code)] ?? (isRight ? words.right : words.any);
  const what = isMeant(fault) ? words.faulty(say(fault)) : wrong;
  const where = endpoint === undefined ? wherePath(telling) : words.to(endpoint);
  const more = conditions(telling);
  return `${what}${where}${more === '' ? '' : `${more},`}`;
}

/** Current paths are what one thinks of anyway. */
function wherePath({ known, words }: Telling): string {
  return known.get('path') === 'retired' ? words.toRetired : '';
}

function isMeant(fault: string | undefined): fault is string {
  return fault !== undefined && !['none', 'other', 'unsigned'].includes(fault);
}

/** Where something came that no status tells of: "POST /x". */
function placeOf(telling: Telling): string {
  const { known, words, topic } = telling;
  const [endpoint, channel] = [known.get('endpoint'), known.get('channel') ?? channelsOfTopics.get(topic)];
  const named = endpoint === linkToDocument ? words.link : endpoint;
  const where = named ?? (channel === undefined ? undefined : words.channel(channel, known.get('event')));
  const isDelivery = known.has('signature') || known.has('event') || topicsOfDeliveries.has(topic);
  const more = conditions(telling);
  return `${where ?? (isDelivery ? words.deliveries : more === '' ? answersOf(telling) : words.any)}${more}`;
}

/** Which answers, where they came from several endpoints. */
function answersOf({ known, words, topic }: Telling): string {
  const status = known.get('status');
  if (status !== undefined) return words.answersWith(status);
  if (topic === 'envelope') return words.envelopes;
  return known.get('signed') === 'right' && known.get('fault') === 'none' ? words.answersToRight : words.answers;
}

/** Of these topics nothing but a delivery tells. */
const topicsOfDeliveries: ReadonlySet<string> = new Set(['webhook-delivery', 'webhook-signature']);

/** Where what is said by these topics comes. */
const channelsOfTopics: ReadonlyMap<string, string> = new Map([
  ['issuance-callback', 'issuance'],
  ['verdict-event', 'verification'],
]);

/** What is told in words of its own. */
const inOther: ReadonlySet<FactName> = new Set([
  'endpoint',
  'path',
  'fault',
  'signed',
  'channel',
  'event',
  'signature',
]);

/** What it hangs on besides. */
function conditions({ known, facts, words, say }: Telling): string {
  // Of what is signed otherwise most is sent with a query: a sign over it is a way to sign as well.
  const isUsual = ({ name }: Fact): boolean => name === 'query' && known.get('signed') === 'otherwise';
  const isToTell = (fact: Fact): boolean => (fact.telling ?? false) || (isUnusual(fact) && !isUsual(fact));
  const told = facts.filter((fact) => isToTell(fact) && !inOther.has(fact.name));
  return told.map(({ name, value }) => `, ${words.conditions[name]?.(say(value)) ?? `${name} ${value}`}`).join('');
}

/** Hardly anything is sent so, or by such a caller: that all of it was is no chance. */
function isUnusual({ name, value }: Fact): boolean {
  if (name === 'timestamp') return value !== 'in time';
  return name === 'query' || (name === 'transfer' && value !== 'at once') || (name === 'caller' && value !== 'active');
}

/** The pieces of a statement. */
interface StatementWords {
  readonly right: string;
  /** What is wrong with a request that is due to be refused with that code. */
  readonly wrong: Readonly<Partial<Record<number, string>>>;
  readonly everyRight: string;
  readonly any: string;
  readonly link: string;
  readonly answers: string;
  readonly answersWith: (status: string) => string;
  readonly answersToRight: string;
  readonly deliveries: string;
  readonly envelopes: string;
  readonly faulty: (fault: string) => string;
  readonly to: (endpoint: string) => string;
  readonly toRetired: string;
  readonly channel: (channel: string, event: string | undefined) => string;
  readonly answered: (request: string, answer: string) => string;
  readonly nothing: string;
  readonly due: (expected: string) => string;
  readonly takes: (sign: string) => string;
  readonly conditions: Partial<Record<FactName, (value: string) => string>>;
}

const english: StatementWords = {
  right: 'a correctly signed request',
  wrong: {
    [codes.headersMissing.code]: 'a request that lacks a header',
    [codes.timestampInvalid.code]: 'a request with a timestamp out of time',
    [codes.tokenInvalid.code]: 'a request with a wrong token',
    [codes.signMismatch.code]: 'a request with a wrong sign',
  },
  everyRight: 'every correctly signed request',
  any: 'a request',
  link: 'a link to a document',
  answers: 'answers',
  answersWith: (status) => `answers with status ${status}`,
  answersToRight: 'answers to correctly signed requests',
  deliveries: 'deliveries',
  envelopes: 'platform envelopes',
  faulty: (fault) => `a request with the fault “${fault}”`,
  to: (endpoint) => ` to ${endpoint}`,
  toRetired: ' to a retired path',
  channel: (channel, event) => `deliveries on the ${channel} channel${event === undefined ? '' : ` (${event})`}`,
  answered: (request, answer) => `${request} is answered ${answer}`,
  nothing: 'nothing came',
  due: (expected) => `expected: ${expected}`,
  takes: (sign) => `it takes ${sign}`,
  conditions: {
    timestamp: (value) => `with a timestamp ${value}`,
    caller: (value) => `of an application that is ${value}`,
    query: () => 'with a query',
    language: (value) => `with Accept-Language ${value}`,
    contentType: (value) => `with Content-Type ${value}`,
    content: () => 'with a body that is no JSON',
    size: (value) => `with a body of this size: ${value}`,
    transfer: (value) => `with its body sent ${value}`,
    sign: () => 'with a sign that was sent before',
    before: (value) =>
      value === 'none' ? 'as the first one on its connection' : `next on its connection after an answer of ${value}`,
    connection: () => 'over one connection',
    check: (value) => `for “${value}”`,
    always: () => 'whatever it is like',
  },
};

const portuguese: StatementWords = {
  right: 'uma requisição corretamente assinada',
  wrong: {
    [codes.headersMissing.code]: 'uma requisição sem um dos cabeçalhos',
    [codes.timestampInvalid.code]: 'uma requisição com timestamp fora do prazo',
    [codes.tokenInvalid.code]: 'uma requisição com token errado',
    [codes.signMismatch.code]: 'uma requisição com assinatura errada',
  },
  everyRight: 'toda requisição corretamente assinada',
  any: 'uma requisição',
  link: 'um link para documento',
  answers: 'respostas',
  answersWith: (status) => `respostas com status ${status}`,
  answersToRight: 'respostas a requisições corretamente assinadas',
  deliveries: 'entregas',
  envelopes: 'envelopes da plataforma',
  faulty: (fault) => `uma requisição com o defeito “${fault}”`,
  to: (endpoint) => ` para ${endpoint}`,
  toRetired: ' para um caminho desativado',
  channel: (channel, event) => {
    const name = channel === 'issuance' ? 'emissão' : 'verificação';
    return `entregas no canal de ${name}${event === undefined ? '' : ` (${event})`}`;
  },
  answered: (request, answer) => `${request} recebe ${answer}`,
  nothing: 'nada veio',
  due: (expected) => `esperado: ${expected}`,
  takes: (sign) => `o serviço aceita ${sign}`,
  conditions: {
    timestamp: (value) => `com timestamp ${value}`,
    caller: (value) => `de uma aplicação nesta condição: ${value}`,
    query: () => 'com uma query',
    language: (value) => `com Accept-Language ${value}`,
    contentType: (value) => `com Content-Type ${value}`,
    content: () => 'com um corpo que não é JSON',
    size: (value) => `com um corpo deste tamanho: ${value}`,
    transfer: (value) => `com o corpo enviado ${value}`,
    sign: () => 'com uma assinatura já enviada antes',
    before: (value) =>
      value === 'none' ? 'como a primeira na sua conexão' : `na mesma conexão logo após uma resposta ${value}`,
    connection: () => 'por uma só conexão',
    check: (value) => `em “${value}”`,
    always: () => 'seja ela como for',
  },
};

function isNone(actual: string): boolean {
  return actual === 'none' || actual === 'none came';
}

const statementWords: Readonly<Record<Language, StatementWords>> = { en: english, 'pt-BR': portuguese };

/** A finding as it is told in a list: how heavy it is, the section and the clause that names it, what the target does, how far it reaches, since when. */
export function findingLine(finding: Finding, { clauses }: Pick<Results, 'clauses'>, speech: Speech): string {
  const [id = ''] = finding.clauses;
  const section = clauses.find((clause) => clause.id === id)?.section ?? '';
  const statement = findingStatement(finding, speech);
  const reach = reachText(finding, speech.language);
  return `${lookOf(finding, clauses).sign} ${section}  ${id}: ${statement} (${reach})`;
}

/** What the target does, in the language of the reader. */
export function findingStatement(finding: Finding, speech: Speech): string {
  return finding.facts === undefined ? finding.summary : statementOf(finding, speech, longestShown);
}

/** How heavy a finding is: as its heaviest clause. */
export function lookOf({ clauses: ids }: Finding, clauses: readonly ClauseResult[]): (typeof verdictLooks)[number] {
  const own = new Set(clauses.filter(({ id }) => ids.includes(id)).map(({ verdict }) => verdict));
  const heaviest = (['failed', 'warned', 'known'] as const).find((verdict) => own.has(verdict)) ?? 'failed';
  return verdictLooks.find(({ verdict }) => verdict === heaviest) ?? verdictLooks[1];
}

/** How many clauses a finding breaks and blocks, and since when. */
export function reachText({ clauses, blocked, since, isNew }: Finding, language: Language): string {
  const words = reachWords[language];
  return [
    words.broken(clauses.length),
    ...(blocked.length === 0 ? [] : [words.blocked(blocked.length)]),
    ...(since === undefined ? [] : isNew ? [words.isNew] : [words.since(utc(since))]),
  ].join(', ');
}

interface ReachWords {
  readonly broken: (count: number) => string;
  readonly blocked: (count: number) => string;
  readonly isNew: string;
  readonly since: (time: string) => string;
}

const reachWords: Readonly<Record<Language, ReachWords>> = {
  en: {
    broken: (count) => `breaks ${count === 1 ? '1 clause' : `${figure(count)} clauses`}`,
    blocked: (count) => `blocks ${figure(count)}`,
    isNew: 'new since the last run',
    since: (time) => `since ${time}`,
  },
  'pt-BR': {
    broken: (count) => `quebra ${count === 1 ? '1 cláusula' : `${figure(count, 'pt-BR')} cláusulas`}`,
    blocked: (count) => `bloqueia ${figure(count, 'pt-BR')}`,
    isNew: 'nova desde a última execução',
    since: (time) => `desde ${time}`,
  },
};
