import type { ClauseId } from '../contract/catalogue.ts';
import { type CodeName, type Language, languages } from '../contract/values.ts';
import type { EnvelopeRules } from '../simulator/rules/envelope.ts';
import { languageRules } from '../simulator/rules/language.ts';
import { ruleMutants, type Mutant } from './mutant.ts';

const ruled = ruleMutants('envelope', 'envelope');
const ruledLanguage = ruleMutants('envelope', 'language');

const { choose, text } = languageRules;

function shaped(what: string, clause: ClauseId, change: Partial<EnvelopeRules>): Mutant {
  return ruled(what, [clause], change);
}

function omit(fields: object, field: string): object {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== field));
}

function without(field: string): Partial<EnvelopeRules> {
  return { error: (fields) => omit(fields, field) };
}

function worded(what: string, change: (name: CodeName | 'success', language: Language) => string): Mutant {
  return ruledLanguage(what, ['envelope.message-language'], { text: change });
}

/** Wrong envelopes. */
export const envelopeMutants: readonly Mutant[] = [
  ruled('message-only-the-code', ['envelope.message-text', 'errors.envelope-of-403', 'errors.envelope-of-410'], {
    message: () => '10009',
  }),
  ruled('message-by-its-key', ['envelope.message-text', 'errors.envelope-of-403'], {
    message: () => 'gateway.errors.not-allowed',
  }),
  ruled('message-in-latin-1', ['envelope.message-text', 'errors.envelope-of-403'], {
    message: (text) => text.replaceAll(/[^\0-\x7f]/g, '\uFFFD'),
  }),
  ruled('message-encoded-twice', ['envelope.message-text', 'errors.envelope-of-403'], {
    message: (text) => Buffer.from(text, 'utf8').toString('latin1'),
  }),
  shaped('success-missing', 'envelope.success-false-on-errors', without('success')),
  shaped('success-true', 'envelope.success-false-on-errors', { success: true }),
  shaped('success-a-string', 'envelope.success-false-on-errors', { success: 'false' }),
  shaped('error-type-missing', 'envelope.error-type', without('errorType')),
  shaped('error-type-0', 'envelope.error-type', { errorType: 0 }),
  shaped('error-type-a-string', 'envelope.error-type', { errorType: '1' }),
  shaped('code-a-string', 'envelope.code-integer', { code: String }),
  shaped('message-empty', 'envelope.message-text', { message: () => '' }),
  shaped('message-null', 'envelope.message-text', { message: () => null }),
  shaped('message-missing', 'envelope.message-text', without('message')),
  shaped('data-missing', 'envelope.data-on-success', { ok: (_data, message) => ({ success: true, message }) }),
  shaped('data-a-string', 'envelope.data-on-success', {
    ok: (data, message) => ({ success: true, message, data: JSON.stringify(data) }),
  }),
  ruled('wrapped', ['envelope.on-every-401'], { error: (fields) => ({ error: fields }) }),
  ruled('status-400', ['envelope.on-every-401'], { status: () => 400 }),
  ruled('status-200', ['envelope.on-every-401'], { status: () => 200 }),
  worded('always-english', (name) => text(name, 'en')),
  worded('always-portuguese', (name) => text(name, 'pt')),
  worded('spanish-as-portuguese', (name, language) => text(name, language === 'es' ? 'pt' : language)),
  ruledLanguage('language-ignored', ['envelope.message-language', 'language.language-header'], {
    choose: (headers) => choose({ 'accept-language': headers['accept-language'] }),
  }),
  ruledLanguage('accept-language-ignored', ['envelope.message-language'], {
    choose: (headers) => languages.find((language) => language === headers['language']) ?? 'pt',
  }),
  ruledLanguage('english-by-default', ['envelope.message-language', 'language.portuguese-by-default'], {
    choose: (headers) => (headers['language'] || headers['accept-language'] ? choose(headers) : 'en'),
  }),
];

/** The envelope of a success without one of its fields. */
export const okWithout = (field: string): Partial<EnvelopeRules> => ({
  ok: (data, message) => omit({ success: true, message, data }, field),
});
