import fc from 'fast-check';
import { pathCall } from '../generators/calls.ts';
import { inSomeLanguage } from '../generators/wished-language.ts';
import { check, property } from './kit/check.ts';
import { isSuccess } from './kit/life-cycle.ts';
import { cpfCheckDigits } from '../generators/domain.ts';
import {
  hasFoundInAnyLanguage,
  numbersOf,
  tellsApart,
  isRefusedInAnyLanguage,
  isRefusedWithCode,
} from './kit/verification.ts';

const pool = 'lookups';

check(
  'cpf-lookup.bare-object',
  'a known CPF with its birth date gets 200 and a bare object',
  async (t) => {
    const { cpf, nascimento } = numbersOf(t);
    await hasFoundInAnyLanguage(t, pathCall('cpf-lookup', { cpf, nascimento }), 'the CPF');
  },
  { pool },
);

/** People that a registry made for tests may know. */
const people = [
  { first9: '999876543', nascimento: '02031975' },
  { first9: '999123456', nascimento: '15101990' },
].map(({ first9, nascimento }) => ({ cpf: first9 + cpfCheckDigits(first9), nascimento }));

check(
  'cpf-lookup.bare-object',
  'two people are not told of in the same answer',
  async (t) => {
    const { cpf, nascimento } = numbersOf(t);
    const askedFor = (person: { cpf: string; nascimento: string }) => ({
      number: person.cpf,
      call: pathCall('cpf-lookup', person),
    });
    await t.each(people, (person) => tellsApart(t, askedFor({ cpf, nascimento }), askedFor(person)));
  },
  { needs: ['chosen-application'], pool },
);

check(
  'cpf-lookup.unknown',
  'an unknown CPF gets 4xx with code and message',
  async (t) => {
    const { unknown, ...known } = numbersOf(t);
    // A server that answers everybody with what it found first has found something then.
    await t.send(await t.caller(), pathCall('cpf-lookup', { cpf: known.cpf, nascimento: known.nascimento }));
    const { cpf, nascimento } = unknown;
    await isRefusedInAnyLanguage(t, pathCall('cpf-lookup', { cpf, nascimento }));
    // Whether a registry compares the date is not shown, but how it says that it does not know the person of that day.
    const born = await t.send(await t.caller(), pathCall('cpf-lookup', { cpf: known.cpf, nascimento }));
    if (!isSuccess(born)) isRefusedWithCode(t, born, '4xx');
  },
  { pool },
);

// A known CPF with a digit more is not among them: masks would not know the person in it.
// Eight digits that are no day of any calendar are not among them: a registry need not check what digits mean.
const noQuestions = [
  { cpf: '1', nascimento: '01011980' },
  { cpf: 'A'.repeat(11), nascimento: '01011980' },
  { cpf: '1'.repeat(12), nascimento: '01011980' },
  { cpf: '52998224725', nascimento: '1' },
  { cpf: '52998224725', nascimento: 'ABCDEFGH' },
];

property(
  'cpf-lookup.malformed',
  'what is no CPF or no date gets 4xx with code and message',
  fc.oneof(
    fc.constantFrom(...noQuestions),
    fc.record({ cpf: fc.stringMatching(/^[0-9]{1,10}$/), nascimento: fc.constant('01011980') }),
  ),
  async (t, question) =>
    isRefusedWithCode(t, await t.send(await t.caller(), inSomeLanguage(pathCall('cpf-lookup', question))), '4xx'),
  { examples: noQuestions, mostPolitely: 4 },
);
