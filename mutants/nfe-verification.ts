import { nfeVerificationRules } from '../simulator/rules/nfe-verification.ts';
import { member } from '../schemas/values.ts';
import type { Reply } from '../simulator/http/reply.ts';
import type { RequestFacts } from '../simulator/http/request-facts.ts';
import { ofAnotherChave } from './chave-lookup.ts';
import type { CodeMessageRules } from '../simulator/rules/refusal.ts';
import { verdictRules } from '../simulator/rules/verdict.ts';
import {
  endpointMutants,
  also,
  counter,
  firstOf,
  reading,
  remembering,
  ruleMutants,
  type EndpointChange,
  mutant,
  type Mutant,
  statesInEnglish,
  withMembers,
  wrapped,
} from './mutant.ts';

const { answered, changed, replied } = endpointMutants('nfe-verification');
const ruled = ruleMutants('nfe-verification', 'verdict');
const ruledNfeVerification = ruleMutants('nfe-verification', 'nfeVerification');

const { scan } = nfeVerificationRules;

function isInComment(text: string, at: number): boolean {
  return at >= 0 && text.lastIndexOf('<!--', at) > text.lastIndexOf('-->', at);
}

/** The clauses on the shape of a refusal, of this endpoint and of the lookups. */
const shapes = [
  'nfe-verification.empty-body',
  'nfe-verification.too-large',
  'nfe-verification.dtd-refused',
  'nfe-verification.encoding-refused',
  'nfe-verification.malformed-refused',
  'nfe-verification.without-chave',
  'chave-lookup.unknown',
  'chave-lookup.malformed',
  'cnpj-lookup.unknown',
  'cnpj-lookup.malformed',
  'cpf-lookup.unknown',
  'cpf-lookup.malformed',
] as const;

function refusing(what: string, body: CodeMessageRules['body']): Mutant {
  return mutant(`nfe-verification.${what}`, shapes, 'codeMessage', { body });
}

/** Answers with the verdict that a chave had before, unless it is to be verified anew. */
function verdictOfTheChave(): EndpointChange {
  const known = new Map<string, Reply>();
  return async (request, context, answer) => {
    const chave = /Id="NFe(\d{44})"/.exec(request.rawBody.toString('utf8'))?.[1] ?? '';
    const before = request.headers['forcerevalidate'] === 'true' ? undefined : known.get(chave);
    const reply = before ?? (await answer(request, context));
    if (reply.status === 200) known.set(chave, reply);
    return reply;
  };
}

/** Tells the verdict at the top where the application had the same document verified before, and does not ask for it anew. */
function toldOtherwiseAgain(): EndpointChange {
  const count = counter();
  return async (request, context, answer) => {
    const reply = await answer(request, context);
    const isKnown = count(`${context.sent.token} ${request.rawBody.toString('latin1')}`) > 0;
    const isTold = isKnown && request.headers['forcerevalidate'] === undefined && reply.status === 200;
    return isTold ? { ...reply, body: member(reply.body, 'validation') } : reply;
  };
}

/** Judges a request by its document changed. */
function rereading(change: (document: string) => string): EndpointChange {
  return reading((request) => ({ ...request, rawBody: Buffer.from(change(request.rawBody.toString('utf8'))) }));
}

/** Goes wrong only where a document need not be verified anew. */
function unlessForced(change: EndpointChange): EndpointChange {
  return (request, context, answer) =>
    request.headers['forcerevalidate'] === undefined ? change(request, context, answer) : answer(request, context);
}

const inAscii = (document: string): string => document.replaceAll(/[^\0-\x7f]/g, 'x');

/** Line breaks behind a document do not count towards its limit. */
const withoutBreaksBehind = reading((request) => {
  const end = request.rawBody.findLastIndex((byte) => byte !== 10 && byte !== 13) + 1;
  const isLarge = request.rawBody.length > nfeVerificationRules.largestBytes;
  return isLarge ? { ...request, rawBody: request.rawBody.subarray(0, end) } : request;
});

/** Of a body whose length nobody told before, the end is thrown away. */
const unlimitedChunks = reading((request) => {
  const isUntold = request.headers['content-length'] === undefined;
  return isUntold ? { ...request, rawBody: Buffer.from(request.rawBody.toString('utf8').trimEnd()) } : request;
});

/** The header that asks for a verdict anew goes unseen on some requests. */
function forceUnseen(what: string, isSo: (request: RequestFacts) => boolean): Mutant {
  const change = reading((request) => {
    const { forcerevalidate: _, ...headers } = request.headers;
    return isSo(request) ? { ...request, headers } : request;
  });
  return changed(`force-unseen-${what}`, ['nfe-verification.force-revalidate'], change);
}

/** No event of a document that is larger than a queue takes. */
function largeDocumentsSilent(): Mutant {
  let isLarge = false;
  const breaks = ['nfe-verification.force-revalidate'] as const;
  const verification = changed('large-documents-silent', breaks, (request, context, answer) => {
    isLarge = request.rawBody.length > 262_144;
    return answer(request, context);
  });
  return also(verification, 'webhookDelivery', {
    receivers: (targets) => targets.filter(({ channel }) => !isLarge || channel !== 'verification'),
  });
}

/** Answers so where the document is of that kind. */
function answering(isKind: (request: RequestFacts) => boolean, reply: Reply): EndpointChange {
  return (request, context, answer) => (isKind(request) ? reply : answer(request, context));
}

function contains(text: string | RegExp): (request: RequestFacts) => boolean {
  return ({ rawBody }) => rawBody.toString('latin1').search(text) >= 0;
}

/** Cut out from its start to the bracket behind its own declarations, where it has some. */
function withoutDoctype(document: string): string {
  const start = document.indexOf('<!DOCTYPE');
  if (start < 0) return document;
  const declarations = /^[^>[]*\[[^\]]*\]/.exec(document.slice(start))?.[0] ?? '';
  const end = document.indexOf('>', start + declarations.length);
  return end < 0 ? document : document.slice(0, start) + document.slice(end + 1);
}

const failed: Reply = { status: 500, body: { code: 1, message: 'NullPointerException' } };
const refused: Reply = { status: 400, body: { code: 1, message: 'recusado' } };
const found: Reply = { status: 200, body: { validation: { validationStatus: 'VALIDATED' } } };

function validation(members: object): (reply: Reply) => Reply {
  return (reply) => {
    const before = member(reply.body, 'validation');
    return withMembers(reply, { validation: { ...(typeof before === 'object' ? before : {}), ...members } });
  };
}

/** Wrong verifications. */
export const nfeVerificationMutants: readonly Mutant[] = [
  changed('verdict-of-the-chave', ['nfe-verification.altered-not-validated'], verdictOfTheChave()),
  changed(
    'verdict-of-the-beginning',
    ['nfe-verification.altered-not-validated'],
    remembering(({ rawBody }) => rawBody.subarray(0, 1500).toString('latin1')),
  ),
  replied('in-envelope', ['nfe-verification.bare'], wrapped),
  statesInEnglish('nfe-verification', 'nfe-verification.validation-status', {
    VALIDATED: 'Validated',
    REJECTED: 'Rejected',
  }),
  replied('of-another-chave', ['nfe-verification.validation-status'], ofAnotherChave),
  replied('without-validation', ['nfe-verification.validation-status'], (reply) =>
    withMembers(reply, { validation: undefined }),
  ),
  replied(
    'status-in-small-letters',
    ['nfe-verification.validation-status'],
    validation({ validationStatus: 'validated' }),
  ),
  replied('status-at-the-top', ['nfe-verification.validation-status'], (reply) => ({
    ...reply,
    body: member(reply.body, 'validation'),
  })),
  // Unknown documents may be refused, and the service may fail: an invoice of its own it knows, and not every time.
  changed('every-document-refused', ['nfe-verification.validation-status'], answering(contains('<infNFe'), refused)),
  changed('every-document-fails', ['nfe-verification.validation-status'], answering(contains('<infNFe'), failed)),
  changed('known-told-otherwise', ['nfe-verification.validation-status'], toldOtherwiseAgain()),
  changed('cdata-as-500', ['nfe-verification.validation-status'], answering(contains(/<!\[CDATA\[/), failed)),
  ruled('nothing-validated', ['nfe-verification.sound-document-validated'], {
    outcome: () => ({ validationStatus: 'REJECTED', reason: 'Rejected.' }),
  }),
  changed('rejected-as-422', ['nfe-verification.rejection-is-200'], async (request, context, answer) => {
    const reply = await answer(request, context);
    const isRejected = JSON.stringify(reply.body).includes('"REJECTED"');
    return isRejected ? { status: 422, body: { code: 1, message: 'rejected' } } : reply;
  }),
  ruled('all-validated', ['nfe-verification.altered-not-validated', 'nfe-verification.rejection-is-200'], {
    outcome: () => ({ validationStatus: 'VALIDATED' }),
  }),
  changed('cr-refused', ['nfe-verification.sent-unchanged'], answering(contains('\r'), refused)),
  changed(
    'read-without-line-breaks',
    ['nfe-verification.sent-unchanged'],
    rereading((document) => document.replaceAll(/[\r\n]/g, '')),
  ),
  changed('lf-between-elements-refused', ['nfe-verification.sent-unchanged'], answering(contains(/>\n</), refused)),
  changed('blank-as-500', ['nfe-verification.malformed-refused'], answering(isBlank, failed)),
  changed('empty-as-200', ['nfe-verification.empty-body'], answering(isEmpty, found)),
  changed('empty-as-500', ['nfe-verification.empty-body'], answering(isEmpty, failed)),
  ruledNfeVerification('dtd-with-a-tab-taken', ['nfe-verification.dtd-refused'], {
    scan: (text) => (text.includes('<!DOCTYPE\t') ? undefined : scan(text)),
  }),
  // The first one that is named stands in a comment, and nobody looks for another.
  ruledNfeVerification('dtd-behind-the-name-of-one-taken', ['nfe-verification.dtd-refused'], {
    scan: (text) => (isInComment(text, text.indexOf('<!DOCTYPE')) ? undefined : scan(text)),
  }),
  ruledNfeVerification('dtd-behind-the-first-2-kb-taken', ['nfe-verification.dtd-refused'], {
    scan: (text) => (text.indexOf('<!DOCTYPE') >= 2_000 ? undefined : scan(text)),
  }),
  ruledNfeVerification('no-limit', ['nfe-verification.too-large'], { largestBytes: Infinity }),
  changed(
    'too-large-as-413',
    ['nfe-verification.too-large'],
    answering(({ rawBody }) => rawBody.length > 1_048_576, { ...refused, status: 413 }),
  ),
  changed(
    'far-too-large-as-a-page',
    ['nfe-verification.too-large'],
    answering(({ rawBody }) => rawBody.length > 2_621_440, { status: 413, body: '<h1>Request Entity Too Large</h1>' }),
  ),
  changed('limit-in-characters', ['nfe-verification.too-large'], rereading(inAscii)),
  changed('limit-without-breaks-behind', ['nfe-verification.too-large'], withoutBreaksBehind),
  changed('limit-by-content-length', ['nfe-verification.too-large'], unlimitedChunks),
  ruledNfeVerification('limit-of-100-kb', ['nfe-verification.one-megabyte'], { largestBytes: 100_000 }),
  ...[
    {
      where: 'without-declaration',
      isBlind: (text: string) => !text.startsWith('<?xml') && !text.startsWith('\uFEFF'),
    },
    { where: 'behind-a-mark', isBlind: (text: string) => text.startsWith('\uFEFF') },
    { where: 'on-two-lines', isBlind: (text: string) => /<!DOCTYPE[\r\n]/.test(text) },
    { where: 'of-another-name', isBlind: (text: string) => text.includes('<!DOCTYPE html') },
  ].map(({ where, isBlind }) =>
    changed(
      `dtd-${where}-skipped`,
      ['nfe-verification.dtd-refused'],
      rereading((text) => (isBlind(text) ? withoutDoctype(text) : text)),
    ),
  ),
  changed('dtd-skipped-unless-forced', ['nfe-verification.dtd-refused'], unlessForced(rereading(withoutDoctype))),
  changed(
    'no-limit-unless-forced',
    ['nfe-verification.too-large'],
    unlessForced(rereading((text) => (text.length > 1_000_000 ? text.replaceAll(/\s{100,}/g, '') : text))),
  ),
  changed(
    'rejection-as-422-unless-forced',
    ['nfe-verification.rejection-is-200'],
    unlessForced(async (request, context, answer) => {
      const reply = await answer(request, context);
      const isRejected = member(reply.body, 'validation', 'validationStatus') === 'REJECTED';
      return isRejected ? { status: 422, body: { code: 10015009, message: 'Rejeitada' } } : reply;
    }),
  ),
  changed('dtd-skipped', ['nfe-verification.dtd-refused'], rereading(withoutDoctype)),
  changed('dtd-as-500', ['nfe-verification.dtd-refused'], answering(contains('<!DOCTYPE'), failed)),
  changed(
    'dtd-as-422',
    ['nfe-verification.dtd-refused'],
    answering(contains('<!DOCTYPE'), { ...refused, status: 422 }),
  ),
  changed(
    'external-dtd-skipped',
    ['nfe-verification.dtd-refused'],
    rereading((document) => document.replace(/<!DOCTYPE \w+ (SYSTEM|PUBLIC)[^<>[]*>/, '')),
  ),
  changed('dtd-word-refused', ['nfe-verification.dtd-word-taken'], answering(contains('<!DOCTYPE'), refused)),
  changed('dtd-by-its-name-refused', ['nfe-verification.dtd-word-taken'], answering(contains('DTD'), refused)),
  changed(
    'encoding-ignored',
    ['nfe-verification.encoding-refused'],
    rereading((document) => document.replace(/encoding="[^"]*"/, 'encoding="UTF-8"')),
  ),
  changed(
    'encoding-in-apostrophes-ignored',
    ['nfe-verification.encoding-refused'],
    rereading((document) => document.replace(/encoding='[^']*'/, '')),
  ),
  changed('encoding-as-500', ['nfe-verification.encoding-refused'], answering(contains('X-ENCODING'), failed)),
  changed('bytes-as-500', ['nfe-verification.encoding-refused'], answering(contains('\u00C7</natOp>'), failed)),
  refusing('refused-in-envelope', (code, message) => ({ success: false, errorType: 1, code, message })),
  refusing('refused-in-part-of-envelope', (code, message) => ({ success: false, code, message })),
  refusing('refused-in-envelope-of-data', (code, message) => ({ success: false, code, message, data: null, id: 'a' })),
  refusing('refused-in-array', (codigo, mensagem) => [{ codigo, mensagem }]),
  refusing('refused-without-message', (code) => ({ code })),
  refusing('refused-with-text', (_, message) => message),
  answered('malformed-as-500', ['nfe-verification.malformed-refused', 'nfe-verification.empty-body'], (reply) =>
    reply.status === 400 ? failed : reply,
  ),
  answered('malformed-as-200', ['nfe-verification.malformed-refused', 'nfe-verification.without-chave'], (reply) =>
    reply.status >= 400 ? found : reply,
  ),
  ...[
    { status: 500, body: 'Internal Server Error' },
    { status: 500, body: { success: false, errorType: 0, code: 1, message: 'Internal error', data: null } },
    { status: 500, body: { error: 'StackOverflowError' } },
    { status: 501, body: { code: 1, message: 'not implemented' } },
  ].map((reply, at) =>
    changed(`failure-${at + 1}`, ['nfe-verification.system-error'], answering(contains('<a>'.repeat(1000)), reply)),
  ),
  ruledNfeVerification('force-ignored', ['nfe-verification.force-revalidate'], { isForced: () => false }),
  ruled('first-answer-kept', ['nfe-verification.force-revalidate'], { record: firstAnswer() }),
  changed(
    'force-refused',
    ['nfe-verification.force-revalidate'],
    answering(({ headers }) => headers['forcerevalidate'] !== undefined, refused),
  ),
  largeDocumentsSilent(),
  forceUnseen('when-long', ({ rawBody }) => rawBody.length > 65_536),
  forceUnseen('in-small-letters', ({ rawHeaders }) => rawHeaders.includes('forcerevalidate')),
  forceUnseen('in-chunks', ({ headers }) => headers['transfer-encoding'] !== undefined),
];

function isEmpty({ rawBody }: RequestFacts): boolean {
  return rawBody.length === 0;
}

function isBlank({ rawBody }: RequestFacts): boolean {
  return rawBody.length > 0 && rawBody.toString('latin1').trim() === '';
}

/** What the authority said of a chave when it was asked for the first time. */
function firstAnswer(): typeof verdictRules.record {
  const first = firstOf<ReturnType<typeof verdictRules.record>>();
  return (findings, application, books) => first(findings.chave, verdictRules.record(findings, application, books));
}
