import type { Fact, FactName, Finding } from '../../schemas/finding.ts';
import { isAnswer } from './breaks.ts';
import { inEnglish, type Language, type Speech } from '../language.ts';
import { shortened } from '../visible.ts';

/** What a finding is told by: what its records have in common, and what its first clause shows. */
export type Told = Pick<Finding, 'facts' | 'expected' | 'actual' | 'diagnosis'>;

/** Characters of a text from the target in a statement that is shown. */
export const longestShown = 160;

/**
 * What the target does, in one sentence without a stop; what it said itself may stand in it, so escape it. Only what is masked is cut:
 * half a secret is no longer recognised.
 */
export function statementOf(
  told: Told,
  { language, say }: Speech = inEnglish,
  longest: number = Number.POSITIVE_INFINITY,
): string {
  const words = statementWords[language];
  const { facts = [], expected = '', actual = '', diagnosis } = told;
  const sign = takenSign.exec(diagnosis ?? '')?.[1];
  const known = new Map(facts.map(({ name, value }) => [name, value]));
  const shown = (text: string): string => say(shortened(text.replaceAll(/\s+/g, ' '), longest));
  const [due, came] = [shown(expected), shown(actual)];
  const answer = isAnswer(actual) ? words.answered(requestOf(known, facts, words), came) : undefined;
  const said = answer ?? `${placeOf(known, facts, words)}${words.came(came)}`;
  const whole = expected.startsWith('accepted') ? said : `${said}; ${words.due(due)}`;
  return sign === undefined ? whole : `${whole}; ${words.takes(sign)}`;
}

/** How a diagnosis tells which way to sign the target takes. */
export const takenSign = /the target takes (a sign computed .*)$/s;

type Known = ReadonlyMap<FactName, string>;

/** The request of an answer: what is wrong with it, where it went, and what else it hangs on. */
function requestOf(known: Known, facts: readonly Fact[], words: StatementWords): string {
  const fault = known.get('fault');
  const endpoint = known.get('endpoint');
  const isRight = fault === 'none' || (fault === undefined && known.get('signed') === 'right');
  const what = isRight ? words.right : isMeant(fault) ? words.faulty(fault) : words.any;
  const where = endpoint === undefined ? wherePath(known, words) : words.to(endpoint);
  return `${what}${where}${conditions(facts, words)}`;
}

/** Current paths are what one thinks of anyway. */
function wherePath(known: Known, words: StatementWords): string {
  return known.get('path') === 'retired' ? words.toRetired : '';
}

function isMeant(fault: string | undefined): fault is string {
  return fault !== undefined && fault !== 'other' && fault !== 'unsigned';
}

/** Where something came that no status tells of: "POST /x: ". */
function placeOf(known: Known, facts: readonly Fact[], words: StatementWords): string {
  const channel = known.get('channel');
  const event = known.get('event');
  const where = known.get('endpoint') ?? (channel === undefined ? undefined : words.channel(channel, event));
  const more = conditions(facts, words);
  return where === undefined && more === '' ? '' : `${where ?? words.any}${more}: `;
}

/** What is told in words of its own. */
const inOther: ReadonlySet<FactName> = new Set(['endpoint', 'path', 'fault', 'signed', 'channel', 'event']);

/** What it hangs on besides. */
function conditions(facts: readonly Fact[], words: StatementWords): string {
  const told = facts.filter(({ name, telling }) => telling && !inOther.has(name));
  return told.map(({ name, value }) => `, ${words.conditions[name]?.(value) ?? `${name} ${value}`}`).join('');
}

/** The pieces of a statement. */
interface StatementWords {
  readonly right: string;
  readonly any: string;
  readonly faulty: (fault: string) => string;
  readonly to: (endpoint: string) => string;
  readonly toRetired: string;
  readonly channel: (channel: string, event: string | undefined) => string;
  readonly answered: (request: string, answer: string) => string;
  readonly came: (actual: string) => string;
  readonly due: (expected: string) => string;
  readonly takes: (sign: string) => string;
  readonly conditions: Partial<Record<FactName, (value: string) => string>>;
}

const english: StatementWords = {
  right: 'a correctly signed request',
  any: 'a request',
  faulty: (fault) => `a request with this fault: ${fault}`,
  to: (endpoint) => ` to ${endpoint}`,
  toRetired: ' to a retired path',
  channel: (channel, event) => `deliveries on the ${channel} channel${event === undefined ? '' : ` (${event})`}`,
  answered: (request, answer) => `${request} is answered ${answer}`,
  came: (actual) => (actual === 'none' ? 'nothing came' : `came ${actual}`),
  due: (expected) => `due is ${expected}`,
  takes: (sign) => `it takes ${sign}`,
  conditions: {
    caller: (value) => `of an application that is ${value}`,
    language: (value) => `with Accept-Language ${value}`,
    contentType: (value) => `with Content-Type ${value}`,
    size: (value) => `with a body of this size: ${value}`,
    connection: () => 'over one connection',
  },
};

const portuguese: StatementWords = {
  right: 'uma requisição corretamente assinada',
  any: 'uma requisição',
  faulty: (fault) => `uma requisição com este defeito: ${fault}`,
  to: (endpoint) => ` para ${endpoint}`,
  toRetired: ' para um caminho desativado',
  channel: (channel, event) => {
    const name = channel === 'issuance' ? 'emissão' : 'verificação';
    return `entregas no canal de ${name}${event === undefined ? '' : ` (${event})`}`;
  },
  answered: (request, answer) => `${request} recebe ${answer}`,
  came: (actual) => (actual === 'none' ? 'nada veio' : `veio ${actual}`),
  due: (expected) => `o devido é ${expected}`,
  takes: (sign) => `ele aceita outra assinatura: ${sign}`,
  conditions: {
    caller: (value) => `de uma aplicação nesta condição: ${value}`,
    language: (value) => `com Accept-Language ${value}`,
    contentType: (value) => `com Content-Type ${value}`,
    size: (value) => `com um corpo deste tamanho: ${value}`,
    connection: () => 'por uma só conexão',
  },
};

const statementWords: Readonly<Record<Language, StatementWords>> = { en: english, 'pt-BR': portuguese };
