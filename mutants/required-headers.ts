import { requiredHeadersRules } from '../simulator/rules/required-headers.ts';
import { mutant, stageMutant, type Mutant } from './mutant.ts';

const { headerValue } = requiredHeadersRules;
const everyMissing = [
  'required-headers.token-missing',
  'required-headers.timestamp-missing',
  'required-headers.sign-missing',
  'required-headers.several-missing',
  'required-headers.every-endpoint',
  'required-headers.headers-only',
] as const;

/** Wrong ways to demand the three headers. */
export const requiredHeadersMutants: readonly Mutant[] = [
  mutant('required-headers.token-not-demanded', ['required-headers.token-missing'], 'requiredHeaders', {
    names: ['timestamp', 'sign'],
  }),
  mutant('required-headers.timestamp-not-demanded', ['required-headers.timestamp-missing'], 'requiredHeaders', {
    names: ['token', 'sign'],
  }),
  mutant('required-headers.sign-not-demanded', ['required-headers.sign-missing'], 'requiredHeaders', {
    names: ['token', 'timestamp'],
  }),
  mutant('required-headers.code-of-timestamp', everyMissing, 'requiredHeaders', { code: 'timestampInvalid' }),
  mutant('required-headers.code-of-token', everyMissing, 'requiredHeaders', { code: 'tokenInvalid' }),
  mutant('required-headers.code-of-sign', everyMissing, 'requiredHeaders', { code: 'signMismatch' }),
  stageMutant(
    'required-headers.several-missing-pass',
    ['required-headers.several-missing'],
    'required-headers',
    (request, context, original) => {
      const missing = requiredHeadersRules.names.filter((name) => !headerValue(request, name));
      return missing.length > 1 ? undefined : original.answer(request, context);
    },
  ),
  stageMutant(
    'required-headers.only-on-echo',
    ['required-headers.every-endpoint'],
    'required-headers',
    (request, context, original) =>
      request.path === '/openapi/demo/echo' ? original.answer(request, context) : undefined,
  ),
  mutant('required-headers.query-counts', ['required-headers.headers-only'], 'requiredHeaders', {
    headerValue: (request, name) =>
      headerValue(request, name) ?? new URLSearchParams(request.query).get(name) ?? undefined,
  }),
  mutant('required-headers.names-with-case', ['required-headers.name-case-free'], 'requiredHeaders', {
    headerValue: ({ rawHeaders }, name) => {
      const at = rawHeaders.findIndex((header, index) => index % 2 === 0 && header === name);
      return at === -1 ? undefined : rawHeaders[at + 1];
    },
  }),
];
