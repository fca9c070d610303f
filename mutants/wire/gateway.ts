import type { Breach, WireAnswer } from './breach.ts';
import {
  answering,
  spoilingAnswers,
  inOtherLanguage,
  refusedWith,
  servedEcho,
  skipping,
  withBody,
  withCodeOf,
  withMember,
  withStatus,
  type AnswerChange,
  always,
} from './changes.ts';

const gone = always(undefined);
const authentication = ['required-headers', 'timestamp', 'token', 'signature'];
const isActive = ({ context }: WireAnswer): boolean =>
  context.application?.state === 'active' && context.application.integratorState === 'active';

const signature = spoilingAnswers('signature', { codes: ['signMismatch'] });
const application = spoilingAnswers('application', { codes: ['applicationDisabled'] });
const subscription = spoilingAnswers('subscription', { codes: ['notSubscribed'] });
const rateLimit = spoilingAnswers('rate-limit', { codes: ['rateLimited'] });
const retirement = spoilingAnswers('retirement', { codes: ['retired'] });
const envelope = spoilingAnswers('envelope', { statuses: [401] });

/** What stands before the service refuses by itself what is right. */
function byFront(what: string, status: 403 | 429, message: string): Breach {
  return answering(
    `errors.${what}-by-a-front`,
    [`errors.envelope-of-${status}`],
    { endpoints: ['echo'], statuses: [200], where: isActive },
    () => ({ status, body: { message } }),
    ['echo'],
  );
}

const ofAuthentication: readonly Breach[] = [
  answering(
    'required-headers.not-needed',
    ['required-headers', 'echo.whole-pipeline'],
    { endpoints: ['echo'], codes: ['headersMissing'] },
    servedEcho,
  ),
  answering(
    'required-headers.code-of-signature',
    ['required-headers'],
    { codes: ['headersMissing'] },
    withCodeOf('signMismatch'),
  ),
  answering('timestamp.any-taken', ['timestamp'], { codes: ['timestampInvalid'] }, skipping('timestamp')),
  answering(
    'timestamp.right-one-refused',
    ['timestamp', 'echo', 'token', 'signature'],
    { endpoints: ['echo'], statuses: [200] },
    refusedWith('timestampInvalid'),
  ),
  answering('token.unknown-taken', ['token'], { endpoints: ['echo'], codes: ['tokenInvalid'] }, servedEcho),
  answering('token.code-of-signature', ['token'], { codes: ['tokenInvalid'] }, withCodeOf('signMismatch')),
  signature('any-taken', ['signature'], skipping('signature')),
  answering(
    'signature.any-taken-by-get',
    ['signature'],
    { codes: ['signMismatch'], where: ({ request }) => request.method === 'GET' },
    skipping('signature'),
  ),
  signature('code-of-token', ['signature'], withCodeOf('tokenInvalid')),
  signature('under-500', ['signature'], withStatus(500)),
  answering(
    'precedence.403-before-401',
    ['precedence', 'retirement.after-authentication'],
    { statuses: [401], where: ({ context }) => context.application !== undefined },
    skippingTo(403, ...authentication),
  ),
];

const ofAuthorisation: readonly Breach[] = [
  application('disabled-served', ['application'], skipping('application', 'subscription')),
  application('disabled-as-pending', ['application'], withCodeOf('applicationNotEffective')),
  subscription('unsubscribed-served', ['subscription'], skipping('subscription')),
  subscription('code-of-disabled', ['subscription'], withCodeOf('applicationDisabled')),
  answering(
    'subscription.served-one-refused',
    ['subscription'],
    { statuses: [200], where: isActive },
    refusedWith('notSubscribed'),
  ),
  rateLimit('not-kept', ['rate-limit'], skipping('rate-limit')),
  answering(
    'rate-limit.without-a-limit',
    ['rate-limit'],
    { statuses: [200], where: ({ context }) => context.application?.rateLimit === null },
    refusedWith('rateLimited'),
    ['echo'],
  ),
  byFront('forbidden', 403, 'Forbidden'),
  byFront('limited', 429, 'Too Many Requests'),
  rateLimit('bare', ['errors.envelope-of-429'], withMember('success', gone), 'rate-limit'),
];

const ofRetirement: readonly Breach[] = [
  retirement('other-code', ['retirement'], withMember('code', always(10009011))),
  retirement('not-found', ['retirement'], () => ({
    status: 404,
    body: { code: 'NOT-FOUND', message: 'Not found' },
  })),
  answering(
    'retirement.issuance-gone',
    ['retirement.standard-endpoints-live'],
    { endpoints: ['nfe-issuance'], statuses: [200] },
    () => ({ status: 410, body: undefined }),
    ['nfe-issuance', 'nfe-query'],
  ),
  retirement('subscription-first', ['retirement', 'precedence'], skippingTo(403, 'retirement')),
  retirement(
    'replacement-lost',
    ['retirement.replacement-named', 'retirement.replacement-in-every-language', 'retirement.english-text'],
    withMember('message', always('This API has been retired')),
  ),
  answering(
    'errors.error-type-of-410',
    ['errors.envelope-of-410'],
    { codes: ['retired'] },
    withMember('errorType', always(2)),
    ['retirement'],
  ),
];

const ofEnvelopes: readonly Breach[] = [
  answering('errors.bare-403', ['errors.envelope-of-403'], { statuses: [403] }, withMember('success', gone), [
    'application',
    'subscription',
  ]),
  envelope('success-true', ['envelope.success-false-on-errors'], withMember('success', always(true)), 'signature'),
  envelope('code-as-text', ['envelope.code-integer'], withMember('code', String), 'signature'),
  envelope('message-empty', ['envelope.message-text'], withMember('message', always('')), 'timestamp'),
  envelope('no-error-type', ['envelope.error-type'], withMember('errorType', gone), 'token'),
  envelope('none', ['envelope', 'signature'], withBody(always({ error: 'unauthorized' })), 'signature'),
  answering('language.another', ['language', 'envelope.message-language'], { statuses: [401] }, inOtherLanguage),
];

/** What comes of leaving out stages, where that is a refusal of this status. */
function skippingTo(status: number, ...stages: readonly string[]): AnswerChange {
  return async ({ without }) => {
    const other = await without(...stages);
    return other?.status === status ? other : undefined;
  };
}

/** Wrong answers of the gateway, of any endpoint. */
export const gatewayBreaches: readonly Breach[] = [
  ...ofAuthentication,
  ...ofAuthorisation,
  ...ofRetirement,
  ...ofEnvelopes,
];
