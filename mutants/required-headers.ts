import type { RequestFacts } from '../simulator/http/request-facts.ts';
import { requiredHeadersRules } from '../simulator/rules/required-headers.ts';
import { ruleMutants, stageMutant, type Mutant } from './mutant.ts';

const ruled = ruleMutants('required-headers', 'requiredHeaders');

const { headerValue } = requiredHeadersRules;
const everyMissing = [
  'required-headers.token-missing',
  'required-headers.timestamp-missing',
  'required-headers.sign-missing',
  'required-headers.several-missing',
  'required-headers.every-endpoint',
  'required-headers.headers-only',
] as const;

/** A header that is missing where a path has that in it is taken for one that is wrong. */
function takenForWrong(
  what: string,
  breaks: Mutant['breaks'],
  missing: (typeof requiredHeadersRules.names)[number],
  place: string,
): Mutant {
  return ruled(`${what}-taken-for-wrong`, breaks, {
    headerValue: (request, name) =>
      headerValue(request, name) ?? (name === missing && request.path.includes(place) ? '0' : undefined),
  });
}

/** Takes a request like that which lacks more than one of the headers for one that lacks none. */
function severalPass(what: string, isSuch: (request: RequestFacts) => boolean): Mutant {
  return stageMutant(
    `required-headers.${what}`,
    ['required-headers.several-missing'],
    'required-headers',
    (request, context, original) => {
      const missing = requiredHeadersRules.names.filter((name) => !headerValue(request, name));
      return missing.length > 1 && isSuch(request) ? undefined : original.answer(request, context);
    },
  );
}

/** Wrong ways to demand the three headers. */
export const requiredHeadersMutants: readonly Mutant[] = [
  ruled('token-not-demanded', ['required-headers.token-missing'], { names: ['timestamp', 'sign'] }),
  ruled('timestamp-not-demanded', ['required-headers.timestamp-missing'], { names: ['token', 'sign'] }),
  ruled('sign-not-demanded', ['required-headers.sign-missing'], { names: ['token', 'timestamp'] }),
  ruled('code-of-timestamp', everyMissing, { code: 'timestampInvalid' }),
  ruled('code-of-token', everyMissing, { code: 'tokenInvalid' }),
  ruled('code-of-sign', everyMissing, { code: 'signMismatch' }),
  severalPass('several-missing-pass', () => true),
  severalPass('several-missing-pass-on-get', ({ method }) => method === 'GET'),
  severalPass('several-missing-pass-at-retired-paths', ({ path }) => path.startsWith('/openapi/cadastro/')),
  stageMutant(
    'required-headers.only-on-echo',
    ['required-headers.every-endpoint'],
    'required-headers',
    (request, context, original) =>
      request.path === '/openapi/demo/echo' ? original.answer(request, context) : undefined,
  ),
  ruled('query-counts', ['required-headers.headers-only'], {
    headerValue: (request, name) =>
      headerValue(request, name) ?? new URLSearchParams(request.query).get(name) ?? undefined,
  }),
  ruled('cookies-count', ['required-headers.headers-only'], {
    headerValue: (request, name) =>
      headerValue(request, name) ?? new RegExp(`\\b${name}=([^;]+)`).exec(request.headers.cookie ?? '')?.[1],
  }),
  ruled('bearer-counts', ['required-headers.headers-only'], {
    headerValue: (request, name) =>
      headerValue(request, name) ??
      (name === 'token' ? request.headers.authorization?.replace('Bearer ', '') : undefined),
  }),
  ruled('timestamp-of-lookups-taken-for-wrong', ['required-headers.timestamp-missing'], {
    headerValue: (request, name) =>
      headerValue(request, name) ?? (name === 'timestamp' && request.method === 'GET' ? 'none' : undefined),
  }),
  takenForWrong('sign-of-one-retired-path', ['required-headers.sign-missing'], 'sign', '/openapi/nfe/verify/chave'),
  takenForWrong('sign-of-uploads', ['required-headers.sign-missing'], 'sign', '/certificadoDigital'),
  takenForWrong('timestamp-of-documents', ['required-headers.timestamp-missing'], 'timestamp', '/nf-e/xml'),
  takenForWrong('token-of-one-lookup', ['required-headers.token-missing'], 'token', '/cnpj/'),
  ruled('query-of-lookups-counts', ['required-headers.headers-only'], {
    headerValue: (request, name) =>
      headerValue(request, name) ??
      (request.method === 'GET' ? (new URLSearchParams(request.query).get(name) ?? undefined) : undefined),
  }),
  ruled('names-with-case', ['required-headers.name-case-free'], {
    headerValue: ({ rawHeaders }, name) => {
      const at = rawHeaders.findIndex((header, index) => index % 2 === 0 && header === name);
      return at === -1 ? undefined : rawHeaders[at + 1];
    },
  }),
];
