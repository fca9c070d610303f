import { member } from '../../schemas/values.ts';
import type { EndpointName } from '../../contract/endpoints.ts';
import type { Breach, WireAnswer } from './breach.ts';
import {
  accepted,
  answering,
  spoilingAnswers,
  enveloped,
  withBody,
  withMember,
  withMembers,
  withStatus,
  always,
} from './changes.ts';

const gone = always(undefined);
const refusals = [400, 404];
const isOfState =
  (status: string) =>
  ({ reply }: WireAnswer): boolean =>
    member(reply.body, 'status') === status;
const isShownAs = (status: string) => (answer: WireAnswer) =>
  isOfState(status)(answer) && member(answer.before?.body, 'status') === status;

/** What goes wrong with answers of status 200 of an endpoint, and with its refusals. */
const served = (name: EndpointName) => spoilingAnswers(name, { endpoints: [name], statuses: [200] });
const refused = (name: EndpointName) => spoilingAnswers(name, { endpoints: [name], statuses: refusals });

const echo = served('echo');
const empresaRegistration = served('empresa-registration');
const nfeIssuance = served('nfe-issuance');
const nfeIssuanceRefused = refused('nfe-issuance');
const nfeQuery = served('nfe-query');
const nfeQueryAuthorised = spoilingAnswers('nfe-query', { endpoints: ['nfe-query'], where: isOfState('Autorizada') });
const nfeCancellation = served('nfe-cancellation');
const nfeVerification = served('nfe-verification');
const nfeVerificationRefused = refused('nfe-verification');

const ofEcho: readonly Breach[] = [
  echo(
    'message-cut',
    ['echo.message-returned'],
    withMember('data.echo', (was) => String(was).slice(0, -1)),
    'signature',
  ),
  echo(
    'no-fraction',
    ['echo.server-time-format'],
    withMember('data.serverTime', (was) => String(was).replace(/\.\d+/, '')),
    'signature',
  ),
  echo('of-another', ['echo.app-key', 'echo.identity-fields'], withMember('data.appKey', always('somebody-else'))),
  echo(
    'not-found',
    ['echo.status'],
    () => ({ status: 404, body: { code: 10015004, message: 'Not found' } }),
    'signature',
  ),
  echo(
    'bare',
    ['echo', 'envelope.data-on-success'],
    withBody((body) => member(body, 'data')),
  ),
];

const ofRegistrations: readonly Breach[] = [
  empresaRegistration('enveloped', ['empresa-registration.bare'], enveloped, 'nfe-query'),
  empresaRegistration(
    'id-in-array',
    ['empresa-registration.empresa-id'],
    withMember('empresaId', (was) => [was]),
    'nfe-query',
  ),
  served('certificado-association')('enveloped', ['certificado-association.bare'], enveloped, 'nfe-query'),
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
  nfeIssuance('with-content', ['nfe-issuance.no-content'], withBody(always({})), 'nfe-query'),
  nfeIssuance('fails', ['errors.own-statuses'], () => ({ status: 500, body: { error: 'erro interno' } }), 'nfe-query'),
  nfeIssuance('status-202', ['nfe-issuance.status-200'], withStatus(202), 'nfe-query'),
  nfeIssuanceRefused('all-taken', ['nfe-issuance'], accepted()),
  nfeIssuanceRefused(
    'error-without-array',
    ['nfe-issuance'],
    withBody((faults) => (Array.isArray(faults) ? faults[0] : faults)),
  ),
  nfeIssuanceRefused('refused-with-success', ['errors.own-statuses'], withStatus(200)),
  nfeIssuanceRefused('refused-without-a-word', ['nfe-issuance'], () => ({ status: 404 })),
  nfeQuery('enveloped', ['nfe-query.bare-object'], enveloped, 'nfe-cancellation'),
  nfeQuery('turned-down', ['nfe-query.found-by-id'], () => ({ status: 400 }), 'nfe-cancellation'),
  nfeQuery(
    'unknown-status',
    ['nfe-query.status-known'],
    withMember('status', always('Processando')),
    'nfe-cancellation',
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
  nfeQueryAuthorised(
    'no-danfe',
    ['nfe-query.danfe-link-when-authorised', 'nfe-query.danfe-link-alive'],
    withMember('linkDanfe', gone),
  ),
  nfeQueryAuthorised(
    'xml-link-relative',
    ['nfe-query.xml-link', 'nfe-query.xml-link-alive'],
    withMember('linkDownloadXml', (was) => String(was).replace(/^https?:\/\/[^/]+/, '')),
  ),
  nfeQueryAuthorised(
    'xml-link-dead',
    ['nfe-query.xml-link-alive', 'nfe-query.xml-link-serves-its-invoice'],
    withMember('linkDownloadXml', (was) => `${String(was)}x`),
  ),
  answering(
    'nfe-query.stale',
    ['nfe-query', 'nfe-cancellation'],
    { endpoints: ['nfe-query'], statuses: refusals, where: ({ latest }) => latest !== undefined },
    ({ latest }) => latest,
  ),
  refused('nfe-query')(
    'error-without-array',
    ['nfe-query.unknown-id'],
    withBody((faults) => (Array.isArray(faults) ? faults[0] : faults)),
  ),
  nfeCancellation('with-content', ['nfe-cancellation.empty-body'], withBody(always({})), 'nfe-query'),
  nfeCancellation('turned-down', ['nfe-cancellation.status-200'], () => ({ status: 400 }), 'nfe-query'),
  nfeCancellation('status-204', ['nfe-cancellation.status-200'], withStatus(204), 'nfe-query'),
  refused('nfe-cancellation')(
    'unknown-taken',
    ['nfe-cancellation.unknown-id', 'nfe-cancellation.not-by-other-integrator'],
    accepted(),
  ),
];

const ofLookups: readonly Breach[] = [
  nfeVerification('enveloped', ['nfe-verification.bare'], enveloped),
  nfeVerification(
    'no-verdict',
    ['nfe-verification.validation-status'],
    withMember('validation.validationStatus', gone),
    'verdict-event',
  ),
  nfeVerification(
    'other-word',
    ['nfe-verification.validation-status'],
    withMember('validation.validationStatus', always('OK')),
    'verdict-event',
  ),
  nfeVerificationRefused(
    'all-taken',
    ['nfe-verification'],
    accepted({ chaveAcesso: '', validation: { validationStatus: 'VALIDATED' } }),
  ),
  answering(
    'nfe-verification.large-refused',
    ['nfe-verification.one-megabyte'],
    { endpoints: ['nfe-verification'], statuses: [200], above: 500_000 },
    () => ({ status: 400, body: { code: 'TOO-LARGE', message: 'too large' } }),
  ),
  nfeVerificationRefused(
    'refusal-as-array',
    ['nfe-verification'],
    withBody((body) => [body]),
  ),
  served('chave-lookup')('enveloped', ['chave-lookup.bare'], enveloped),
  answering(
    'chave-lookup.unknown-found',
    ['chave-lookup.unknown', 'chave-lookup.malformed', 'chave-lookup.unknown-code'],
    { endpoints: ['chave-lookup'], statuses: refusals, where: ({ latest }) => latest !== undefined },
    ({ latest }) => latest,
  ),
  served('cnpj-lookup')('enveloped', ['cnpj-lookup.bare-object'], enveloped),
  refused('cnpj-lookup')('unknown-found', ['cnpj-lookup.unknown', 'cnpj-lookup.malformed'], accepted({})),
  refused('cpf-lookup')(
    'refusal-without-code',
    ['cpf-lookup.unknown', 'cpf-lookup.malformed'],
    withMember('code', gone),
  ),
];

/** Wrong answers of single endpoints. */
export const endpointBreaches: readonly Breach[] = [...ofEcho, ...ofRegistrations, ...ofInvoices, ...ofLookups];
