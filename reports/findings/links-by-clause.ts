import { topicOf } from '../../contract/catalogue.ts';
import { type Break, isAnswer, platformCode } from './breaks.ts';
import { isSame, type Link, sharing } from './link.ts';

/** An id is kept, or looked for, otherwise than it was sent: it is not found, it finds what is another's, or another one is called back. */
const sameIds: Link = (...both) => both.every(isAboutIds);

function isAboutIds({ clause: { id }, expected, actual }: Break): boolean {
  // That a new id is refused beside one that is only like it is a matter of issuance.
  return (
    aboutIds.has(id) || (findsAnother.has(id) && actual.startsWith('200')) || expected.startsWith('accepted beside')
  );
}

const aboutIds: ReadonlySet<string> = new Set([
  'nfe-issuance.id-unique-in-company',
  'nfe-issuance.id-free-in-other-company',
  'nfe-query.found-by-id',
  'nfe-cancellation.found-by-id',
  'issuance-callback.nfe-id',
]);

const findsAnother: ReadonlySet<string> = new Set([
  'nfe-query.unknown-id',
  'nfe-query.not-in-other-company',
  'nfe-query.not-by-other-integrator',
  'nfe-cancellation.unknown-id',
  'nfe-cancellation.not-by-other-integrator',
]);

/** Both show that the clock is ahead of the server time, or both that it is behind. */
const sameClock = sharing(({ clause }) => clockWhere.get(clause.id));

const clockWhere: ReadonlyMap<string, 'ahead' | 'behind'> = new Map([
  ['timestamp.past-accepted', 'ahead'],
  ['timestamp.future-refused', 'ahead'],
  ['timestamp.future-accepted', 'behind'],
  ['timestamp.past-refused', 'behind'],
]);

/** What announces a DTD in a document is taken for something else, or something else for that. */
const sameDoctype: Link = (...both) => both.every(({ clause }) => clause.id.startsWith('nfe-verification.dtd-'));

/** A standard endpoint answers as if it were retired, whatever it is asked. */
const sameGone: Link = (one, other) => isGoneFor(one, other) || isGoneFor(other, one);

/** Whether the one shows that an endpoint takes itself for retired, and the other got its 410 where something else was due. */
export function isGoneFor({ clause: { id } }: Break, { expected, actual }: Break): boolean {
  return id === 'retirement.standard-endpoints-live' && /^410\b/.test(actual) && !expected.startsWith('410');
}

/** Who may not call, for whatever reason, comes as far as the endpoint. */
const sameStanding: Link = (...both) =>
  both.every(({ clause, expected, actual }) => {
    const isRefusal = topicOf(clause.id) === 'application' && expected.startsWith('403');
    return isRefusal && isAnswer(actual) && !platformCode.test(actual);
  });

/** What reads bodies stops at what is no JSON, whoever sent it and wherever it goes. */
const sameReader: Link = (one, other) => isSame(one, other, 'content') && isSame(one, other, 'status');

/** Whether the one shows that bodies are read before the gateway, and the other what that comes to elsewhere. */
export function isReadFirst(one: Break, other: Break): boolean {
  return one.clause.id === 'precedence.gateway-before-endpoint' && sameReader(one, other);
}

/** Two codes of the platform are exchanged. */
const sameExchange: Link = (one, other) => {
  const [[due, came], [otherDue, otherCame]] = [codesOf(one), codesOf(other)];
  return due !== undefined && came !== undefined && due !== came && due === otherCame && came === otherDue;
};

/** The code of the platform that was due, and the one that came in its place. */
function codesOf({ expected, actual }: Break): readonly (string | undefined)[] {
  return [expected, actual].map((text) => platformCode.exec(text)?.[1]);
}

/** Refusals have no platform envelope, whatever their status. */
const sameEnvelope: Link = (...both) => both.every(lacksEnvelope);

/** Whether refusals have no envelope at all: of one that is wrong it is told where. */
function lacksEnvelope({ clause: { id, alsoHeld }, actual }: Break): boolean {
  return envelopes.has(id) && !alsoHeld && (!actual.startsWith('/') || actual.includes('/code is missing'));
}

/** Whether the one shows that no refusal of a status has an envelope, or none at an endpoint, and the other found no code in one. */
export function isForWantOfEnvelope(envelope: Break, other: Break): boolean {
  const status = envelopes.get(envelope.clause.id);
  const { expected, actual } = other;
  const isCodeless = actual.startsWith(`${status}, no code`) || actual.startsWith(`${status}, an empty body`);
  const isOfAll = !envelope.clause.alsoHeld || isSame(envelope, other, 'endpoint');
  return isOfAll && isCodeless && expected.startsWith(`${status}, code `);
}

/** The clauses of the envelopes of refusals, each with their status. */
const envelopes: ReadonlyMap<string, number> = new Map([
  ['envelope.on-every-401', 401],
  ['errors.envelope-of-403', 403],
  ['errors.envelope-of-410', 410],
  ['errors.envelope-of-429', 429],
]);

/** Another invoice is told of in place of the one that was asked for: its state, and what stands behind its links. */
const sameOtherInvoice: Link = (...both) =>
  both.some(({ clause: { id } }) => id === 'nfe-query.follows-the-life-cycle') && both.some(isBehindLinkOfAnother);

/** Whether what stands behind a link is that of another invoice: of a document that is wrong in itself it is told how. */
function isBehindLinkOfAnother({ clause: { id }, actual }: Break): boolean {
  return topicOf(id) === 'nfe-query' && ofAnotherInvoice.some((text) => actual.startsWith(text));
}

const ofAnotherInvoice = [
  'the same bytes for both',
  'the chave that stands behind the link of another invoice',
] as const;

/** A link to a DANFE stands where none is due, whatever the status of the invoice. */
const sameUndueDanfe: Link = (...both) => both.every(({ clause }) => clause.id.startsWith('nfe-query.no-danfe-link-'));

/** An id that is taken is issued under again, and its invoice is another from then on. */
const sameOverwritten: Link = (one, other) => isOverwritten(one, other) || isOverwritten(other, one);

/** Whether the one shows that a taken id is accepted again, and the other that an invoice changed that was to stay. */
export function isOverwritten({ clause: { id }, actual }: Break, other: Break): boolean {
  const isTakenAgain = id === 'nfe-issuance.id-unique-in-company' && actual.startsWith('200');
  return isTakenAgain && other.clause.id === 'nfe-query.follows-the-life-cycle';
}

/** Whether the one shows that a state is told that is not the invoice's, and the other that no link is as due in that state. */
export function isOfUntrueState({ clause: { id } }: Break, other: Break): boolean {
  return id === 'nfe-query.follows-the-life-cycle' && /^nfe-query\.(?:no-)?danfe-link-when-/.test(other.clause.id);
}

/** Why a document was rejected is told in the language of whoever asks. */
const sameReason: Link = (...both) => both.every(({ clause }) => ofReasonTexts.has(clause.id));

const ofReasonTexts: ReadonlySet<string> = new Set(['verdict-event.reason-stable', 'verdict-event.reason-in-english']);

/** The rate limit is looked at before what the gateway refuses for another reason, whichever that is. */
const sameLimit: Link = (...both) =>
  both.every(({ expected, actual }) => actual.startsWith('429') && platformCode.test(expected));

/** What makes two clauses one cause by what they are about. */
export const linksByClause: readonly Link[] = [
  sameIds,
  sameClock,
  sameDoctype,
  sameGone,
  sameStanding,
  sameReader,
  sameExchange,
  sameEnvelope,
  sameOtherInvoice,
  sameUndueDanfe,
  sameOverwritten,
  sameReason,
  sameLimit,
];
