import type { Exchange } from '../../trace/exchange.ts';
import type { Call } from '../../contract/request.ts';
import { eachLanguageOnce, wishing } from '../../generators/wished-language.ts';
import { NotExercised } from '../../targets/not-exercised.ts';
import type { Consultas } from '../../targets/profile.ts';
import { bodyText, isEnveloped, jsonBody, memberNames, summary } from './reply.ts';
import type { Trial } from './trial.ts';

/** The numbers of the profile; a NotExercised where it has none. */
export function numbersOf(t: Trial): Consultas {
  const { consultas } = t.target.profile;
  if (!consultas) throw new NotExercised('the profile has no consultas.json', 'settings');
  return consultas;
}

/** Fails unless a lookup found something: 200 and a bare object with members. Section 4.1. */
function hasFound(t: Trial, exchange: Exchange, what: string): void {
  t.holds(exchange.response?.status === 200, {
    expected: `200 for ${what} of consultas.json`,
    actual: summary(exchange),
  });
  const body = jsonBody(exchange);
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  t.holds(isObject && !isEnveloped(body) && memberNames(body) !== 'none', {
    expected: 'a bare object that tells of it',
    actual: isObject ? `the members ${memberNames(body)}` : 'no object',
  });
}

/** The same of a call in each of the four languages, and of none. */
export async function hasFoundInAnyLanguage(t: Trial, call: Call, what: string): Promise<void> {
  const caller = await t.caller();
  await t.each(eachLanguageOnce, async (wish) => hasFound(t, await t.send(caller, wishing(call, wish)), what));
}

/** Fails where two numbers that are both known are told of in the same words: an answer that tells of the one is wrong for the other. */
export async function tellsApart(t: Trial, known: Call, other: Call): Promise<void> {
  if (known.path === other.path) return;
  const caller = await t.caller();
  const answers = [await t.send(caller, known), await t.send(caller, other)];
  if (answers.some(({ response }) => response?.status !== 200)) return;
  const [first, second] = answers.map(bodyText);
  t.holds(first !== second, {
    expected: 'what is known of the number that was asked for',
    actual: 'the very answer to another number',
  });
}
