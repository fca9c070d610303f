import { languages } from '../contract/languages.ts';
import { fiscalStates } from '../contract/states.ts';
import { chaveIn } from '../generators/xml-documents.ts';
import { NotExercised } from '../targets/not-exercised.ts';
import { bodyOfArrival, callbacksOf, missing } from './kit/callbacks.ts';
import { check } from './kit/check.ts';
import { withEmpresa } from './kit/life-cycle.ts';
import { member } from './kit/reply.ts';
import type { Trial } from './kit/trial.ts';
import {
  eventsOfVerification,
  settledEvent,
  someEvents,
  verdictsAroundCancellation,
  verdictsOf,
  verdictsOn,
  verifierOf,
} from './kit/verdicts.ts';
import { documentOf, ownDocument, type Headers } from './kit/verification.ts';

check('verdict-event.sent-when-settled', 'a verification that settles sends an event', async (t) => {
  const caller = await verifierOf(t);
  const [event] = await eventsOfVerification(t, caller, await verdictsOf(t, caller));
  if (!event) throw missing(t, 'an event of the verification');
  t.holds(event !== undefined, { expected: 'an event', actual: 'none' });
});

/** What is judged of the event of the profile's valid document. */
const gathered = [
  ['verdict-event.envelope', 'the body of an event has the five fields of the envelope'],
  ['verdict-event.version', '`version` is the string 1.0'],
  ['verdict-event.event-id', '`event_id` is the event id of the header'],
  ['verdict-event.event-type', '`event_type` is invoice.verify.completed, as in the header'],
  ['verdict-event.occurred-at', '`occurred_at` is a UTC time'],
  ['verdict-event.fields', 'the verdict has every field that is always there'],
  ['verdict-event.validation-status', '`validationStatus` is one of the three states'],
  ['verdict-event.status', '`status` is one of the six fiscal states'],
  ['verdict-event.c-stat', '`cStat` is a string or null'],
  ['verdict-event.x-motivo', '`xMotivo` is a string or null'],
  ['verdict-event.protocolo', '`protocolo` is null or has `numero` and `digestValue`'],
  ['verdict-event.data-autorizacao', '`dataAutorizacao` is null or a UTC time'],
  ['verdict-event.eventos', '`eventos` is an array'],
  ['verdict-event.verified-at', '`verifiedAt` is a UTC time'],
  ['verdict-event.no-reason-when-validated', 'a VALIDATED verdict has no `reason`'],
  ['verdict-event.no-description-fields', 'no field of an event ends in Description'],
] as const;

for (const [clause, title] of gathered) {
  check(clause, title, async (t) => void (await settledEvent(t)));
}

check('verdict-event.not-on-issuance-channel', 'a verdict does not come to the address of the callbacks', async (t) => {
  const caller = await verifierOf(t);
  const callbacks = await callbacksOf(t, caller);
  await someEvents(t, caller, await verdictsOf(t, caller));
  t.received(...callbacks.inbox.arrivals());
});

check('verdict-event.chave-acesso', '`chaveAcesso` is the chave of the document', async (t) => {
  const chave = chaveIn(documentOf(t, 'verificacao.autorizada.xml'));
  const found = member(member(bodyOfArrival(await settledEvent(t)), 'data'), 'chaveAcesso');
  t.holds(found === chave, { expected: chave ?? 'a chave', actual: JSON.stringify(found) ?? 'nothing' });
});

check('verdict-event.reason-when-rejected', 'a REJECTED verdict says why', async (t) => {
  await verdictsOn(t, await verifierOf(t), documentOf(t, 'verificacao.rejeitada.xml'));
});

check('verdict-event.reason-stable', 'a document that is rejected twice is so for the same reason', async (t) => {
  const caller = await verifierOf(t);
  const document = documentOf(t, 'verificacao.rejeitada.xml');
  const verdicts = [await verdictsOn(t, caller, document), await verdictsOn(t, caller, document)];
  const [first, second] = verdicts.map((verdict) => JSON.stringify(member(verdict, 'reason'))?.replaceAll(/\d+/g, ''));
  if (verdicts.some((verdict) => member(verdict, 'validationStatus') !== 'REJECTED'))
    throw new NotExercised("the profile's verificacao.rejeitada.xml was not REJECTED twice", 'settings');
  t.holds(first === second, { expected: first ?? 'no reason', actual: second ?? 'no reason' });
});

check('verdict-event.reason-in-english', 'the reason is English, whatever language was asked for', async (t) => {
  const caller = await verifierOf(t);
  await t.each([undefined, ...languages], async (language) => {
    const headers: Headers = language === undefined ? [] : [['Language', language]];
    await verdictsOn(t, caller, documentOf(t, 'verificacao.rejeitada.xml'), headers);
  });
});

/** The verdict while the tax authority is out of reach. */
async function unreachable(t: Trial): Promise<unknown> {
  const caller = await t.target.clockedCaller();
  await t.target.steer(caller, { reachable: false });
  return verdictsOn(t, caller, documentOf(t, 'verificacao.autorizada.xml'));
}

check('verdict-event.reason-when-unreachable', 'a VALIDATION_ERROR verdict says why', async (t) => {
  await unreachable(t);
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

check(
  'verdict-event.eventos-of-the-authority',
  '`eventos` has what the authority registered',
  async (t) => {
    const caller = await t.target.clockedCaller();
    const { document, chave } = await ownDocument(t, await withEmpresa(t, caller));
    const eventos = [{ tpEvento: '110110', descEvento: 'Carta de Correcao', nSeqEvento: 1 }];
    await t.target.putInvoice(chave, { status: 'Autorizada', eventos });
    const found = member(await verdictsOn(t, caller, document), 'eventos');
    t.holds(Array.isArray(found) && found.length === eventos.length, {
      expected: '1 event',
      actual: JSON.stringify(found) ?? 'nothing',
    });
  },
  { needs: ['movable-clock'] },
);

check(
  'verdict-event.eventos-of-the-authority',
  '`eventos` of an own invoice that was cancelled is not empty',
  async (t) => {
    const [before, after] = await verdictsAroundCancellation(t);
    t.presumes(after !== undefined, { expected: 'an event of each verification', actual: 'none', restsOnTime: true });
    const [first, second] = [before, after].map((verdict) => member(verdict, 'eventos'));
    t.holds(Array.isArray(second) && second.length > (Array.isArray(first) ? first.length : 0), {
      expected: 'the cancellation among its events',
      actual: JSON.stringify(second) ?? 'nothing',
    });
  },
);

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
