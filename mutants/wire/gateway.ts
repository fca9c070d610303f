import type { Breach, WireAnswer } from './breach.ts';
import {
  answering,
  inOtherLanguage,
  refusedWith,
  servedEcho,
  skipping,
  withBody,
  withCodeOf,
  withMember,
  type AnswerChange,
} from './changes.ts';

const gone = (): undefined => undefined;
const authentication = ['required-headers', 'timestamp', 'token', 'signature'];
const isActive = ({ context }: WireAnswer): boolean =>
  context.application?.state === 'active' && context.application.integratorState === 'active';

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
  answering('signature.any-taken', ['signature'], { codes: ['signMismatch'] }, skipping('signature')),
  answering(
    'signature.any-taken-by-get',
    ['signature'],
    { codes: ['signMismatch'], where: ({ request }) => request.method === 'GET' },
    skipping('signature'),
  ),
  answering('signature.code-of-token', ['signature'], { codes: ['signMismatch'] }, withCodeOf('tokenInvalid')),
  answering(
    'precedence.403-before-401',
    ['precedence', 'retirement.after-authentication'],
    { statuses: [401], where: ({ context }) => context.application !== undefined },
    skippingTo(403, ...authentication),
  ),
];

const ofAuthorisation: readonly Breach[] = [
  answering(
    'application.disabled-served',
    ['application'],
    { codes: ['applicationDisabled'] },
    skipping('application', 'subscription'),
  ),
  answering(
    'application.disabled-as-pending',
    ['application'],
    { codes: ['applicationDisabled'] },
    withCodeOf('applicationNotEffective'),
  ),
  answering(
    'subscription.unsubscribed-served',
    ['subscription'],
    { codes: ['notSubscribed'] },
    skipping('subscription'),
  ),
  answering(
    'subscription.code-of-disabled',
    ['subscription'],
    { codes: ['notSubscribed'] },
    withCodeOf('applicationDisabled'),
  ),
  answering(
    'subscription.served-one-refused',
    ['subscription'],
    { statuses: [200], where: isActive },
    refusedWith('notSubscribed'),
  ),
  answering('rate-limit.not-kept', ['rate-limit'], { codes: ['rateLimited'] }, skipping('rate-limit')),
  answering(
    'rate-limit.without-a-limit',
    ['rate-limit'],
    { statuses: [200], where: ({ context }) => context.application?.rateLimit === null },
    refusedWith('rateLimited'),
    ['echo'],
  ),
  answering('rate-limit.bare', ['errors.envelope-of-429'], { codes: ['rateLimited'] }, withMember('success', gone), [
    'rate-limit',
  ]),
];

const ofRetirement: readonly Breach[] = [
  answering(
    'retirement.other-code',
    ['retirement'],
    { codes: ['retired'] },
    withMember('code', () => 10009011),
  ),
  answering('retirement.not-found', ['retirement'], { codes: ['retired'] }, () => ({
    status: 404,
    body: { code: 'NOT-FOUND', message: 'Not found' },
  })),
  answering(
    'retirement.subscription-first',
    ['retirement', 'precedence'],
    { codes: ['retired'] },
    skippingTo(403, 'retirement'),
  ),
  answering(
    'retirement.replacement-lost',
    ['retirement.replacement-named', 'retirement.replacement-in-every-language', 'retirement.english-text'],
    { codes: ['retired'] },
    withMember('message', () => 'This API has been retired'),
  ),
  answering(
    'errors.error-type-of-410',
    ['errors.envelope-of-410'],
    { codes: ['retired'] },
    withMember('errorType', () => 2),
    ['retirement'],
  ),
];

const ofEnvelopes: readonly Breach[] = [
  answering('errors.bare-403', ['errors.envelope-of-403'], { statuses: [403] }, withMember('success', gone), [
    'application',
    'subscription',
  ]),
  answering(
    'envelope.success-true',
    ['envelope.success-false-on-errors'],
    { statuses: [401] },
    withMember('success', () => true),
    ['signature'],
  ),
  answering('envelope.code-as-text', ['envelope.code-integer'], { statuses: [401] }, withMember('code', String), [
    'signature',
  ]),
  answering(
    'envelope.message-empty',
    ['envelope.message-text'],
    { statuses: [401] },
    withMember('message', () => ''),
    ['timestamp'],
  ),
  answering('envelope.no-error-type', ['envelope.error-type'], { statuses: [401] }, withMember('errorType', gone), [
    'token',
  ]),
  answering(
    'envelope.none',
    ['envelope', 'signature'],
    { statuses: [401] },
    withBody(() => ({ error: 'unauthorized' })),
    ['signature'],
  ),
  answering('language.another', ['language', 'envelope.message-language'], { statuses: [401] }, inOtherLanguage),
];

/** What comes of leaving out stages, where that is a refusal of this status. */
function skippingTo(status: number, ...stages: readonly string[]): AnswerChange {
  return async ({ without }) => {
    const other = await without(...stages);
    return other?.status === status ? other : undefined;
  };
}

/** Wrong answers. */

/** Wrong answers of the gateway, of any endpoint. */
export const gatewayBreaches: readonly Breach[] = [
  ...ofAuthentication,
  ...ofAuthorisation,
  ...ofRetirement,
  ...ofEnvelopes,
];
