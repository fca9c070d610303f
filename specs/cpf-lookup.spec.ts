import fc from 'fast-check';
import { pathCall } from '../generators/calls.ts';
import { NotExercised } from '../targets/not-exercised.ts';
import { check, property } from './kit/check.ts';
import { jsonBody, member, memberNames, summary } from './kit/reply.ts';
import type { Trial } from './kit/trial.ts';
import { isRefusedWithCode } from './kit/verification.ts';

/** The numbers of the profile. */
function numbersOf(t: Trial) {
  const { consultas } = t.target.profile;
  if (!consultas) throw new NotExercised('the profile has no consultas.json');
  return consultas;
}

check('cpf-lookup.bare-object', 'a known CPF with its birth date gets 200 and a bare object', async (t) => {
  const { cpf, nascimento } = numbersOf(t);
  const exchange = await t.send(await t.caller(), pathCall('cpf-lookup', { cpf, nascimento }));
  const body = jsonBody(exchange);
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  t.holds(exchange.response?.status === 200, {
    expected: `200 for the CPF of consultas.json`,
    actual: summary(exchange),
  });
  t.holds(isObject && member(body, 'success') === undefined && memberNames(body) !== 'none', {
    expected: 'a bare object about the person',
    actual: isObject ? `the members ${memberNames(body)}` : 'no object',
  });
});

check('cpf-lookup.unknown', 'an unknown CPF gets 4xx with code and message', async (t) => {
  const { cpf, nascimento } = numbersOf(t).unknown;
  isRefusedWithCode(t, await t.send(await t.caller(), pathCall('cpf-lookup', { cpf, nascimento })), '4xx');
});

const noQuestions = [
  { cpf: '1', nascimento: '01011980' },
  { cpf: 'A'.repeat(11), nascimento: '01011980' },
  { cpf: '1'.repeat(12), nascimento: '01011980' },
  { cpf: '52998224725', nascimento: '1' },
  { cpf: '52998224725', nascimento: '32131980' },
  { cpf: '52998224725', nascimento: '30021980' },
  { cpf: '52998224725', nascimento: 'ABCDEFGH' },
];

property(
  'cpf-lookup.malformed',
  'what is no CPF or no date gets 4xx with code and message',
  fc.oneof(
    fc.constantFrom(...noQuestions),
    fc.record({ cpf: fc.stringMatching(/^[0-9]{1,10}$/), nascimento: fc.constant('01011980') }),
  ),
  async (t, question) => isRefusedWithCode(t, await t.send(await t.caller(), pathCall('cpf-lookup', question)), '4xx'),
  { examples: noQuestions, mostPolitely: 4 },
);
