import type { RequestFacts } from '../simulator/http/request-facts.ts';
import { timestampRules } from '../simulator/rules/timestamp.ts';
import { beyondAsciiAs500, guises, type Mutant, mutant, mutantWhere, ruleMutants } from './mutant.ts';

const ruled = ruleMutants('timestamp', 'timestamp');

const { parse, isWithin } = timestampRules;
const everyRefusal = [
  'timestamp.past-refused',
  'timestamp.future-refused',
  'timestamp.text-refused',
  'timestamp.milliseconds-refused',
  'timestamp.plain-decimal',
] as const;

/** Lets requests of some kind be off by other than five minutes. */
function tolerating(
  seconds: number,
  what: string,
  breaks: Mutant['breaks'],
  isSo: (request: RequestFacts) => boolean,
): Mutant {
  return mutantWhere(`timestamp.${what}`, breaks, 'timestamp', isSo, { toleranceSeconds: seconds });
}

const refusals = ['timestamp.past-refused', 'timestamp.future-refused'] as const;
const acceptances = ['timestamp.past-accepted', 'timestamp.future-accepted'] as const;

/** Wrong ways to judge the timestamp. */
export const timestampMutants: readonly Mutant[] = [
  mutant('timestamp.zero-taken-for-none', ['timestamp.past-refused'], 'requiredHeaders', {
    isMissing: (value) => (value ?? '0') === '0' || value === '',
  }),
  ruled('tolerance-600', refusals, { toleranceSeconds: 600 }),
  tolerating(600, 'patient-with-uploads', refusals, ({ contentType }) => contentType.startsWith('multipart/')),
  tolerating(20 * 365 * 86_400, 'patient-with-large-bodies', refusals, ({ rawBody }) => rawBody.length > 16_384),
  ...guises.map(([what, isSo]) => tolerating(600, `patient-for-minutes-${what}`, ['timestamp.future-refused'], isSo)),
  tolerating(600, 'patient-with-retired-lookups', refusals, ({ path }) => path.startsWith('/openapi/cadastro/')),
  ruled('tolerance-301', refusals, { toleranceSeconds: 301 }),
  ruled('tolerance-60', acceptances, { toleranceSeconds: 60 }),
  ruled('of-another-day-refused', acceptances, {
    isWithin: (one, other, tolerance) =>
      Math.floor(one / 86_400) === Math.floor(other / 86_400) && isWithin(one, other, tolerance),
  }),
  ruled('local-time-taken', ['timestamp.past-refused'], {
    isWithin: (one, other, tolerance) => isWithin(one, other, tolerance) || isWithin(one, other - 3 * 3600, tolerance),
  }),
  ruled('counted-in-32-bits', ['timestamp.future-refused'], {
    parse: (text) => {
      const seconds = parse(text);
      return seconds === undefined ? undefined : seconds % 2 ** 32;
    },
  }),
  // The seconds of a difference, as some libraries give them, have no days in them.
  ruled('days-left-out', refusals, {
    isWithin: (one, other, tolerance) => Math.abs(one - other) % 86_400 <= tolerance,
  }),
  tolerating(240, 'impatient-with-retired-lookups', acceptances, ({ path }) => path.startsWith('/openapi/cadastro/')),
  tolerating(60, 'tolerance-60-on-lookups', acceptances, ({ path }) => path.startsWith('/openapi/v3/consultas/cpf/')),
  ruled('hour-forgiven', refusals, {
    isWithin: (one, other, tolerance) => [0, 3600].some((off) => Math.abs(Math.abs(one - other) - off) <= tolerance),
  }),
  ruled('edge-refused', acceptances, {
    isWithin: (one, other, tolerance) => isWithin(one, other, tolerance - 1),
  }),
  ruled('future-unchecked', ['timestamp.future-refused'], {
    isWithin: (one, other, tolerance) => other - one <= tolerance,
  }),
  ruled('past-unchecked', ['timestamp.past-refused'], {
    isWithin: (one, other, tolerance) => one - other <= tolerance,
  }),
  ruled('future-forbidden', ['timestamp.future-accepted'], {
    isWithin: (one, other, tolerance) => one <= other && isWithin(one, other, tolerance),
  }),
  ruled('stopped-clock', ['timestamp.past-refused'], {
    serverSeconds: (nowMs) => Math.floor(nowMs / 1000 / 600) * 600,
    toleranceSeconds: 900,
  }),
  ruled('milliseconds-demanded', ['timestamp.server-time-accepted'], { parse: (text) => Number(text) / 1000 }),
  ruled('milliseconds-understood', ['timestamp.milliseconds-refused'], {
    parse: (text) => (text.length === 13 ? Math.floor(Number(text) / 1000) : parse(text)),
  }),
  ruled('leading-digits-read', ['timestamp.text-refused', 'timestamp.plain-decimal'], {
    parse: (text) => (Number.isNaN(Number.parseInt(text, 10)) ? undefined : Number.parseInt(text, 10)),
  }),
  ruled('thousands-read', ['timestamp.text-refused'], {
    parse: (text) => parse(/^\d{1,3}(,\d{3}){3}$/.test(text) ? text.replaceAll(',', '') : text),
  }),
  ruled('dates-read', ['timestamp.text-refused'], { parse: (text) => parse(text) ?? Date.parse(text) / 1000 }),
  beyondAsciiAs500('timestamp', 'timestamp.text-refused'),
  ruled('any-number-read', ['timestamp.plain-decimal'], { parse: (text) => Math.floor(Number(text)) }),
  ruled('code-of-headers', everyRefusal, { code: 'headersMissing' }),
  ruled('code-of-token', everyRefusal, { code: 'tokenInvalid' }),
  ruled('code-of-sign', everyRefusal, { code: 'signMismatch' }),
];
