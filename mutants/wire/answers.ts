import { member } from '../../schemas/member.ts';
import type { WireAnswer, AnswerMatch, Breach, TopicName } from './breach.ts';
import {
  accepted,
  enveloped,
  inOtherLanguage,
  refusedWith,
  servedEcho,
  skipping,
  withBody,
  withCodeOf,
  withMember,
  withMembers,
  withStatus,
  type AnswerChange,
} from './changes.ts';

function answering(
  id: string,
  breaks: Breach['breaks'],
  match: AnswerMatch,
  change: AnswerChange,
  met: readonly TopicName[] = [],
): Breach {
  return { kind: 'answer', id, breaks, match, change, met };
}

const gone = (): undefined => undefined;
const refusals = [400, 404];
const authentication = ['required-headers', 'timestamp', 'token', 'signature'];
const isOfState =
  (status: string) =>
  ({ reply }: WireAnswer): boolean =>
    member(reply.body, 'status') === status;
const isActive = ({ context }: WireAnswer): boolean =>
  context.application?.state === 'active' && context.application.integratorState === 'active';
const isShownAs = (status: string) => (answer: WireAnswer) =>
  isOfState(status)(answer) && member(answer.before?.body, 'status') === status;

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

const ofEcho: readonly Breach[] = [
  answering(
    'echo.message-cut',
    ['echo.message-returned'],
    { endpoints: ['echo'], statuses: [200] },
    withMember('data.echo', (was) => String(was).slice(0, -1)),
    ['signature'],
  ),
  answering(
    'echo.no-fraction',
    ['echo.server-time-format'],
    { endpoints: ['echo'], statuses: [200] },
    withMember('data.serverTime', (was) => String(was).replace(/\.\d+/, '')),
    ['signature'],
  ),
  answering(
    'echo.of-another',
    ['echo.app-key', 'echo.identity-fields'],
    { endpoints: ['echo'], statuses: [200] },
    withMember('data.appKey', () => 'somebody-else'),
  ),
  answering(
    'echo.bare',
    ['echo', 'envelope.data-on-success'],
    { endpoints: ['echo'], statuses: [200] },
    withBody((body) => member(body, 'data')),
  ),
];

const ofRegistrations: readonly Breach[] = [
  answering(
    'empresa-registration.enveloped',
    ['empresa-registration.bare'],
    { endpoints: ['empresa-registration'], statuses: [200] },
    enveloped,
    ['nfe-query'],
  ),
  answering(
    'empresa-registration.id-in-array',
    ['empresa-registration.empresa-id'],
    { endpoints: ['empresa-registration'], statuses: [200] },
    withMember('empresaId', (was) => [was]),
    ['nfe-query'],
  ),
  answering(
    'certificado-association.enveloped',
    ['certificado-association.bare'],
    { endpoints: ['certificado-association'], statuses: [200] },
    enveloped,
    ['nfe-query'],
  ),
  answering(
    'webhook-url.enveloped',
    ['webhook-url.registration-bare'],
    { endpoints: ['webhook-registration'], statuses: [200] },
    enveloped,
    ['issuance-callback'],
  ),
  answering(
    'webhook-url.any-taken',
    ['webhook-url.absolute-http-only'],
    { endpoints: ['webhook-registration'], statuses: [400] },
    accepted(),
  ),
];

const ofInvoices: readonly Breach[] = [
  answering(
    'nfe-issuance.with-content',
    ['nfe-issuance.no-content'],
    { endpoints: ['nfe-issuance'], statuses: [200] },
    withBody(() => ({})),
    ['nfe-query'],
  ),
  answering(
    'nfe-issuance.status-202',
    ['nfe-issuance.status-200'],
    { endpoints: ['nfe-issuance'], statuses: [200] },
    withStatus(202),
    ['nfe-query'],
  ),
  answering(
    'nfe-issuance.all-taken',
    ['nfe-issuance'],
    { endpoints: ['nfe-issuance'], statuses: refusals },
    accepted(),
  ),
  answering(
    'nfe-issuance.error-without-array',
    ['nfe-issuance'],
    { endpoints: ['nfe-issuance'], statuses: refusals },
    withBody((faults) => (Array.isArray(faults) ? faults[0] : faults)),
  ),
  answering(
    'nfe-query.enveloped',
    ['nfe-query.bare-object'],
    { endpoints: ['nfe-query'], statuses: [200] },
    enveloped,
    ['nfe-cancellation'],
  ),
  answering(
    'nfe-query.unknown-status',
    ['nfe-query.status-known'],
    { endpoints: ['nfe-query'], statuses: [200] },
    withMember('status', () => 'Processando'),
    ['nfe-cancellation'],
  ),
  answering(
    'nfe-query.authorised-again',
    ['nfe-query.follows-the-life-cycle', 'nfe-cancellation.status-becomes-cancelada'],
    { endpoints: ['nfe-query'], where: isShownAs('Cancelada') },
    withMembers(({ context }) => ({ status: 'Autorizada', linkDanfe: `${context.publicUrl()}/documents/none.pdf` })),
  ),
  answering(
    'nfe-query.danfe-when-cancelled',
    ['nfe-query.no-danfe-link-when-cancelled'],
    { endpoints: ['nfe-query'], where: isOfState('Cancelada') },
    withMember('linkDanfe', (_, { context }) => `${context.publicUrl()}/documents/none.pdf`),
    ['nfe-cancellation'],
  ),
  answering(
    'nfe-query.no-danfe',
    ['nfe-query.danfe-link-when-authorised', 'nfe-query.danfe-link-alive'],
    { endpoints: ['nfe-query'], where: isOfState('Autorizada') },
    withMember('linkDanfe', gone),
  ),
  answering(
    'nfe-query.xml-link-relative',
    ['nfe-query.xml-link', 'nfe-query.xml-link-alive'],
    { endpoints: ['nfe-query'], where: isOfState('Autorizada') },
    withMember('linkDownloadXml', (was) => String(was).replace(/^https?:\/\/[^/]+/, '')),
  ),
  answering(
    'nfe-query.xml-link-dead',
    ['nfe-query.xml-link-alive', 'nfe-query.xml-link-serves-its-invoice'],
    { endpoints: ['nfe-query'], where: isOfState('Autorizada') },
    withMember('linkDownloadXml', (was) => `${String(was)}x`),
  ),
  answering(
    'nfe-query.stale',
    ['nfe-query', 'nfe-cancellation'],
    { endpoints: ['nfe-query'], statuses: refusals, where: ({ latest }) => latest !== undefined },
    ({ latest }) => latest,
  ),
  answering(
    'nfe-query.error-without-array',
    ['nfe-query.unknown-id'],
    { endpoints: ['nfe-query'], statuses: refusals },
    withBody((faults) => (Array.isArray(faults) ? faults[0] : faults)),
  ),
  answering(
    'nfe-cancellation.with-content',
    ['nfe-cancellation.empty-body'],
    { endpoints: ['nfe-cancellation'], statuses: [200] },
    withBody(() => ({})),
    ['nfe-query'],
  ),
  answering(
    'nfe-cancellation.status-204',
    ['nfe-cancellation.status-200'],
    { endpoints: ['nfe-cancellation'], statuses: [200] },
    withStatus(204),
    ['nfe-query'],
  ),
  answering(
    'nfe-cancellation.unknown-taken',
    ['nfe-cancellation.unknown-id', 'nfe-cancellation.not-by-other-integrator'],
    { endpoints: ['nfe-cancellation'], statuses: refusals },
    accepted(),
  ),
];

const ofLookups: readonly Breach[] = [
  answering(
    'nfe-verification.enveloped',
    ['nfe-verification.bare'],
    { endpoints: ['nfe-verification'], statuses: [200] },
    enveloped,
  ),
  answering(
    'nfe-verification.no-verdict',
    ['nfe-verification.validation-status'],
    { endpoints: ['nfe-verification'], statuses: [200] },
    withMember('validation.validationStatus', gone),
    ['verdict-event'],
  ),
  answering(
    'nfe-verification.other-word',
    ['nfe-verification.validation-status'],
    { endpoints: ['nfe-verification'], statuses: [200] },
    withMember('validation.validationStatus', () => 'OK'),
    ['verdict-event'],
  ),
  answering(
    'nfe-verification.all-taken',
    ['nfe-verification'],
    { endpoints: ['nfe-verification'], statuses: [400] },
    accepted({ chaveAcesso: '', validation: { validationStatus: 'VALIDATED' } }),
  ),
  answering(
    'nfe-verification.large-refused',
    ['nfe-verification.one-megabyte'],
    { endpoints: ['nfe-verification'], statuses: [200], above: 500_000 },
    () => ({ status: 400, body: { code: 'TOO-LARGE', message: 'too large' } }),
  ),
  answering(
    'nfe-verification.refusal-as-array',
    ['nfe-verification'],
    { endpoints: ['nfe-verification'], statuses: [400] },
    withBody((body) => [body]),
  ),
  answering(
    'chave-lookup.enveloped',
    ['chave-lookup.bare'],
    { endpoints: ['chave-lookup'], statuses: [200] },
    enveloped,
  ),
  answering(
    'chave-lookup.unknown-found',
    ['chave-lookup.unknown', 'chave-lookup.malformed', 'chave-lookup.unknown-code'],
    { endpoints: ['chave-lookup'], statuses: refusals, where: ({ latest }) => latest !== undefined },
    ({ latest }) => latest,
  ),
  answering(
    'cnpj-lookup.enveloped',
    ['cnpj-lookup.bare-object'],
    { endpoints: ['cnpj-lookup'], statuses: [200] },
    enveloped,
  ),
  answering(
    'cnpj-lookup.unknown-found',
    ['cnpj-lookup.unknown', 'cnpj-lookup.malformed'],
    { endpoints: ['cnpj-lookup'], statuses: refusals },
    accepted({}),
  ),
  answering(
    'cpf-lookup.refusal-without-code',
    ['cpf-lookup.unknown', 'cpf-lookup.malformed'],
    { endpoints: ['cpf-lookup'], statuses: refusals },
    withMember('code', gone),
  ),
];

/** What comes of leaving out stages, where that is a refusal of this status. */
function skippingTo(status: number, ...stages: readonly string[]): AnswerChange {
  return async ({ without }) => {
    const other = await without(...stages);
    return other?.status === status ? other : undefined;
  };
}

/** Wrong answers. */
export const answerBreaches: readonly Breach[] = [
  ...ofAuthentication,
  ...ofAuthorisation,
  ...ofRetirement,
  ...ofEnvelopes,
  ...ofEcho,
  ...ofRegistrations,
  ...ofInvoices,
  ...ofLookups,
];
