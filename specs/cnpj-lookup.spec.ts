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

check('cnpj-lookup.bare-object', 'a known CNPJ gets 200 and a bare object', async (t) => {
  const { cnpj } = numbersOf(t);
  const exchange = await t.send(await t.caller(), pathCall('cnpj-lookup', { cnpj }));
  const body = jsonBody(exchange);
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  t.holds(exchange.response?.status === 200, {
    expected: `200 for the CNPJ of consultas.json`,
    actual: summary(exchange),
  });
  t.holds(isObject && member(body, 'success') === undefined && memberNames(body) !== 'none', {
    expected: 'a bare object about the company',
    actual: isObject ? `the members ${memberNames(body)}` : 'no object',
  });
});

check('cnpj-lookup.unknown', 'an unknown CNPJ gets 4xx with code and message', async (t) => {
  const { cnpj } = numbersOf(t).unknown;
  isRefusedWithCode(t, await t.send(await t.caller(), pathCall('cnpj-lookup', { cnpj })), '4xx');
});

const noNumbers = ['1', '123', 'A'.repeat(14), '0'.repeat(13), '1'.repeat(15), '11222333000180'];

property(
  'cnpj-lookup.malformed',
  'what is no CNPJ gets 4xx with code and message',
  fc.oneof(fc.constantFrom(...noNumbers), fc.stringMatching(/^[0-9]{1,13}$/)),
  async (t, cnpj) => isRefusedWithCode(t, await t.send(await t.caller(), pathCall('cnpj-lookup', { cnpj })), '4xx'),
  { examples: noNumbers.slice(0, 5), mostPolitely: 3 },
);
