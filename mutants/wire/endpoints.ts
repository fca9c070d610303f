import { member } from '../../schemas/values.ts';
import type { Breach, WireAnswer } from './breach.ts';
import { answering, accepted, enveloped, withBody, withMember, withMembers, withStatus } from './changes.ts';

const gone = (): undefined => undefined;
const refusals = [400, 404];
const isOfState =
  (status: string) =>
  ({ reply }: WireAnswer): boolean =>
    member(reply.body, 'status') === status;
const isShownAs = (status: string) => (answer: WireAnswer) =>
  isOfState(status)(answer) && member(answer.before?.body, 'status') === status;

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

/** Wrong answers of single endpoints. */
export const endpointBreaches: readonly Breach[] = [...ofEcho, ...ofRegistrations, ...ofInvoices, ...ofLookups];
