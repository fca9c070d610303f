import { hash } from 'node:crypto';
import type { RequestFacts } from '../simulator/http/request-facts.ts';
import { findRoute } from '../simulator/rules/route.ts';
import { signatureRules } from '../simulator/rules/signature.ts';
import {
  beyondAsciiAs500,
  behindStages,
  lenientMutant,
  type Mutant,
  mutantWhere,
  ruleMutants,
  stageMutant,
  type StageChange,
} from './mutant.ts';

const ruled = ruleMutants('signature', 'signature');

const { signedBody, matches } = signatureRules;

/** Another way to take the body, where a body is signed at all. */
function ofBody(change: (bodyText: string) => string): (request: RequestFacts) => Buffer {
  return (request) => {
    const isSigned = !['GET', 'DELETE'].includes(request.method) && !/^multipart/i.test(request.contentType);
    return isSigned ? Buffer.from(change(request.rawBody.toString('utf8')), 'utf8') : signedBody(request);
  };
}

/** Another way to take the body without its line breaks. */
function ofStripped(change: (bodyText: string) => string): (request: RequestFacts) => Buffer {
  return (request) => Buffer.from(change(signedBody(request).toString('utf8')), 'utf8');
}

const withoutBreaks = (text: string): string => text.replaceAll(/[\r\n]/g, '');
const placeholder =
  (text: string) =>
  ({ method, ...rest }: RequestFacts): Buffer =>
    method === 'GET' || method === 'DELETE' ? Buffer.from(text) : signedBody({ method, ...rest });
const singleCrKept = ofBody((text) => text.replaceAll(/\r?\n/g, ''));
const rawMultipart = (request: RequestFacts): Buffer =>
  request.contentType.startsWith('multipart/') ? request.rawBody : signedBody(request);
const reserialised = ofBody((text) => {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return withoutBreaks(text);
  }
});
const template = ({ method, path }: RequestFacts): string => findRoute(method, path)?.endpoint.path ?? path;
const xmlKept = (request: RequestFacts): Buffer =>
  request.path.endsWith('/xml') ? request.rawBody : signedBody(request);

const isWebhooks = ({ path }: RequestFacts): boolean => path.endsWith('/webhooks');
const isRetired = ({ path }: RequestFacts): boolean => /^\/openapi\/(?:nfe|cadastro)\//.test(path);

/** Compares less of the `sign` of some requests. */
function laxWith(
  what: string,
  breaks: Mutant['breaks'],
  isSo: (request: RequestFacts) => boolean,
  lax: typeof matches,
): Mutant {
  return mutantWhere(`signature.${what}`, breaks, 'signature', isSo, { matches: lax });
}

/** Takes a sign in any case for an upload, and tells of a company that it does not know by a code of its own. */
function caseIgnoredOfUploads(): Mutant {
  const isUpload = ({ contentType }: RequestFacts): boolean => contentType.startsWith('multipart/');
  const lax = laxWith('case-ignored-of-uploads', ['signature.upper-case-refused'], isUpload, (sent, right) =>
    matches(sent.toLowerCase(), right),
  );
  const answer: StageChange = async (request, context, original) => {
    const reply = await original.answer(request, context);
    const isRefused = isUpload(request) && reply !== undefined && reply.status >= 400;
    return isRefused ? { status: 404, body: { code: 40400, message: 'Recurso não encontrado' } } : reply;
  };
  return { ...lax, rules: behindStages(lax.rules, answer, 'endpoint') };
}

/** Takes any well-formed `sign` on the paths that the pattern fits. */
function unbound(id: string, breaks: Mutant['breaks'], paths: RegExp): Mutant {
  return stageMutant(id, breaks, 'signature', (request, context, original) =>
    paths.test(request.path) && /^[0-9a-f]{32}$/.test(context.sent.sign)
      ? undefined
      : original.answer(request, context),
  );
}

/** Signs in another way than the contract: right requests are refused. */
export const strayingSignatureMutants: readonly Mutant[] = [
  ruled('timestamp-before-body', ['signature.accepted'], {
    join: ({ token, path, body, timestamp }) => Buffer.concat([Buffer.from(token + path + timestamp), body]),
  }),
  ruled('bytes-without-their-zeros', ['signature.accepted'], {
    matches: (sent, right) => matches(sent, right.replaceAll(/0(.)|(..)/g, '$1$2')),
  }),
  beyondAsciiAs500('sign', 'signature.mismatch-refused'),
  ruled('code-of-headers', ['signature.mismatch-refused', 'signature.whole-sign-compared'], { code: 'headersMissing' }),
  ruled('code-of-timestamp', ['signature.mismatch-refused', 'signature.timestamp-as-sent'], {
    code: 'timestampInvalid',
  }),
  ruled('code-of-token', ['signature.mismatch-refused', 'signature.token-signed'], { code: 'tokenInvalid' }),
  ruled('latin-1', ['signature.utf-8', 'signature.accepted'], {
    signedBody: (request) => Buffer.from(signedBody(request).toString('latin1'), 'utf8'),
  }),
  ruled('path-template-signed', ['signature.path-variables-signed'], { signedPath: template }),
  ruled('query-signed', ['signature.query-not-signed'], { signedPath: ({ target }) => target }),
  ruled('query-signed-on-delete', ['signature.query-not-signed'], {
    signedPath: ({ method, path, target }) => (method === 'DELETE' ? target : path),
  }),
  ruled('content-type-signed', ['signature.nothing-else-signed'], {
    signedPath: ({ path, contentType }) => path + contentType.slice('application/json'.length),
  }),
  stageMutant(
    'signature.bodies-lost-that-fill-a-buffer',
    ['signature.accepted'],
    'signature',
    (request, context, original) =>
      original.answer(
        request.rawBody.length % 4096 === 0 ? { ...request, rawBody: Buffer.alloc(0) } : request,
        context,
      ),
  ),
  ruled('line-breaks-kept', ['signature.line-breaks-removed', 'signature.xml-line-breaks'], {
    signedBody: ofBody((text) => text),
  }),
  ruled('only-lf-removed', ['signature.line-breaks-removed', 'signature.xml-line-breaks'], {
    signedBody: ofBody((text) => text.replaceAll('\n', '')),
  }),
  ruled('only-cr-removed', ['signature.line-breaks-removed', 'signature.xml-line-breaks'], {
    signedBody: ofBody((text) => text.replaceAll('\r', '')),
  }),
  ruled('only-crlf-removed', ['signature.line-breaks-removed', 'signature.xml-line-breaks'], {
    signedBody: ofBody((text) => text.replaceAll('\r\n', '')),
  }),
  ruled('white-space-removed', ['signature.nothing-else-removed', 'signature.accepted'], {
    signedBody: ofStripped((text) => text.replaceAll(/\s/g, '')),
  }),
  ruled('white-space-between-tags-removed', ['signature.nothing-else-removed'], {
    signedBody: ofStripped((text) => text.replaceAll(/>\s+</g, '><')),
  }),
  ruled('byte-order-mark-removed', ['signature.nothing-else-removed'], {
    signedBody: ofStripped((text) => text.replace(/^\uFEFF/, '')),
  }),
  ruled('no-break-spaces-removed', ['signature.nothing-else-removed'], {
    signedBody: ofStripped((text) => text.replaceAll('\u00a0', '')),
  }),
  ruled('line-breaks-removed-in-8-kb-alone', ['signature.line-breaks-removed', 'signature.xml-line-breaks'], {
    signedBody: ofBody((text) => withoutBreaks(text.slice(0, 8192)) + text.slice(8192)),
  }),
  ruled('zero-byte-ends', ['signature.nothing-else-removed'], {
    signedBody: ofStripped((text) => text.split('\0', 1).join('')),
  }),
  ruled('character-references-removed', ['signature.nothing-else-removed'], {
    signedBody: ofStripped((text) => text.replaceAll(/&#(?:x0*[ad]|0*1[03]);/gi, '')),
  }),
  ruled('line-breaks-kept-in-cdata', ['signature.xml-line-breaks'], {
    signedBody: ofBody((text) =>
      text.replaceAll(/<!\[CDATA\[[\s\S]*?\]\]>|[\r\n]/g, (found) => (found.length > 1 ? found : '')),
    ),
  }),
  ruled('empty-query-signed', ['signature.query-not-signed'], {
    signedPath: ({ path, query }) => (query === '' ? `${path}?` : path),
  }),
  ruled('long-query-signed', ['signature.query-not-signed'], {
    signedPath: ({ path, query = '', target }) => (query.length > 60 ? target : path),
  }),
  ruled('multipart-signed-with-quoted-boundary', ['signature.body-empty-for-multipart'], {
    signedBody: (request) => (/boundary="/.test(request.contentType) ? request.rawBody : signedBody(request)),
  }),
  ruled('multipart-signed-in-other-letters', ['signature.body-empty-for-multipart'], {
    signedBody: (request) => (request.contentType.startsWith('M') ? request.rawBody : signedBody(request)),
  }),
  ruled('large-multipart-signed', ['signature.body-empty-for-multipart'], {
    signedBody: (request) => (request.rawBody.length > 65_536 ? rawMultipart(request) : signedBody(request)),
  }),
  ruled('reserialised-at-webhooks', ['signature.every-endpoint'], {
    signedBody: (request) => (isWebhooks(request) ? reserialised(request) : signedBody(request)),
  }),
  ruled('single-cr-kept-at-webhooks', ['signature.every-endpoint'], {
    signedBody: (request) => (isWebhooks(request) ? singleCrKept(request) : signedBody(request)),
  }),
  ruled('latin-1-at-companies', ['signature.every-endpoint'], {
    signedBody: (request) =>
      request.path === '/openapi/v2/empresas'
        ? Buffer.from(signedBody(request).toString('latin1'), 'utf8')
        : signedBody(request),
  }),
  ruled('zero-as-no-body', ['signature.nothing-else-removed'], {
    signedBody: ofStripped((text) => (text === '0' ? '' : text)),
  }),
  ruled('tabs-at-the-ends-removed', ['signature.nothing-else-removed'], {
    signedBody: ofStripped((text) => text.replaceAll(/^\t+|\t+$/g, '')),
  }),
  ruled('trimmed', ['signature.nothing-else-removed'], { signedBody: ofStripped((text) => text.trim()) }),
  ruled('null-for-no-body', ['signature.body-empty-without-body'], { signedBody: placeholder('null') }),
  ruled('multipart-signed', ['signature.body-empty-for-multipart'], { signedBody: rawMultipart }),
  ruled('json-reserialised', ['signature.json-as-sent', 'signature.accepted'], { signedBody: reserialised }),
  ruled('solidus-unescaped', ['signature.json-as-sent'], {
    signedBody: ofStripped((text) => text.replaceAll('\\/', '/')),
  }),
  ruled('case-ignored', ['signature.upper-case-refused'], {
    matches: (sent, right) => matches(sent.toLowerCase(), right),
  }),
  ruled('first-half-compared', ['signature.whole-sign-compared'], {
    matches: (sent, right) => sent.slice(0, 16) === right.slice(0, 16),
  }),
  ruled('last-character-ignored', ['signature.whole-sign-compared'], {
    matches: (sent, right) => sent.slice(0, 31) === right.slice(0, 31),
  }),
  ruled('what-is-before-the-sign-ignored', ['signature.whole-sign-compared'], {
    matches: (sent, right) => matches(sent.replace(/^0x|^"|"$/g, ''), right),
  }),
  laxWith('case-ignored-on-retired-paths', ['signature.upper-case-refused'], isRetired, (sent, right) =>
    matches(sent.toLowerCase(), right),
  ),
  caseIgnoredOfUploads(),
  laxWith(
    'half-compared-of-uploads',
    ['signature.whole-sign-compared'],
    ({ contentType }) => contentType.startsWith('multipart/'),
    (sent, right) => sent.slice(0, 16) === right.slice(0, 16),
  ),
  laxWith(
    'more-taken-of-cancellations',
    ['signature.whole-sign-compared'],
    ({ method }) => method === 'DELETE',
    (sent, right) => sent.startsWith(right),
  ),
  laxWith(
    'unchecked-of-multipart-json',
    ['signature.mismatch-refused'],
    ({ path, contentType }) => contentType.startsWith('multipart/') && !path.endsWith('/certificadoDigital'),
    () => true,
  ),
  laxWith(
    'unchecked-where-forced',
    ['signature.every-endpoint'],
    ({ headers }) => headers['forcerevalidate'] !== undefined,
    () => true,
  ),
  unbound('signature.unchecked-beyond-echo', ['signature.every-endpoint'], /^\/openapi\/v/),
  unbound(
    'signature.unchecked',
    [
      'signature.mismatch-refused',
      'signature.path-bound',
      'signature.body-bound',
      'signature.timestamp-as-sent',
      'signature.token-signed',
      'signature.whole-sign-compared',
    ],
    /./,
  ),
  unbound('signature.unchecked-on-chave-lookup', ['signature.chave-in-path'], /^\/openapi\/v3\/consultas\/nf-e\/\d+$/),
  unbound(
    'signature.unchecked-on-cpf-lookup',
    ['signature.cpf-and-birth-date-signed'],
    /^\/openapi\/v3\/consultas\/cpf/,
  ),
];

/** Of two companies of an application the signs of the second one's requests are not looked at. */
function secondCompanyUnchecked(): Mutant {
  const companies = new Map<string, Set<string>>();
  return stageMutant(
    'signature.unchecked-for-a-second-company',
    ['signature.path-bound'],
    'signature',
    (request, context, original) => {
      const company = /\/empresas\/([^/]+)/.exec(request.path)?.[1];
      if (company === undefined) return original.answer(request, context);
      const known = companies.get(context.sent.token) ?? new Set();
      companies.set(context.sent.token, known.add(company));
      return [...known].indexOf(company) === 1 ? undefined : original.answer(request, context);
    },
  );
}

/** Who has sent ten wrong signs is let in no more. */
function shutOut(): Mutant {
  const wrong = new Map<string, number>();
  return stageMutant(
    'signature.shut-out-after-ten-wrong-ones',
    ['signature.accepted'],
    'signature',
    async (request, context, original) => {
      const refusal = await original.answer(request, context);
      const failed = (wrong.get(context.sent.token) ?? 0) + (refusal ? 1 : 0);
      wrong.set(context.sent.token, refusal || failed >= 10 ? failed : 0);
      return refusal ?? (failed >= 10 ? original.answer({ ...request, path: '/' }, context) : undefined);
    },
  );
}

/** Takes no `sign` a second time, as if it were a replay: two equal requests of one second have the same. */
function takenOnce(): Mutant {
  const taken = new Set<string>();
  return stageMutant(
    'signature.taken-once',
    ['signature.accepted'],
    'signature',
    async (request, context, original) => {
      const refusal = await original.answer(request, context);
      if (refusal) return refusal;
      const { sign } = context.sent;
      return taken.size === taken.add(sign).size ? original.answer({ ...request, path: '/' }, context) : undefined;
    },
  );
}

/** Takes the right `sign`, and a wrong one beside it. */
export const lenientSignatureMutants: readonly Mutant[] = [
  lenientMutant('signature.other-order-taken', ['signature.order'], {
    join: ({ token, path, body, timestamp }) => Buffer.concat([Buffer.from(timestamp + token + path), body]),
  }),
  lenientMutant('signature.separators-taken', ['signature.no-separators'], {
    join: ({ token, path, body, timestamp }) => Buffer.from([token, path, body.toString(), timestamp].join('&')),
  }),
  lenientMutant('signature.nfc-taken', ['signature.utf-8'], {
    signedBody: ofStripped((text) => text.normalize('NFC')),
  }),
  lenientMutant('signature.sha-256-taken', ['signature.md5'], { digest: (input) => hash('sha256', input, 'hex') }),
  lenientMutant('signature.without-token-taken', ['signature.token-signed'], { signedToken: () => '' }),
  lenientMutant('signature.without-path-taken', ['signature.path-prefix-signed'], { signedPath: () => '' }),
  lenientMutant('signature.without-prefix-taken', ['signature.path-prefix-signed'], {
    signedPath: ({ path }) => path.replace('/openapi', ''),
  }),
  lenientMutant('signature.path-template-taken', ['signature.path-variables-signed'], { signedPath: template }),
  lenientMutant('signature.without-birth-date-taken', ['signature.cpf-and-birth-date-signed'], {
    signedPath: ({ path }) => /^.*\/cpf\/[^/]*/.exec(path)?.[0] ?? path,
  }),
  lenientMutant('signature.lower-case-path-taken', ['signature.path-as-sent'], {
    signedPath: ({ path }) => path.toLowerCase(),
  }),
  lenientMutant('signature.query-taken', ['signature.query-not-signed'], { signedPath: ({ target }) => target }),
  lenientMutant('signature.host-taken', ['signature.host-not-signed'], {
    signedPath: ({ headers, path }) => (headers.host ?? '') + path,
  }),
  lenientMutant('signature.method-taken', ['signature.nothing-else-signed'], {
    signedPath: ({ method, path }) => method + path,
  }),
  lenientMutant('signature.line-breaks-taken', ['signature.line-breaks-removed', 'signature.xml-line-breaks'], {
    signedBody: ofBody((text) => text),
  }),
  lenientMutant('signature.xml-line-breaks-taken', ['signature.xml-line-breaks'], { signedBody: xmlKept }),
  lenientMutant('signature.without-spaces-taken', ['signature.nothing-else-removed'], {
    signedBody: ofStripped((text) => text.replaceAll(' ', '')),
  }),
  lenientMutant('signature.without-body-taken', ['signature.body-bound'], { signedBody: () => Buffer.alloc(0) }),
  ...(['empresas', 'webhooks', 'nf-e', 'xml'] as const).map((end) =>
    lenientMutant(`signature.without-body-taken-at-${end}`, ['signature.body-bound'], {
      signedBody: (request) => (request.path.endsWith(`/${end}`) ? Buffer.alloc(0) : signedBody(request)),
    }),
  ),
  lenientMutant('signature.start-of-body-taken', ['signature.body-bound'], {
    signedBody: ofStripped((text) => text.slice(0, 1024)),
  }),
  lenientMutant('signature.end-of-body-taken', ['signature.body-bound'], {
    signedBody: ofStripped((text) => text.slice(-1024)),
  }),
  lenientMutant('signature.query-taken-of-lookups', ['signature.query-not-signed'], {
    signedPath: ({ method, path, target }) => (method === 'GET' ? target : path),
  }),
  lenientMutant('signature.lower-case-path-taken-of-uploads', ['signature.path-as-sent'], {
    signedPath: ({ path }) => (path.endsWith('/certificadoDigital') ? path.toLowerCase() : path),
  }),
  lenientMutant('signature.path-template-taken-of-cancellations', ['signature.path-variables-signed'], {
    signedPath: (request) => (request.method === 'DELETE' ? template(request) : request.path),
  }),
  lenientMutant('signature.last-segment-left-out-of-cancellations', ['signature.path-variables-signed'], {
    signedPath: ({ method, path }) => (method === 'DELETE' ? path.slice(0, path.lastIndexOf('/')) : path),
  }),
  lenientMutant('signature.null-taken', ['signature.body-empty-without-body', 'signature.chave-in-path'], {
    signedBody: placeholder('null'),
  }),
  lenientMutant('signature.braces-taken', ['signature.body-empty-without-body', 'signature.chave-in-path'], {
    signedBody: placeholder('{}'),
  }),
  lenientMutant('signature.braces-taken-of-companies', ['signature.body-empty-without-body'], {
    signedBody: (request) => (request.path.includes('/cnpj/') ? Buffer.from('{}') : signedBody(request)),
  }),
  lenientMutant('signature.multipart-body-taken', ['signature.body-empty-for-multipart'], { signedBody: rawMultipart }),
  lenientMutant('signature.reserialised-taken', ['signature.json-as-sent'], { signedBody: reserialised }),
  lenientMutant('signature.next-second-taken', ['signature.timestamp-as-sent'], {
    signedTimestamp: ({ timestamp }) => String(Number(timestamp) + 1),
  }),
  lenientMutant('signature.without-timestamp-taken', ['signature.timestamp-as-sent'], { signedTimestamp: () => '' }),
  secondCompanyUnchecked(),
  shutOut(),
  takenOnce(),
];
