import { briefly } from './kit/reply.ts';
import { chaveIn, languages, fiscalStates } from '../contract/values.ts';
import { member } from '../schemas/values.ts';
import { allFields, fieldsOfVerdict, lostFields } from '../schemas/verdict.ts';
import { differences, fieldsOfRecord, onRecord, recordClauses } from '../judge/authority.ts';
import { NotExercised } from '../targets/not-exercised.ts';
import { beyondRetriesSeconds, refusing, twoMinutes } from './kit/attempts.ts';
import { bodyOfArrival, callbacksOf, ownCallbacks, until } from './kit/callbacks.ts';
import { check, property } from './kit/check.ts';
import { isSuccess, issueSettled, withEmpresa } from './kit/life-cycle.ts';
import { gatheredOnce } from './kit/gathered-once.ts';
import type { Trial } from './kit/trial.ts';
import {
  eventsOfVerification,
  newEvent,
  noEvent,
  ownVerdicts,
  settledEvent,
  someEvents,
  verdictsAnHourApart,
  verdictsAroundCancellation,
  verdictsOf,
  verdictsOn,
  verifierOf,
  verify,
  whereGiven,
} from './kit/verdicts.ts';
import { records, tellRecords } from './kit/driven-callbacks.ts';
import { missing } from './kit/missing.ts';
import { documentOf, ownDocument, verifyDocument, type Headers } from './kit/verification.ts';
import { clockStarts } from '../targets/applications.ts';

check('verdict-event.sent-when-settled', 'a verification that settles sends an event', async (t) => {
  const caller = await verifierOf(t);
  const [event] = await eventsOfVerification(t, caller, await verdictsOf(t, caller));
  if (!event) throw missing(t, 'an event of the verification');
  t.holds(event !== undefined, { expected: 'an event', actual: 'none' });
});

check(
  'verdict-event.sent-when-settled',
  'a verification of a document that is not valid sends an event',
  async (t) => {
    await verdictsOn(t, await verifierOf(t), documentOf(t, 'verificacao.rejeitada.xml'));
  },
  { needs: ['rejected-document'] },
);

check(
  'verdict-event.sent-when-settled',
  'a verification that the authority does not answer sends an event',
  async (t) => {
    await unreachable(t);
  },
  { needs: ['movable-clock'] },
);

check(
  'verdict-event.sent-when-settled',
  'after a rotation a verification that settles sends its event to the address of before',
  async (t) => {
    const before = await t.target.clockedCaller();
    const verdicts = await ownVerdicts(t, before);
    const caller = { ...before, ...(await t.target.rotate(before)) };
    const [event] = await eventsOfVerification(t, caller, verdicts);
    if (!event) throw missing(t, 'an event of the verification after the rotation');
    t.holds(event !== undefined, { expected: 'an event', actual: 'none' });
  },
  { needs: ['rotation', 'movable-clock'] },
);

check(
  'verdict-event.sent-when-settled',
  'a verification that settles sends its event while another one is still refused, and after several are dead',
  async (t) => {
    const caller = await t.target.clockedCaller();
    const verdicts = await ownVerdicts(t, caller, () => ({ status: 500 }));
    await someEvents(t, caller, verdicts);
    for (const seconds of [0, beyondRetriesSeconds, beyondRetriesSeconds]) {
      await caller.advance(seconds);
      const before = verdicts.events().length;
      await verify(t, caller);
      await caller.advance(0);
      t.received(...verdicts.events());
      t.holds(newEvent(t, verdicts, before) !== undefined, { expected: 'an event', actual: 'none', restsOnTime: true });
    }
  },
  { needs: ['movable-clock'] },
);

check(
  'verdict-event.sent-when-settled',
  'a verification that settles sends its event to no other application',
  async (t) => {
    const [own, other] = [await t.target.clockedCaller(), await t.target.clockedCaller()];
    const [verdicts, others] = [await ownVerdicts(t, own), await ownVerdicts(t, other)];
    await someEvents(t, own, verdicts);
    await other.advance(0);
    const strayed = others.events().length;
    t.holds(strayed === 0, { expected: 'nothing at the address of another application', actual: `${strayed} came` });
  },
  { needs: ['movable-clock'] },
);

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
  ['verdict-event.null-not-left-out', 'what has no value is null, and not left out'],
  ['verdict-event.eventos', '`eventos` is an array'],
  ['verdict-event.verified-at', '`verifiedAt` is a UTC time'],
  ['verdict-event.no-reason-when-validated', 'a VALIDATED verdict has no `reason`'],
  ['verdict-event.no-description-fields', 'no field of an event ends in Description'],
] as const;

for (const [clause, title] of gathered) {
  check(clause, title, async (t) => {
    await settledEvent(t);
    await otherVerdicts(t);
  });
}

check(
  'verdict-event.verified-at',
  '`verifiedAt` of a document that is verified an hour later is of that hour',
  verdictsAnHourApart,
  { needs: ['movable-clock'] },
);

check(
  'verdict-event.occurred-at',
  'times of an event are right on a leap day, in the last and the first hour of a year, and after noon',
  async (t) => {
    await t.each(clockStarts, async (clock) => {
      const caller = await t.target.clockedCaller({ clock });
      await someEvents(t, caller, await ownVerdicts(t, caller));
    });
  },
  { needs: ['movable-clock'] },
);

/** Gathers events of the other two kinds of verdict, where an application can be had for them. */
const otherVerdicts = gatheredOnce('other verdicts', async (t) => {
  if (!t.target.address.control) return;
  const caller = await t.target.clockedCaller();
  if (t.target.missing('rejected-document') === undefined) {
    await verdictsOn(t, caller, documentOf(t, 'verificacao.rejeitada.xml'));
  }
  await whereGiven(withoutAuthority(t));
});

check(
  'verdict-event.no-reason-when-validated',
  'a VALIDATED verdict has no `reason`, though one before was REJECTED',
  async (t) => {
    const caller = await t.target.clockedCaller();
    for (const file of ['verificacao.rejeitada.xml', 'verificacao.autorizada.xml'] as const)
      await verdictsOn(t, caller, documentOf(t, file));
  },
  { needs: ['movable-clock', 'rejected-document'] },
);

check('verdict-event.not-on-issuance-channel', 'a verdict does not come to the address of the callbacks', async (t) => {
  const caller = await verifierOf(t);
  const callbacks = await callbacksOf(t, caller);
  await someEvents(t, caller, await verdictsOf(t, caller));
  t.received(...callbacks.inbox.arrivals());
});

check(
  'verdict-event.event-type',
  'no callback comes to an address for verdicts',
  async (t) => {
    const caller = await t.target.clockedCaller();
    const verdicts = await ownVerdicts(t, caller, refusing);
    const issuer = await withEmpresa(t, caller);
    await ownCallbacks(t, caller);
    await issueSettled(t, issuer);
    await someEvents(t, caller, verdicts);
    // A retry is of the type of its event.
    await caller.advance(twoMinutes);
    t.received(...verdicts.events());
  },
  { needs: ['movable-clock', 'empresa', 'authorised-issuance'] },
);

check('verdict-event.fields-kept', 'no field of `data` that an earlier event had goes away', async (t) => {
  const { earlierFields = {} } = t.target.address;
  const caller = await verifierOf(t);
  const keeps = async (verdict: () => Promise<unknown>): Promise<void> => {
    const before = fieldsOfVerdict(await verdict());
    const now = fieldsOfVerdict(await verdict());
    t.fields(allFields([before, now]));
    const lost = lostFields(allFields([earlierFields, before]), now);
    t.holds(lost.length === 0, {
      expected: 'every field of before, in this run or an earlier one of this target',
      actual: `without ${lost.join(', ')}`,
    });
  };
  await keeps(() => verdictsOn(t, caller, documentOf(t, 'verificacao.autorizada.xml')));
  if (t.target.missing('rejected-document') === undefined)
    await keeps(() => verdictsOn(t, caller, documentOf(t, 'verificacao.rejeitada.xml')));
  if ('advance' in caller) await whereGiven(keeps(() => withoutAuthority(t)));
});

check('verdict-event.chave-acesso', '`chaveAcesso` is the chave of the document', async (t) => {
  const isTheirs = (document: string, verdict: unknown): void => {
    const [chave, found] = [chaveIn(document), member(verdict, 'chaveAcesso')];
    t.holds(found === chave, { expected: chave ?? 'a chave', actual: JSON.stringify(found) ?? 'nothing' });
  };
  const document = documentOf(t, 'verificacao.autorizada.xml');
  isTheirs(document, member(bodyOfArrival(await settledEvent(t)), 'data'));
  if (!t.target.address.control) return;
  await whereGiven(unreachable(t).then((verdict) => isTheirs(document, verdict)));
  if (t.target.missing('rejected-document') !== undefined) return;
  // Two that wait for the authority at the same time, and for more than an hour.
  const settleSeconds = 3660;
  const caller = await t.target.clockedCaller({ settleSeconds });
  const verdicts = await ownVerdicts(t, caller);
  const waiting = [documentOf(t, 'verificacao.rejeitada.xml'), document];
  for (const each of waiting) {
    const exchange = await verifyDocument(t, caller, each);
    if (!isSuccess(exchange)) throw new NotExercised(`the document was refused: ${briefly(exchange)}`);
  }
  await caller.advance(settleSeconds);
  t.received(...verdicts.events());
  const told = verdicts.events().map((event) => member(member(bodyOfArrival(event), 'data'), 'chaveAcesso'));
  t.awaited('verdict-event.sent-when-settled', told.length >= waiting.length);
  if (told.length < waiting.length) throw noEvent(t);
  await t.each(waiting.map(chaveIn), async (chave) => {
    t.holds(told.includes(chave), { expected: chave ?? 'a chave', actual: JSON.stringify(told) });
  });
});

check('verdict-event.reason-when-rejected', 'a REJECTED verdict says why', async (t) => {
  await verdictsOn(t, await verifierOf(t), documentOf(t, 'verificacao.rejeitada.xml'));
});

check('verdict-event.reason-in-english', 'the reason is English, whatever language was asked for', async (t) => {
  const caller = await verifierOf(t);
  await t.each([undefined, ...languages], async (language) => {
    const headers: Headers = language === undefined ? [] : [['Language', language]];
    await verdictsOn(t, caller, documentOf(t, 'verificacao.rejeitada.xml'), headers);
  });
  if ('advance' in caller) await whereGiven(unreachable(t));
});

/** The verdict while the tax authority is out of reach. */
async function withoutAuthority(t: Trial): Promise<unknown> {
  const caller = await t.target.clockedCaller();
  await t.target.steer(caller, { reachable: false });
  return verdictsOn(t, caller, documentOf(t, 'verificacao.autorizada.xml'));
}

const unreachable = gatheredOnce('verdict without the authority', withoutAuthority);

check('verdict-event.reason-when-unreachable', 'a VALIDATION_ERROR verdict says why', async (t) => {
  await unreachable(t);
});

const secondsToAnotherDay = 90_000;

check('verdict-event.reason-stable', 'the same document gets the same `reason` each time', async (t) => {
  const caller = await verifierOf(t);
  const verdicts = await verdictsOf(t, caller);
  const twice = async (document: string): Promise<void> => {
    for (let times = 0; times < 2; times++) {
      const before = verdicts.events().length;
      const exchange = await verifyDocument(t, caller, document);
      if (!isSuccess(exchange)) throw new NotExercised(`the document was refused: ${briefly(exchange)}`);
      if ('advance' in caller) await caller.advance(0);
      else await until(t, 'verdict', () => verdicts.events().length > before);
      t.received(...verdicts.events());
      // What tells the time tells another one, though it tells it in words.
      if ('advance' in caller) await caller.advance(secondsToAnotherDay);
    }
  };
  await twice(documentOf(t, 'verificacao.rejeitada.xml'));
  if (!('advance' in caller)) return;
  await t.target.steer(caller, { reachable: false });
  await whereGiven(twice(documentOf(t, 'verificacao.autorizada.xml')));
});

check('verdict-event.nulls-when-unreachable', '`cStat` is null when the authority was not reached', async (t) => {
  const cStat = member(await unreachable(t), 'cStat');
  // Whether a field without a value is null or absent the contract leaves open.
  t.holds((cStat ?? null) === null, { expected: 'null', actual: JSON.stringify(cStat) ?? 'nothing' });
});

check(
  'verdict-event.nulls-when-unreachable',
  '`cStat` is null when the authority is not reached that answered for the same document before',
  async (t) => {
    const caller = await t.target.clockedCaller();
    const document = documentOf(t, 'verificacao.autorizada.xml');
    await verdictsOn(t, caller, document);
    await t.target.steer(caller, { reachable: false });
    const cStat = member(await verdictsOn(t, caller, document), 'cStat');
    t.holds((cStat ?? null) === null, { expected: 'null', actual: JSON.stringify(cStat) ?? 'nothing' });
  },
);

const ofRecord = {
  'verdict-event.return-verbatim': '`cStat` and `xMotivo` are what the authority returned, in any text',
  'verdict-event.protocolo': '`protocolo` is that of the official record',
  'verdict-event.data-autorizacao': '`dataAutorizacao` is that of the official record',
  'verdict-event.eventos-of-the-authority': '`eventos` has what the authority registered, and nothing else',
} as const satisfies Record<(typeof recordClauses)[number], string>;

for (const clause of recordClauses) {
  property(
    clause,
    ofRecord[clause],
    records,
    (t, cases) =>
      tellRecords(t, cases, (found, record) => {
        const faults = differences(found, record, fieldsOfRecord[clause]);
        t.holds(faults.length === 0, { expected: onRecord, actual: faults.join('; ') });
      }),
    { needs: ['movable-clock', 'empresa', 'authorised-issuance'], most: 10, mostPolitely: 4 },
  );
}

check(
  'verdict-event.eventos-of-the-authority',
  '`eventos` of an own invoice that was cancelled is not empty',
  async (t) => {
    const [before, after] = await verdictsAroundCancellation(t);
    t.presumes(after !== undefined, { expected: 'an event of each verification', actual: 'none', restsOnTime: true });
    const [first, second] = [before, after].map((verdict) => member(verdict, 'eventos'));
    t.presumes(Array.isArray(second), { expected: 'eventos is an array', actual: JSON.stringify(second) ?? 'nothing' });
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
