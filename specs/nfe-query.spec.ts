import { echoCall, pathCall } from '../generators/calls.ts';
import { freshId, likeIds, nfeId as anyId, tellingIds, unusualId } from '../generators/nfe-ids.ts';
import { codes, languageHeaders, languages, nfeOutcomes } from '../contract/values.ts';
import { anyLanguage, eachLanguage } from './kit/texts.ts';
import { check, property } from './kit/check.ts';
import { ownCallbacks } from './kit/callbacks.ts';
import {
  accepted,
  bodyOf,
  cancel,
  certifyAnew,
  hasOtherEmpresa,
  isRefusedByEndpoint,
  isTakenOrRefusedByEndpoint,
  isRefusedWithArray,
  isSuccess,
  issue,
  issuerOf,
  issueSettled,
  issueUnder,
  query,
  queryOften,
  queryUntil,
  queryWhenSettled,
  sendIssuance,
  statusOf,
  type Issued,
  type Issuer,
  withEmpresa,
  toldStatus,
} from './kit/life-cycle.ts';
import { lifeCycles, modelSettleSeconds, playLifeCycle, wholeLives, type ModelStage } from './kit/life-cycle-model.ts';
import { cancelledInvoice, idOfTwoCompanies, issuedOnce, settledOnce } from './kit/read-only.ts';
import { isRefused, jsonBody, summary } from './kit/reply.ts';
import { oncePerTrial, type Trial } from './kit/trial.ts';
import { LeftOut, NotExercised } from '../targets/not-exercised.ts';
import { issuanceCall } from '../generators/issuance.ts';

check('nfe-query.bare-object', 'a query gets 200 and the invoice object without a platform envelope', async (t) => {
  const issuer = await issuerOf(t);
  const { nfeId } = await issuedOnce(t, issuer);
  await queryWhenSettled(t, issuer, nfeId);
  for (const [at, language] of languages.entries()) {
    await query(t, issuer, nfeId, language, languageHeaders[at % languageHeaders.length]);
  }
});

check('nfe-query.status-known', '`status` is one of the four states, before and after it settles', async (t) => {
  const issuer = await issuerOf(t);
  const { nfeId } = await issue(t, issuer);
  await query(t, issuer, nfeId);
  await queryUntil(t, issuer, nfeId, () => true);
  // The states are words of the contract, in whatever language messages are.
  await query(t, issuer, nfeId, 'en');
});

check(
  'nfe-query.status-known',
  '`status` is one of the four states by whatever code an invoice is denied',
  async (t) => {
    const issuer = await issuerOf(t);
    for (const code of [204, 301, 302, 303, 539, 999]) {
      await t.target.steer(issuer.caller, { issuance: { outcome: 'Negada', motivo: `${code} - Uso denegado` } });
      const nfeId = freshId();
      const exchange = await sendIssuance(t, issuer, { nfeId });
      if (isSuccess(exchange)) await queryWhenSettled(t, issuer, nfeId);
    }
    if ('advance' in issuer.caller) await issueSettled(t, issuer, 'Negada', 'Producao');
  },
  { needs: ['chosen-application'] },
);

check(
  'nfe-query.waits-for-authority',
  'an invoice waits until its settlement is due, and for as long as nobody reaches the tax authority',
  async (t) => {
    const caller = await t.target.clockedCaller({ settleSeconds: 60 });
    const issuer = await withEmpresa(t, caller);
    const { nfeId } = await issue(t, issuer);
    await query(t, issuer, nfeId);
    await t.target.steer(caller, { reachable: false });
    await caller.advance(3600);
    const found = await query(t, issuer, nfeId);
    t.holds(statusOf(found) === 'AguardandoAutorizacao', {
      expected: 'AguardandoAutorizacao, since nobody has decided',
      actual: toldStatus(found),
    });
  },
);

/** A company of this trial, and the invoice that it issued first. */
const oldestOf = oncePerTrial(async (t) => {
  const issuer = await withEmpresa(t, await t.caller());
  return { issuer, oldest: await issue(t, issuer) };
});

property(
  'nfe-query.found-by-id',
  'an invoice is found by the id under which it was issued',
  anyId(),
  async (t, shape) => {
    const { issuer, oldest } = await oldestOf(t);
    const { nfeId } = await issueUnder(t, issuer, shape);
    await query(t, issuer, nfeId);
    // Whoever looks for it among those of the last page finds only what is new.
    if (t.target.address.control) await query(t, issuer, oldest.nfeId);
  },
  { examples: tellingIds, mostPolitely: 3, mostOnSandbox: 10 },
);

check(
  'nfe-query.found-by-id',
  'an id that means something in JavaScript, if it is accepted, finds its invoice',
  async (t) => {
    // In a company of its own: elsewhere such an id is asked for as one that nobody has used.
    const issuer = await withEmpresa(t, await t.callerLike({ appName: 'Words of JavaScript' }));
    await t.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'], async (nfeId) => {
      const exchange = await sendIssuance(t, issuer, { nfeId });
      if (!isSuccess(exchange)) throw new LeftOut(`the id ${nfeId} was refused`);
      await query(t, issuer, nfeId);
    });
  },
  { needs: ['chosen-application', 'authorised-issuance'] },
);

/** What a path is cut at, decoded twice, or read in another alphabet for, all in one, and an ending that may be taken for a format. */
const mostTelling = ' 1+1; "ção" d\'e\u0301:=%2541,&🧾.json';

property(
  'nfe-query.found-by-id',
  'an unusual id, if it is accepted, finds its invoice',
  unusualId(),
  async (t, id) => {
    const issuer = await withEmpresa(t, await t.caller());
    const unique = (id === mostTelling ? freshId() + id : id + freshId()).slice(-190);
    const exchange = await sendIssuance(t, issuer, { nfeId: unique });
    isTakenOrRefusedByEndpoint(t, exchange, 'an id that does not suit is refused like any other fault');
    if (!isSuccess(exchange)) return;
    const segment = encodeURIComponent(unique);
    const found = await query(t, issuer, segment);
    if (segment !== unique && isRefused(found, codes.signMismatch)) {
      throw new LeftOut('a path is signed otherwise here once characters of it are encoded');
    }
    // Servers that stand in front turn such a path down before anybody reads it: nginx with 400, Apache with 404.
    if (/\p{Cc}/u.test(unique) && [400, 404].includes(found.response?.status ?? 0) && jsonBody(found) === undefined) {
      throw new LeftOut('a path with a control character is turned down before it gets to the service');
    }
    t.holds(found.response?.status === 200, {
      expected: `200 for the id ${JSON.stringify(unique)}`,
      actual: summary(found),
    });
  },
  {
    needs: ['authorised-issuance'],
    examples: [mostTelling, 'a/b', 'a b', 'a+b', 'a;b,c=d', 'ção%2541', 'x'.repeat(190), 'a\0b'],
    mostPolitely: 3,
    mostOnSandbox: 1,
  },
);

check(
  'nfe-query.found-by-id',
  'an invoice is found by its id after the secret was rotated',
  async (t) => {
    const before = await t.target.clockedCaller();
    const { empresaId } = await withEmpresa(t, before);
    const { nfeId } = await issue(t, { caller: before, empresaId });
    const caller = { ...before, ...(await t.target.rotate(before)) };
    await query(t, { caller, empresaId }, nfeId);
    const again = await sendIssuance(t, { caller, empresaId }, { nfeId });
    isRefusedByEndpoint(t, again, 'the id is taken, whatever secret it was sent with');
  },
  { needs: ['rotation', 'movable-clock'] },
);

check(
  'nfe-query.found-by-id',
  'an invoice is found by its id after its company got another certificate',
  async (t) => {
    const issuer = await withEmpresa(t, await t.target.clockedCaller());
    const { nfeId } = await issue(t, issuer);
    await certifyAnew(t, issuer);
    await query(t, issuer, nfeId);
    const again = await sendIssuance(t, issuer, { nfeId });
    isRefusedByEndpoint(t, again, 'the id is taken, whatever certificate it was signed with');
  },
  { needs: ['chosen-application'] },
);

check('nfe-query.found-by-id', 'an invoice is found that was asked for while it was issued', async (t) => {
  const issuer = await withEmpresa(t, await t.caller());
  const [empresaId, nfeId] = [issuer.empresaId, freshId()];
  await query(t, issuer, nfeId);
  const fields = { id: nfeId, ambienteEmissao: 'Homologacao' };
  const file = 'nf-e.autorizada.json';
  const issuing = issuanceCall(empresaId, bodyOf(t, file), fields);
  const [exchange] = await t.sendAtOnce(issuer.caller, [issuing, pathCall('nfe-query', { empresaId, nfeId })]);
  if (exchange) await query(t, issuer, accepted(t, file, { nfeId, exchange }).nfeId);
});

for (const outcome of nfeOutcomes) {
  check(
    'nfe-query.found-by-id',
    `an invoice that is ${outcome} is found by its id two days later`,
    async (t) => {
      const caller = await t.passingCaller();
      const issuer = await withEmpresa(t, caller);
      const { nfeId } = await issueSettled(t, issuer, outcome);
      await caller.advance(2 * 86_400);
      await query(t, issuer, nfeId);
    },
    { needs: ['movable-clock', outcome === 'Negada' ? 'denied-issuance' : 'authorised-issuance'] },
  );
}

property(
  'nfe-query.unknown-id',
  'a query for an unknown id gets 400 or 404 and the error array',
  anyLanguage,
  async (t, language) => {
    const issuer = await withEmpresa(t, await t.caller());
    isRefusedWithArray(t, await query(t, issuer, freshId(`unknown-${'x'.repeat(52)}`), language));
  },
  eachLanguage,
);

check('nfe-query.unknown-id', 'an id that is only like that of an invoice is unknown', async (t) => {
  const issuer = await withEmpresa(t, await t.caller());
  const { nfeId } = await issuedOnce(t, issuer);
  await query(t, issuer, nfeId);
  // Beside them, where nobody counts requests, words that mean something to those who know no invoice of that name.
  const { control, maxRps } = t.target.address;
  const words = control || maxRps === 0 ? ['null', 'undefined', '__proto__'] : [];
  const number = control ? (await issueUnder(t, issuer, '7')).nfeId : nfeId;
  const likes = new Set([nfeId, number].flatMap(likeIds));
  await t.each([...likes, ...words], async (like) => isRefusedWithArray(t, await query(t, issuer, like)));
});

check('nfe-query.not-in-other-company', 'an invoice of one company is not found under another', async (t) => {
  const caller = await t.caller();
  const issuer = await withEmpresa(t, caller);
  const { nfeId } = await issuedOnce(t, issuer);
  await query(t, issuer, nfeId);
  await query(t, await withEmpresa(t, caller, 'other'), nfeId);
});

check(
  'nfe-query.not-in-other-company',
  'an invoice of one company is not cancelled under another',
  async (t) => {
    const caller = await t.passingCaller();
    const { nfeId } = await issueSettled(t, await withEmpresa(t, caller), 'Autorizada');
    const exchange = await cancel(t, await withEmpresa(t, caller, 'other'), nfeId);
    t.holds(!isSuccess(exchange), { expected: '400 or 404', actual: summary(exchange) });
  },
  { needs: ['movable-clock', 'authorised-issuance'] },
);

check('nfe-query.not-by-other-integrator', 'an invoice is not found by another integrator', async (t) => {
  const issuer = await withEmpresa(t, await t.passingCaller());
  const { nfeId } = await issue(t, issuer);
  const stranger = await t.callerLike({ appName: 'Another integrator' });
  // What its owner has just been told may be remembered by the path alone.
  await query(t, issuer, nfeId);
  await query(t, { ...issuer, caller: stranger }, nfeId);
});

check(
  'nfe-query.follows-the-life-cycle',
  'an invoice whose id an invoice of another company has, too, is in a state of its own',
  async (t) => {
    const caller = await t.passingCaller();
    const { nfeId } = await issueSettled(t, await withEmpresa(t, caller), 'Negada');
    const other = await withEmpresa(t, caller, 'other');
    // Under an id of its own, an invoice like the one below is authorised there.
    await issueSettled(t, other, 'Autorizada');
    await issue(t, other, { nfeId });
    const state = statusOf(await queryWhenSettled(t, other, nfeId));
    t.holds(state !== 'Negada', {
      expected: 'the state of this invoice, and not that of another one',
      actual: `status ${state}`,
    });
  },
  { needs: ['movable-clock', 'other-empresa', 'authorised-issuance', 'denied-issuance'] },
);

check(
  'nfe-query.follows-the-life-cycle',
  'an invoice whose id an invoice of another company has, too, is not cancelled with it',
  async (t) => {
    const own = t.target.address.control ? await withEmpresa(t, await t.passingCaller()) : await issuerOf(t);
    const { second, nfeId } = await idOfTwoCompanies(t, own);
    for (const issuer of [own, second]) await queryWhenSettled(t, issuer, nfeId);
    await cancel(t, own, nfeId);
    await queryUntil(t, own, nfeId, (status) => status === 'Cancelada', 'cancellation');
    await query(t, second, nfeId);
  },
  { needs: ['empresa', 'other-empresa', 'authorised-issuance'] },
);

/** Two companies of one integrator, if the profile has two, on a clock that can be moved where there is one. */
const stageOf = oncePerTrial(async (t): Promise<ModelStage> => {
  const { control, isSteered = false } = t.target.address;
  const canDeny = t.target.missing('denied-issuance') === undefined && !isSteered;
  const names = hasOtherEmpresa(t) ? (['own', 'other'] as const) : (['own'] as const);
  if (!control) {
    const caller = await t.caller();
    const issuers = await Promise.all(names.map((name) => withEmpresa(t, caller, name)));
    return { issuers, canDeny, most: { invoices: 2, cancellations: 1 } };
  }
  const wish = { settleSeconds: modelSettleSeconds };
  const callers = [await t.target.clockedCaller(wish), await t.target.clockedCaller(wish)] as const;
  for (const caller of isSteered ? callers : []) await t.target.steer(caller, { issuance: { outcome: 'Autorizada' } });
  return {
    issuers: await Promise.all(names.map((name) => withEmpresa(t, callers[0], name))),
    advance: async (seconds) => void (await Promise.all(callers.map((caller) => caller.advance(seconds)))),
    newcomer: () => withEmpresa(t, callers[1]),
    canDeny,
  };
});

property(
  'nfe-query.follows-the-life-cycle',
  'whatever steps are taken, each invoice is found under its id in a state that was reached',
  lifeCycles,
  async (t, steps) => playLifeCycle(t, await stageOf(t), steps),
  { mostOnSandbox: 2, mostPolitely: 2, examples: wholeLives() },
);

check(
  'nfe-query.follows-the-life-cycle',
  'an invoice is decided, though its application is another one while it waits, and whatever its callback gets',
  async (t) => {
    const caller = await t.target.clockedCaller({ settleSeconds: modelSettleSeconds });
    const issuer = await withEmpresa(t, caller);
    await ownCallbacks(t, caller, () => ({ status: 503 }));
    const { nfeId } = await issue(t, issuer);
    await t.send(await t.target.change(caller, { state: 'disabled' }), echoCall('disabled for a moment'));
    await t.target.change(caller, { state: 'active' });
    await caller.advance(modelSettleSeconds);
    const found = await query(t, issuer, nfeId);
    t.holds(statusOf(found) !== 'AguardandoAutorizacao', {
      expected: 'an outcome, since its time has come',
      actual: summary(found),
    });
  },
  { needs: ['movable-clock', 'callbacks', 'empresa', 'authorised-issuance'] },
);

/** An answer in five that is wrong is met by so many with a probability of 0.9998. */
const often = 40;

for (const [state, settled] of [
  ['Cancelada', cancelledInvoice],
  ['Autorizada', (t, issuer) => settledOnce(t, issuer, 'Autorizada')],
  ['Negada', (t, issuer) => settledOnce(t, issuer, 'Negada')],
] as const satisfies readonly (readonly [string, (t: Trial, issuer: Issuer) => Promise<Issued>])[]) {
  check(
    'nfe-query.follows-the-life-cycle',
    `an invoice that is ${state} stays so, however often it is asked for`,
    async (t) => {
      const issuer = await issuerOf(t);
      const { nfeId } = await settled(t, issuer);
      const kind = state === 'Cancelada' ? 'cancellation' : 'settlement';
      const found = await queryUntil(t, issuer, nfeId, (status) => status === state, kind);
      if (statusOf(found) !== state) throw new NotExercised(`the invoice never became ${state}: ${toldStatus(found)}`);
      const times = t.target.address.maxRps > 0 ? often / 4 : often;
      await queryOften(t, issuer, nfeId, state, times);
      if (!('advance' in issuer.caller)) return;
      for (const hours of [2, 46]) {
        await issuer.caller.advance(hours * 3600);
        await query(t, issuer, nfeId);
      }
      if (state !== 'Negada') return;
      // A cancellation that is refused changes nothing.
      const other = await issueSettled(t, issuer, state);
      await cancel(t, issuer, other.nfeId);
      await query(t, issuer, other.nfeId);
    },
    { needs: state === 'Negada' ? ['denied-issuance'] : ['authorised-issuance'] },
  );
}
