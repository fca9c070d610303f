import type { RequestFacts } from '../simulator/http/request-facts.ts';
import { timestampRules } from '../simulator/rules/timestamp.ts';
import { ruleMutants, type Mutant, stageMutant } from './mutant.ts';

const ruled = ruleMutants('timestamp', 'timestamp');

const { parse, isWithin } = timestampRules;
const everyRefusal = [
  'timestamp.past-refused',
  'timestamp.future-refused',
  'timestamp.text-refused',
  'timestamp.milliseconds-refused',
  'timestamp.plain-decimal',
] as const;

/** Lets requests of some kind be ten minutes off. */
function patientWith(what: string, isSo: (request: RequestFacts) => boolean): Mutant {
  const breaks = ['timestamp.past-refused', 'timestamp.future-refused'] as const;
  return stageMutant(`timestamp.patient-with-${what}`, breaks, 'timestamp', (request, context, original) => {
    if (!isSo(request)) return original.answer(request, context);
    const timestamp = { ...context.rules.timestamp, toleranceSeconds: 600 };
    return original.answer(request, { ...context, rules: { ...context.rules, timestamp } });
  });
}

/** Wrong ways to judge the timestamp. */
export const timestampMutants: readonly Mutant[] = [
  ruled('tolerance-600', ['timestamp.past-refused', 'timestamp.future-refused'], { toleranceSeconds: 600 }),
  patientWith('uploads', ({ contentType }) => contentType.startsWith('multipart/')),
  patientWith('retired-lookups', ({ path }) => path.startsWith('/openapi/cadastro/')),
  ruled('tolerance-301', ['timestamp.past-refused', 'timestamp.future-refused'], { toleranceSeconds: 301 }),
  ruled('tolerance-60', ['timestamp.past-accepted', 'timestamp.future-accepted'], { toleranceSeconds: 60 }),
  ruled('local-time-taken', ['timestamp.past-refused'], {
    isWithin: (one, other, tolerance) => isWithin(one, other, tolerance) || isWithin(one, other - 3 * 3600, tolerance),
  }),
  ruled('counted-in-32-bits', ['timestamp.future-refused'], {
    parse: (text) => {
      const seconds = parse(text);
      return seconds === undefined ? undefined : seconds % 2 ** 32;
    },
  }),
  stageMutant(
    'timestamp.tolerance-60-on-lookups',
    ['timestamp.past-accepted', 'timestamp.future-accepted'],
    'timestamp',
    (request, context, original) => {
      if (!request.path.startsWith('/openapi/v3/consultas/cpf/')) return original.answer(request, context);
      const timestamp = { ...context.rules.timestamp, toleranceSeconds: 60 };
      return original.answer(request, { ...context, rules: { ...context.rules, timestamp } });
    },
  ),
  ruled('edge-refused', ['timestamp.past-accepted', 'timestamp.future-accepted'], {
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
  ruled('dates-read', ['timestamp.text-refused'], { parse: (text) => parse(text) ?? Date.parse(text) / 1000 }),
  ruled('any-number-read', ['timestamp.plain-decimal'], { parse: (text) => Math.floor(Number(text)) }),
  ruled('code-of-headers', everyRefusal, { code: 'headersMissing' }),
  ruled('code-of-token', everyRefusal, { code: 'tokenInvalid' }),
  ruled('code-of-sign', everyRefusal, { code: 'signMismatch' }),
];
