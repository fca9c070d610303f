import { fiscalStates } from '../contract/states.ts';
import { chaveIn } from '../generators/xml-documents.ts';
import { descriptionFields } from '../schemas/description-fields.ts';
import { fieldsOf, presenceOf } from '../schemas/parts.ts';
import { validator } from '../schemas/validate.ts';
import { verdict, verdictEvent } from '../schemas/verdict.ts';
import type { Arrival } from '../client/receiver-arrival.ts';
import { NotExercised } from '../targets/not-exercised.ts';
import type { Caller, ClockedCaller } from '../targets/target.ts';
import { bodyOfArrival, callbacksOf, headerOfArrival, missing, noteWhetherCame, until } from './kit/callbacks.ts';
import { check } from './kit/check.ts';
import { answerText, isSuccess, withEmpresa } from './kit/life-cycle.ts';
import { member, memberNames } from './kit/reply.ts';
import type { Trial } from './kit/trial.ts';
import { eventsOfVerification, noEvent, settledEvent, someEvents, verdictsOf, verifierOf } from './kit/verdicts.ts';
import { documentOf, ownDocument, verifyDocument } from './kit/verification.ts';

check('verdict-event.sent-when-settled', 'a verification that settles sends an event', async (t) => {
  const caller = await verifierOf(t);
  const [event] = await eventsOfVerification(t, caller, await verdictsOf(t, caller));
  if (!event) throw missing(t, 'an event of the verification');
  t.holds(event !== undefined, { expected: 'an event', actual: 'none' });
});

check('verdict-event.envelope', 'the body of an event has the five fields of the envelope', async (t) => {
  const body = bodyOfArrival(await settledEvent(t));
  const names = ['version', 'event_id', 'event_type', 'occurred_at', 'data'];
  const data = member(body, 'data');
  const isWhole = names.every((name) => member(body, name) !== undefined);
  t.holds(isWhole && typeof data === 'object' && data !== null && !Array.isArray(data), {
    expected: `${names.join(', ')}; data an object`,
    actual: `the members ${memberNames(body)}`,
  });
});

const faultsOfVersion = validator(fieldsOf(verdictEvent, 'version'));

check('verdict-event.version', '`version` is the string 1.0', async (t) => {
  const faults = faultsOfVersion(bodyOfArrival(await settledEvent(t)));
  t.holds(faults.length === 0, { expected: '"1.0"', actual: faults.join('; ') });
});

check('verdict-event.event-id', '`event_id` is the event id of the header', async (t) => {
  const event = await settledEvent(t);
  const eventId = member(bodyOfArrival(event), 'event_id');
  const header = headerOfArrival(t, event, 'Event-Id');
  t.holds(typeof eventId === 'string' && eventId === header, {
    expected: `the event id of the header, ${header}`,
    actual: JSON.stringify(eventId) ?? 'nothing',
  });
});

check('verdict-event.event-type', '`event_type` is invoice.verify.completed, as in the header', async (t) => {
  const event = await settledEvent(t);
  const found = [member(bodyOfArrival(event), 'event_type'), headerOfArrival(t, event, 'Event')];
  t.holds(
    found.every((type) => type === 'invoice.verify.completed'),
    { expected: 'invoice.verify.completed in both', actual: found.map((type) => JSON.stringify(type)).join(' and ') },
  );
});

const faultsOfTime = validator(fieldsOf(verdictEvent, 'occurred_at'));

check('verdict-event.occurred-at', '`occurred_at` is a UTC time', async (t) => {
  const faults = faultsOfTime(bodyOfArrival(await settledEvent(t)));
  t.holds(faults.length === 0, { expected: 'ISO 8601, UTC', actual: faults.join('; ') });
});

check('verdict-event.not-on-issuance-channel', 'a verdict does not come to the address of the callbacks', async (t) => {
  const caller = await verifierOf(t);
  const callbacks = await callbacksOf(t, caller);
  await someEvents(t, caller, await verdictsOf(t, caller));
  const strays = callbacks.inbox.arrivals().filter((arrival) => isVerdict(t, arrival));
  t.received(...strays);
  t.holds(strays.length === 0, { expected: 'no verdict there', actual: `${strays.length}` });
});

function isVerdict(t: Trial, arrival: Arrival): boolean {
  const body = bodyOfArrival(arrival);
  const names = ['validationStatus', 'event_type'];
  const hasNames = names.some((name) => (member(body, name) ?? member(member(body, 'data'), name)) !== undefined);
  return hasNames || headerOfArrival(t, arrival, 'Event') === 'invoice.verify.completed';
}

/** The verdict in the event of the profile's valid document. */
async function verdictOf(t: Trial): Promise<unknown> {
  return member(bodyOfArrival(await settledEvent(t)), 'data');
}

const faultsOfFields = validator(presenceOf(verdict));

check('verdict-event.fields', 'the verdict has every field that is always there', async (t) => {
  const faults = faultsOfFields(await verdictOf(t));
  t.holds(faults.length === 0, { expected: verdict.required.join(', '), actual: faults.join('; ') });
});

/** The clauses on single fields of a verdict. */
const fieldRules = [
  ['verdict-event.validation-status', 'validationStatus', '`validationStatus` is one of the three states'],
  ['verdict-event.status', 'status', '`status` is one of the six fiscal states'],
  ['verdict-event.c-stat', 'cStat', '`cStat` is a string or null'],
  ['verdict-event.x-motivo', 'xMotivo', '`xMotivo` is a string or null'],
  ['verdict-event.protocolo', 'protocolo', '`protocolo` is null or has `numero` and `digestValue`'],
  ['verdict-event.data-autorizacao', 'dataAutorizacao', '`dataAutorizacao` is null or a UTC time'],
  ['verdict-event.eventos', 'eventos', '`eventos` is an array'],
  ['verdict-event.verified-at', 'verifiedAt', '`verifiedAt` is a UTC time'],
] as const;

for (const [clause, field, title] of fieldRules) {
  const faultsOf = validator(fieldsOf(verdict, field));
  check(clause, title, async (t) => {
    const faults = faultsOf(await verdictOf(t));
    t.holds(faults.length === 0, { expected: title, actual: faults.join('; ') });
  });
}

check('verdict-event.chave-acesso', '`chaveAcesso` is the chave of the document', async (t) => {
  const chave = chaveIn(documentOf(t, 'verificacao.autorizada.xml'));
  const found = member(await verdictOf(t), 'chaveAcesso');
  t.holds(found === chave, { expected: chave ?? 'a chave', actual: JSON.stringify(found) ?? 'nothing' });
});

check('verdict-event.no-reason-when-validated', 'a VALIDATED verdict has no `reason`', async (t) => {
  const found = await verdictOf(t);
  if (member(found, 'validationStatus') !== 'VALIDATED') throw new NotExercised('the document was not VALIDATED');
  const reason = member(found, 'reason');
  t.holds(reason === undefined, { expected: 'no reason', actual: JSON.stringify(reason) ?? '' });
});

/** The verdicts that an application gets on a document. */
async function verdictsOn(t: Trial, caller: Caller | ClockedCaller, document: string): Promise<unknown> {
  const verdicts = await verdictsOf(t, caller);
  const exchange = await verifyDocument(t, caller, document);
  if (!isSuccess(exchange)) throw new NotExercised(`the document was refused: ${answerText(exchange)}`);
  if ('advance' in caller) await caller.advance(0);
  else await until(t, 'verdict', () => verdicts.events().length > 0);
  await noteWhetherCame(t, caller, 'verdict-event.sent-when-settled', () => verdicts.events().length > 0);
  t.received(...verdicts.events());
  const event = verdicts.events().at(-1);
  if (!event) throw noEvent(t);
  return member(bodyOfArrival(event), 'data');
}

/** Fails unless a verdict says why it is what it is. */
function hasReason(t: Trial, found: unknown, state: string): void {
  const status = member(found, 'validationStatus');
  if (status !== state) throw new NotExercised(`the verdict is ${JSON.stringify(status)} rather than ${state}`);
  const reason = member(found, 'reason');
  t.holds(typeof reason === 'string' && reason.trim() !== '', {
    expected: 'a text that explains the verdict',
    actual: JSON.stringify(reason) ?? 'no reason',
  });
}

check('verdict-event.reason-when-rejected', 'a REJECTED verdict says why', async (t) => {
  const found = await verdictsOn(t, await verifierOf(t), documentOf(t, 'verificacao.rejeitada.xml'));
  hasReason(t, found, 'REJECTED');
});

/** The verdict while the tax authority is out of reach. */
async function unreachable(t: Trial): Promise<unknown> {
  const caller = await t.target.clockedCaller();
  await t.target.steer(caller, { reachable: false });
  return verdictsOn(t, caller, documentOf(t, 'verificacao.autorizada.xml'));
}

check('verdict-event.reason-when-unreachable', 'a VALIDATION_ERROR verdict says why', async (t) => {
  hasReason(t, await unreachable(t), 'VALIDATION_ERROR');
});

check('verdict-event.nulls-when-unreachable', '`cStat` is null when the authority was not reached', async (t) => {
  const cStat = member(await unreachable(t), 'cStat');
  // Whether a field without a value is null or absent the contract leaves open.
  t.holds((cStat ?? null) === null, { expected: 'null', actual: JSON.stringify(cStat) ?? 'nothing' });
});

/** What the tax authority returns here: without accents, with more than one space and a number in brackets, as they do. */
const returned = { cStat: '101', xMotivo: 'Cancelamento de NF-e homologado  [nProt: 135 - sem acentuacao]' };

check('verdict-event.return-verbatim', '`cStat` and `xMotivo` are what the authority returned', async (t) => {
  const caller = await t.target.clockedCaller();
  const { document, chave } = await ownDocument(t, await withEmpresa(t, caller));
  await t.target.putInvoice(chave, { status: 'Cancelada', ...returned });
  const found = await verdictsOn(t, caller, document);
  const told = { cStat: member(found, 'cStat'), xMotivo: member(found, 'xMotivo') };
  t.holds(told.cStat === returned.cStat && told.xMotivo === returned.xMotivo, {
    expected: JSON.stringify(returned),
    actual: JSON.stringify(told),
  });
});

check('verdict-event.eventos-of-the-authority', '`eventos` has what the authority registered', async (t) => {
  const caller = await t.target.clockedCaller();
  const { document, chave } = await ownDocument(t, await withEmpresa(t, caller));
  const eventos = [{ tpEvento: '110110', descEvento: 'Carta de Correcao', nSeqEvento: 1 }];
  await t.target.putInvoice(chave, { status: 'Autorizada', eventos });
  const found = member(await verdictsOn(t, caller, document), 'eventos');
  t.holds(Array.isArray(found) && found.length === eventos.length, {
    expected: '1 event',
    actual: JSON.stringify(found) ?? 'nothing',
  });
});

check('verdict-event.no-description-fields', 'no field of an event ends in Description', async (t) => {
  const pointers = descriptionFields(bodyOfArrival(await settledEvent(t)));
  t.holds(pointers.length === 0, { expected: 'no such field', actual: pointers.join(', ') });
});

check(
  'verdict-event.status',
  '`status` is the fiscal state that the authority has on record',
  async (t) => {
    const caller = await t.target.clockedCaller();
    const { document, chave } = await ownDocument(t, await withEmpresa(t, caller));
    await t.each(fiscalStates, async (status) => {
      await t.target.putInvoice(chave, { status });
      const found = member(await verdictsOn(t, caller, document), 'status');
      t.holds(found === status, { expected: status, actual: JSON.stringify(found) ?? 'nothing' });
    });
  },
  { needs: ['movable-clock', 'empresa', 'authorised-issuance'] },
);
