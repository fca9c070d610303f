import type { Fact, FactName, Finding } from '../../schemas/finding.ts';
import { codes } from '../../contract/values.ts';
import { cachedAnswer } from '../../trace/records.ts';
import { topicOf } from '../../contract/catalogue.ts';
import { isAnswer } from './breaks.ts';
import { nodeText } from './node.ts';
import { inEnglish, type Language, type Speech } from '../language.ts';
import { shortened } from '../visible.ts';

/** What a finding is told by: what its records have in common, and what its first clause shows. */
export type ToldOfFinding = Pick<Finding, 'facts' | 'expected' | 'actual' | 'diagnosis' | 'observations' | 'node'> &
  Partial<Pick<Finding, 'clauses'>>;

/** Characters of a text from the target in a statement that is shown. */
export const longestShown = 160;

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
  return told.node ? `${said}; ${nodeText(told.node, speech)}` : said;
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
  const shownAt = isNone(actual) && place === words.seen ? seen : `${place}: ${seen}`;
  const said = isAnswer(actual) ? words.answered(request, came) : shownAt;
  const whole = isPlainly(expected) ? said : `${said}; ${words.due(due)}`;
  if (diagnosis === cachedAnswer) return `${whole}; ${shown(diagnosis)}`;
  if (sign !== undefined) return `${whole}; ${words.takes(say(sign))}`;
  // What is hidden may show as the same on both sides.
  const isAlike = came.length >= leastAlike && due.includes(came);
  return isAlike && diagnosis !== undefined ? `${whole}; ${shown(diagnosis)}` : whole;
}

/** Whether it goes without saying what was due: that what is right passes. */
export function isPlainly(expected: string): boolean {
  return /^accepted(?: by the gateway)?(?:$|:)/.test(expected);
}

/** Characters that are no mere number. */
const leastAlike = 6;

/** How a diagnosis tells which way to sign the target takes. */
export const takenSign = /the target takes (a sign computed .*|any sign)$/s;

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
  const isRight = fault === 'none' || (fault === undefined && (known.get('signed') === 'right' || isPlainly(expected)));
  const other = known.get('signed') === 'otherwise' && expected.includes(`code ${codes.signMismatch.code} `);
  const what = isRight ? words.right : isMeant(fault) ? words.faulty(say(fault)) : other ? words.wrong : words.any;
  const where = endpoint === undefined ? wherePath(telling) : words.to(endpoint);
  const more = conditions(telling);
  return `${what}${where}${more === '' ? '' : `${more},`}`;
}

/** What stands in the place of an endpoint where a link was followed. */
const linkToDocument = 'link to a document';

/** Current paths are what one thinks of anyway. */
function wherePath({ known, words }: Telling): string {
  return known.get('path') === 'retired' ? words.toRetired : '';
}

function isMeant(fault: string | undefined): fault is string {
  return fault !== undefined && fault !== 'other' && fault !== 'unsigned';
}

/** Where something came that no status tells of: "POST /x". */
function placeOf(telling: Telling): string {
  const { known, words, topic } = telling;
  const [endpoint, channel] = [known.get('endpoint'), known.get('channel') ?? channelsOfTopics.get(topic)];
  const named = endpoint === linkToDocument ? words.link : endpoint;
  const where = named ?? (channel === undefined ? undefined : words.channel(channel, known.get('event')));
  const isDelivery = known.has('signature') || known.has('event');
  const more = conditions(telling);
  return `${where ?? (isDelivery ? words.deliveries : more === '' ? words.seen : words.any)}${more}`;
}

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
function conditions({ facts, words, say }: Telling): string {
  const told = facts.filter((fact) => (fact.telling || isRare(fact)) && !inOther.has(fact.name));
  return told.map(({ name, value }) => `, ${words.conditions[name]?.(say(value)) ?? `${name} ${value}`}`).join('');
}

/** Hardly anything is sent so: that all of it was is no chance. */
function isRare({ name, value }: Fact): boolean {
  return name === 'transfer' && value !== 'at once';
}

/** The pieces of a statement. */
interface StatementWords {
  readonly right: string;
  readonly wrong: string;
  readonly everyRight: string;
  readonly any: string;
  readonly link: string;
  readonly seen: string;
  readonly deliveries: string;
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
  wrong: 'a request with a wrong sign',
  everyRight: 'every correctly signed request',
  any: 'a request',
  link: 'a link to a document',
  seen: 'seen',
  deliveries: 'deliveries',
  faulty: (fault) => `a request with the fault “${fault}”`,
  to: (endpoint) => ` to ${endpoint}`,
  toRetired: ' to a retired path',
  channel: (channel, event) => `deliveries on the ${channel} channel${event === undefined ? '' : ` (${event})`}`,
  answered: (request, answer) => `${request} is answered ${answer}`,
  nothing: 'nothing came',
  due: (expected) => `expected: ${expected}`,
  takes: (sign) => `it takes ${sign}`,
  conditions: {
    caller: (value) => `of an application that is ${value}`,
    language: (value) => `with Accept-Language ${value}`,
    contentType: (value) => `with Content-Type ${value}`,
    size: (value) => `with a body of this size: ${value}`,
    transfer: (value) => `with its body sent ${value}`,
    connection: () => 'over one connection',
  },
};

const portuguese: StatementWords = {
  right: 'uma requisição corretamente assinada',
  wrong: 'uma requisição com assinatura errada',
  everyRight: 'toda requisição corretamente assinada',
  any: 'uma requisição',
  link: 'um link para documento',
  seen: 'visto',
  deliveries: 'entregas',
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
    caller: (value) => `de uma aplicação nesta condição: ${value}`,
    language: (value) => `com Accept-Language ${value}`,
    contentType: (value) => `com Content-Type ${value}`,
    size: (value) => `com um corpo deste tamanho: ${value}`,
    transfer: (value) => `com o corpo enviado ${value}`,
    connection: () => 'por uma só conexão',
  },
};

function isNone(actual: string): boolean {
  return actual === 'none' || actual === 'none came';
}

const statementWords: Readonly<Record<Language, StatementWords>> = { en: english, 'pt-BR': portuguese };
