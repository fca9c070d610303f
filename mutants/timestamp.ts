import type { RequestFacts } from '../simulator/http/request-facts.ts';
import { timestampRules } from '../simulator/rules/timestamp.ts';
import { mutant, type Mutant, stageMutant } from './mutant.ts';

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
  mutant('timestamp.tolerance-600', ['timestamp.past-refused', 'timestamp.future-refused'], 'timestamp', {
    toleranceSeconds: 600,
  }),
  patientWith('uploads', ({ contentType }) => contentType.startsWith('multipart/')),
  patientWith('retired-lookups', ({ path }) => path.startsWith('/openapi/cadastro/')),
  mutant('timestamp.tolerance-301', ['timestamp.past-refused', 'timestamp.future-refused'], 'timestamp', {
    toleranceSeconds: 301,
  }),
  mutant('timestamp.tolerance-60', ['timestamp.past-accepted', 'timestamp.future-accepted'], 'timestamp', {
    toleranceSeconds: 60,
  }),
  mutant('timestamp.edge-refused', ['timestamp.past-accepted', 'timestamp.future-accepted'], 'timestamp', {
    isWithin: (one, other, tolerance) => isWithin(one, other, tolerance - 1),
  }),
  mutant('timestamp.future-unchecked', ['timestamp.future-refused'], 'timestamp', {
    isWithin: (one, other, tolerance) => other - one <= tolerance,
  }),
  mutant('timestamp.past-unchecked', ['timestamp.past-refused'], 'timestamp', {
    isWithin: (one, other, tolerance) => one - other <= tolerance,
  }),
  mutant('timestamp.future-forbidden', ['timestamp.future-accepted'], 'timestamp', {
    isWithin: (one, other, tolerance) => one <= other && isWithin(one, other, tolerance),
  }),
  mutant('timestamp.stopped-clock', ['timestamp.past-refused'], 'timestamp', {
    serverSeconds: (nowMs) => Math.floor(nowMs / 1000 / 600) * 600,
    toleranceSeconds: 900,
  }),
  mutant('timestamp.milliseconds-demanded', ['timestamp.server-time-accepted'], 'timestamp', {
    parse: (text) => Number(text) / 1000,
  }),
  mutant('timestamp.milliseconds-understood', ['timestamp.milliseconds-refused'], 'timestamp', {
    parse: (text) => (text.length === 13 ? Math.floor(Number(text) / 1000) : parse(text)),
  }),
  mutant('timestamp.leading-digits-read', ['timestamp.text-refused', 'timestamp.plain-decimal'], 'timestamp', {
    parse: (text) => (Number.isNaN(Number.parseInt(text, 10)) ? undefined : Number.parseInt(text, 10)),
  }),
  mutant('timestamp.dates-read', ['timestamp.text-refused'], 'timestamp', {
    parse: (text) => parse(text) ?? Date.parse(text) / 1000,
  }),
  mutant('timestamp.any-number-read', ['timestamp.plain-decimal'], 'timestamp', {
    parse: (text) => Math.floor(Number(text)),
  }),
  mutant('timestamp.code-of-headers', everyRefusal, 'timestamp', { code: 'headersMissing' }),
  mutant('timestamp.code-of-token', everyRefusal, 'timestamp', { code: 'tokenInvalid' }),
  mutant('timestamp.code-of-sign', everyRefusal, 'timestamp', { code: 'signMismatch' }),
];
