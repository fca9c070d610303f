import type { ClauseId } from '../contract/catalogue.ts';
import { nfeOutcomes, type NfeOutcome } from '../contract/values.ts';
import { member } from '../schemas/values.ts';
import { NotExercised } from '../targets/not-exercised.ts';
import {
  bodyOfArrival,
  calledBack,
  calledBackAfterRotation,
  calledBackOnce,
  callbacksFor,
  callbacksOf,
  callbacksOfTwoInvoices,
  neededCallback,
  ownCallbacks,
  promisedCallback,
} from './kit/callbacks.ts';
import { check, property } from './kit/check.ts';
import { gatheredOnce } from './kit/gathered-once.ts';
import { denialWords, driveCallback, driven } from './kit/driven-callbacks.ts';
import {
  cancel,
  isSuccess,
  issue,
  issueSettled,
  issuerOf,
  query,
  queryUntil,
  queryWhenSettled,
  statusOf,
  withEmpresa,
} from './kit/life-cycle.ts';
import { issueLarge } from './kit/issuance-fields.ts';
import { missing } from './kit/missing.ts';
import { settledOnce } from './kit/read-only.ts';
import { summary } from './kit/reply.ts';

/** Seconds; a service that gives up after an hour has given up by then. */
const beyondAnHour = 3660;

for (const [clause, outcome, title] of [
  ['issuance-callback.called-back-when-authorised', 'Autorizada', 'an authorised invoice is called back'],
  ['issuance-callback.called-back-when-denied', 'Negada', 'a denied invoice is called back'],
] as const) {
  check(clause, title, async (t) => {
    const issuer = await issuerOf(t);
    const callbacks = await callbacksOf(t, issuer.caller);
    const { nfeId } = await issue(t, issuer, { outcome });
    const arrival = await promisedCallback(t, issuer, callbacks, { nfeId, outcome });
    if (!arrival) throw missing(t, `a callback of the invoice ${nfeId}`);
    t.holds(arrival !== undefined, { expected: 'a callback', actual: 'none' });
  });
  check(
    clause,
    `${title} though it is large and waited an hour for the tax authority, and settled with one of the other environment`,
    async (t) => {
      const caller = await t.target.clockedCaller();
      const issuer = await withEmpresa(t, caller);
      const callbacks = await ownCallbacks(t, caller);
      await t.target.steer(caller, { reachable: false });
      const nfeId = await issueLarge(t, issuer, outcome);
      await issue(t, issuer, { outcome, ambienteEmissao: 'Producao' });
      await caller.advance(beyondAnHour);
      await t.target.steer(caller, { reachable: true });
      const status = statusOf(await queryWhenSettled(t, issuer, nfeId));
      t.holds(status !== 'AguardandoAutorizacao', {
        expected: 'an outcome, since its time has come',
        actual: `status ${status}`,
      });
      const arrival = await promisedCallback(t, issuer, callbacks, { nfeId, outcome });
      if (!arrival) throw missing(t, `a callback of the invoice ${nfeId}`);
      const bodies = new Set(callbacks.inbox.arrivals().map(({ rawBody }) => rawBody.toString('utf8')));
      if (bodies.size < 2) throw missing(t, 'a callback of each of two invoices that settled at once');
    },
    { needs: ['movable-clock'] },
  );
  check(
    clause,
    `${title} that was asked for while it waited`,
    async (t) => {
      const caller = await t.target.clockedCaller({ settleSeconds: 60 });
      const issuer = await withEmpresa(t, caller);
      const callbacks = await ownCallbacks(t, caller);
      const { nfeId } = await issue(t, issuer, { outcome });
      await query(t, issuer, nfeId);
      await caller.advance(60);
      const arrival = await promisedCallback(t, issuer, callbacks, { nfeId, outcome });
      if (!arrival) throw missing(t, `a callback of the invoice ${nfeId}, which was asked for`);
    },
    { needs: ['movable-clock'] },
  );
  check(
    clause,
    `${title} that a second company of the application has issued`,
    async (t) => {
      const issuer = await issuerOf(t);
      // Before our address is registered: who calls back for one company only calls back for this one.
      await settledOnce(t, issuer);
      const callbacks = await callbacksOf(t, issuer.caller);
      const second = await withEmpresa(t, issuer.caller, 'other');
      const { nfeId } = await issue(t, second, { outcome });
      const arrival = await promisedCallback(t, second, callbacks, { nfeId, outcome });
      if (!arrival) throw missing(t, `a callback of the invoice ${nfeId} of the second company`);
    },
    { needs: ['other-empresa'] },
  );
}

check(
  'issuance-callback.called-back-when-authorised',
  'after a rotation an authorised invoice is called back at the address of before',
  async (t) => {
    const arrival = await calledBackAfterRotation(t);
    if (!arrival) throw missing(t, 'a callback after the rotation');
    t.holds(arrival !== undefined, { expected: 'a callback', actual: 'none' });
  },
  { needs: ['rotation', 'movable-clock'] },
);

/** What is judged of the callback of an invoice that ended so: each is gathered, and the judge says the rest. */
const gathered: readonly (readonly [ClauseId, NfeOutcome, string])[] = [
  ['issuance-callback.bare-object', 'Autorizada', 'the body is a bare JSON object without a platform envelope'],
  ['issuance-callback.texts', 'Autorizada', 'every field is a string when an invoice was authorised'],
  ['issuance-callback.texts', 'Negada', 'every field is a string when an invoice was denied'],
  ['issuance-callback.tipo', 'Autorizada', '`tipo` is `NF-e`'],
  ['issuance-callback.status-authorised', 'Autorizada', '`nfeStatus` of an authorised invoice is `Autorizada`'],
  ['issuance-callback.status-denied', 'Negada', '`nfeStatus` of a denied invoice is `Negada`'],
  ['issuance-callback.motivo-of-denial', 'Negada', '`nfeMotivoStatus` of a denial is a status code and a description'],
  ['issuance-callback.no-motivo-when-authorised', 'Autorizada', '`nfeMotivoStatus` of an authorised invoice is empty'],
  ['issuance-callback.no-danfe-link', 'Autorizada', '`nfeLinkDanfe` is empty, though the invoice was authorised'],
  [
    'issuance-callback.xml-link',
    'Autorizada',
    '`nfeLinkXml` of an authorised invoice is an absolute http or https URL',
  ],
  ['issuance-callback.no-xml-link-when-denied', 'Negada', '`nfeLinkXml` of a denied invoice is empty'],
  [
    'issuance-callback.numero-and-serie',
    'Autorizada',
    '`nfeNumero` and `nfeSerie` of an authorised invoice are filled in',
  ],
  ['issuance-callback.chave', 'Autorizada', '`nfeChaveAcesso` of an authorised invoice is 44 digits'],
  ['issuance-callback.data-emissao', 'Autorizada', '`nfeDataEmissao` of an authorised invoice is a UTC time'],
  ['issuance-callback.data-autorizacao', 'Autorizada', '`nfeDataAutorizacao` of an authorised invoice is filled in'],
  ['issuance-callback.no-data-autorizacao-when-denied', 'Negada', '`nfeDataAutorizacao` of a denied invoice is empty'],
  ['issuance-callback.protocolo', 'Autorizada', '`nfeNumeroProtocolo` of an authorised invoice is filled in'],
  ['issuance-callback.no-protocolo-when-denied', 'Negada', '`nfeNumeroProtocolo` of a denied invoice is empty'],
  ['issuance-callback.fields-of-denial', 'Negada', 'the further fields of a denied invoice are right or empty'],
  ['issuance-callback.all-fields', 'Autorizada', 'all fourteen fields are there when an invoice was authorised'],
  ['issuance-callback.all-fields-when-denied', 'Negada', 'all fourteen fields are there when an invoice was denied'],
  ['issuance-callback.no-digest', 'Autorizada', '`nfeDigestValue` is empty'],
  ['issuance-callback.token', 'Autorizada', 'the `token` header is the registered token, character for character'],
];

for (const [clause, outcome, title] of gathered) {
  const needs = outcome === 'Negada' ? (['denied-issuance'] as const) : [];
  check(clause, title, async (t) => void (await calledBackOnce(t, outcome)), { needs });
}

check(
  'issuance-callback.fields-of-denial',
  'a denial has nothing of the authorised invoice before it',
  async (t) => {
    const issuer = await withEmpresa(t, await t.target.clockedCaller());
    const callbacks = await ownCallbacks(t, issuer.caller);
    for (const outcome of ['Autorizada', 'Negada'] as const) {
      const { nfeId } = await issue(t, issuer, { outcome });
      await neededCallback(t, issuer, callbacks, { nfeId, outcome });
    }
  },
  { needs: ['denied-issuance', 'movable-clock'] },
);

check(
  'issuance-callback.data-emissao',
  '`nfeDataEmissao` of a denied invoice is the time of its issuance, or empty',
  async (t) => void (await calledBackOnce(t, 'Negada')),
  { needs: ['denied-issuance', 'movable-clock'] },
);

check(
  'issuance-callback.bare-object',
  'the body is a bare result object in a retry, too',
  async (t) => {
    const issuer = await withEmpresa(t, await t.target.clockedCaller());
    const callbacks = await ownCallbacks(t, issuer.caller, () => ({ status: 500 }));
    const { nfeId } = await issue(t, issuer);
    await callbacksFor(t, issuer, callbacks, nfeId);
    if ('advance' in issuer.caller) await issuer.caller.advance(120);
    t.received(...callbacks.inbox.arrivals());
  },
  { needs: ['movable-clock'] },
);

check(
  'issuance-callback.called-back-when-authorised',
  'an authorised invoice is called back to no other application',
  async (t) => {
    const [own, other] = [await t.target.clockedCaller(), await t.target.clockedCaller()];
    const issuer = await withEmpresa(t, own);
    const [callbacks, others] = [await ownCallbacks(t, own), await ownCallbacks(t, other)];
    const { nfeId } = await issue(t, issuer);
    await neededCallback(t, issuer, callbacks, { nfeId, outcome: 'Autorizada' });
    await other.advance(0);
    const strayed = others.inbox.arrivals().length;
    t.holds(strayed === 0, { expected: 'nothing at the address of another application', actual: `${strayed} came` });
  },
  { needs: ['movable-clock'] },
);

const deniedBefore = gatheredOnce('callback after a denial', async (t) => {
  const issuer = await issuerOf(t);
  const callbacks = await ownCallbacks(t, issuer.caller);
  for (const outcome of ['Negada', 'Autorizada'] as const) {
    const { nfeId } = await issue(t, issuer, { outcome });
    await neededCallback(t, issuer, callbacks, { nfeId, outcome });
  }
});

for (const [clause, title] of [
  ['issuance-callback.no-motivo-when-authorised', '`nfeMotivoStatus` is empty, though an invoice before was denied'],
  ['issuance-callback.xml-link', '`nfeLinkXml` is a URL, though an invoice before was denied'],
] as const) {
  check(clause, title, deniedBefore, { needs: ['chosen-application', 'denied-issuance'] });
}

const named = [
  ['issuance-callback.empresa-id', 'empresaId', '`empresaId` is the company that issued'],
  ['issuance-callback.nfe-id', 'nfeId', '`nfeId` is the id that was sent'],
] as const;

for (const [clause, field, title] of named) {
  check(clause, title, async (t) => {
    await t.each(nfeOutcomes, async (outcome) => {
      if (outcome === 'Negada' && t.target.missing('denied-issuance') !== undefined) return;
      const { issuer, nfeId, arrival } = await calledBackOnce(t, outcome);
      const wanted = { nfeId, empresaId: issuer.empresaId }[field];
      const found = member(bodyOfArrival(arrival), field);
      t.holds(found === wanted, { expected: wanted, actual: JSON.stringify(found) ?? 'nothing' });
    });
  });
}

check('issuance-callback.nfe-id', 'of two invoices each is named in its own callback', callbacksOfTwoInvoices);

check(
  'issuance-callback.empresa-id',
  'of two companies of an application each is named in the callbacks of its own invoices',
  async (t) => {
    const settleSeconds = 60;
    const clocked = t.target.address.control ? await t.target.clockedCaller({ settleSeconds }) : undefined;
    const caller = clocked ?? (await t.caller());
    const callbacks = await callbacksOf(t, caller);
    const issuers = [await withEmpresa(t, caller), await withEmpresa(t, caller, 'other')];
    // At once: who keeps one company for all requests calls back with that of the last one.
    const issued = await Promise.all(issuers.map(async (issuer) => ({ issuer, ...(await issue(t, issuer)) })));
    await clocked?.advance(settleSeconds);
    await t.each(issued, async ({ issuer, nfeId }) => {
      await neededCallback(t, issuer, callbacks, { nfeId, outcome: 'Autorizada' });
      const bodies = callbacks.inbox.arrivals().map(bodyOfArrival);
      const own = bodies.filter((body) => member(body, 'nfeId') === nfeId);
      const named = own.find((body) => member(body, 'empresaId') !== issuer.empresaId);
      t.presumes(own.length > 0, { expected: `a callback of the invoice ${nfeId}`, actual: 'none' });
      t.holds(named === undefined, {
        expected: issuer.empresaId,
        actual: JSON.stringify(member(named, 'empresaId')) ?? 'nothing',
      });
    });
  },
  { needs: ['other-empresa'] },
);

check('issuance-callback.agrees-with-query', 'a query says what the callback said', async (t) => {
  await t.each(['Autorizada', 'Negada'] as const, async (outcome) => {
    if (outcome === 'Negada' && t.target.missing('denied-issuance') !== undefined) return;
    const { issuer, nfeId, arrival } = await calledBackOnce(t, outcome);
    const said = member(bodyOfArrival(arrival), 'nfeStatus');
    // That a callback says what it is to say is judged of each.
    if (said !== 'Autorizada' && said !== 'Negada') throw new NotExercised('the callback tells no outcome');
    const found = await queryUntil(t, issuer, nfeId, (each) => each !== 'AguardandoAutorizacao');
    const status = statusOf(found);
    t.presumes(status !== undefined, { expected: '200 and the status of the invoice', actual: summary(found) });
    t.holds(said === status, {
      expected: `status ${JSON.stringify(said)}, as the callback said`,
      actual: `status ${status}`,
    });
  });
});

check('issuance-callback.one-outcome', 'all callbacks of an invoice tell one outcome', async (t) => {
  await t.each(['Autorizada', 'Negada'] as const, async (outcome) => {
    if (outcome === 'Negada' && t.target.missing('denied-issuance') !== undefined) return;
    const { issuer, callbacks, nfeId } = await calledBack(t, outcome);
    if ('advance' in issuer.caller) await issuer.caller.advance(24 * 60 * 60);
    const arrivals = await callbacksFor(t, issuer, callbacks, nfeId);
    const told = new Set(arrivals.map((arrival) => member(bodyOfArrival(arrival), 'nfeStatus')));
    t.holds(told.size === 1, { expected: 'one outcome', actual: [...told].join(' and ') });
  });
});

check('issuance-callback.none-on-cancellation', 'a cancellation makes no callback', async (t) => {
  const caller = await t.target.clockedCaller();
  const issuer = await withEmpresa(t, caller);
  const { nfeId } = await issueSettled(t, issuer);
  const callbacks = await ownCallbacks(t, caller);
  // What was decided while there was no address may be told to the first one.
  const before = await callbacksFor(t, issuer, callbacks, nfeId);
  const exchange = await cancel(t, issuer, nfeId);
  if (!isSuccess(exchange)) throw new NotExercised(`the cancellation was refused: ${summary(exchange)}`);
  const arrivals = await callbacksFor(t, issuer, callbacks, nfeId);
  const made = arrivals.length - before.length;
  t.holds(made === 0, { expected: 'no callback', actual: `${made}` });
});

/** Of a reason what its wording keeps, however it is quoted, punctuated or capitalised. */
const lettersOf = (text: string): string =>
  text
    .replaceAll(/[\s\u0021-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u007e]/gu, '')
    .toUpperCase()
    .toLowerCase();

/** Whether a reason has the words of the tax authority whole: a description of the service's own is as good. Reading 39. */
function tellsWhole(found: unknown, words: string): boolean {
  const told = typeof found === 'string' ? lettersOf(found) : '';
  return told !== '' && (!told.includes(lettersOf(denialWords)) || told.includes(lettersOf(words)));
}

property(
  'issuance-callback.motivo-of-denial',
  '`nfeMotivoStatus` has the words of the tax authority, in any text',
  driven.map((each) => ({ ...each, outcome: 'Negada' as const })),
  async (t, each) => {
    for (const arrival of await driveCallback(t, each)) {
      const found = member(bodyOfArrival(arrival), 'nfeMotivoStatus');
      t.holds(tellsWhole(found, each.words), {
        expected: JSON.stringify(each.words),
        actual: JSON.stringify(found) ?? 'nothing',
      });
    }
  },
  { needs: ['movable-clock'], most: 10, mostPolitely: 3 },
);
