import fc from 'fast-check';
import { pathCall } from '../generators/calls.ts';
import { inSomeLanguage } from '../generators/wished-language.ts';
import { check, property } from './kit/check.ts';
import { cnpjCheckDigits } from '../generators/domain.ts';
import {
  hasFoundInAnyLanguage,
  numbersOf,
  tellsApart,
  isRefusedInAnyLanguage,
  isRefusedWithCode,
} from './kit/verification.ts';

const pool = 'lookups';

check(
  'cnpj-lookup.bare-object',
  'a known CNPJ gets 200 and a bare object',
  async (t) => {
    const { cnpj } = numbersOf(t);
    await hasFoundInAnyLanguage(t, pathCall('cnpj-lookup', { cnpj }), 'the CNPJ');
  },
  { pool },
);

/** Companies that a registry made for tests may know: two branches and another root. */
const companies = ['990000010001', '990000010002', '997654320001'].map((first12) => first12 + cnpjCheckDigits(first12));

check(
  'cnpj-lookup.bare-object',
  'two companies are not told of in the same answer',
  async (t) => {
    const askedFor = (cnpj: string) => ({ number: cnpj, call: pathCall('cnpj-lookup', { cnpj }) });
    await t.each(companies, (cnpj) => tellsApart(t, askedFor(numbersOf(t).cnpj), askedFor(cnpj)));
  },
  { needs: ['chosen-application'], pool },
);

check(
  'cnpj-lookup.unknown',
  'an unknown CNPJ gets 4xx with code and message',
  async (t) => {
    const { cnpj: known, unknown } = numbersOf(t);
    // A server that answers everybody with what it found first has found something then.
    await t.send(await t.caller(), pathCall('cnpj-lookup', { cnpj: known }));
    const { cnpj } = unknown;
    await isRefusedInAnyLanguage(t, pathCall('cnpj-lookup', { cnpj }));
  },
  { pool },
);

check('cnpj-lookup.malformed', 'a known CNPJ with a digit more gets 4xx with code and message', async (t) => {
  const cnpj = `${numbersOf(t).cnpj}0`;
  isRefusedWithCode(t, await t.send(await t.caller(), inSomeLanguage(pathCall('cnpj-lookup', { cnpj }))), '4xx');
});

const noNumbers = ['1', '123', 'A'.repeat(14), '0'.repeat(13), '1'.repeat(15)];

property(
  'cnpj-lookup.malformed',
  'what is no CNPJ gets 4xx with code and message',
  fc.oneof(fc.constantFrom(...noNumbers), fc.stringMatching(/^[0-9]{1,13}$/)),
  async (t, cnpj) =>
    isRefusedWithCode(t, await t.send(await t.caller(), inSomeLanguage(pathCall('cnpj-lookup', { cnpj }))), '4xx'),
  { examples: noNumbers, mostPolitely: 3 },
);
