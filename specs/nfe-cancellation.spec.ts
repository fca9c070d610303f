import { briefly, summary } from './kit/reply.ts';
import { freshId, likeIds, tellingIds } from '../generators/nfe-ids.ts';
import fc from 'fast-check';
import type { Exchange } from '../trace/exchange.ts';
import { LeftOut, NotExercised } from '../targets/not-exercised.ts';
import { check, property } from './kit/check.ts';
import {
  cancel,
  isRefusedWithArray,
  isSuccess,
  issue,
  issuerOf,
  disabledForAMoment,
  issueSettled,
  rotated,
  issueUnder,
  query,
  queryUntil,
  queryWhenSettled,
  statusOf,
  type Issued,
  type Issuer,
  withEmpresa,
  toldStatus,
  xmlLinkOf,
} from './kit/life-cycle.ts';
import { anyLanguage, eachLanguage } from './kit/texts.ts';
import { cancelledInvoice, cancelledOnce } from './kit/read-only.ts';
import type { Trial } from './kit/trial.ts';

check('nfe-cancellation.status-200', 'the cancellation of an authorised invoice gets 200', async (t) => {
  await cancelledInvoice(t, await issuerOf(t));
});

check('nfe-cancellation.empty-body', 'the answer to a cancellation is zero bytes long', async (t) => {
  await cancelledInvoice(t, await issuerOf(t));
});

/** Ids that a path holds escaped, each in another way, and one of the longest. */
const unusual = ['a+b', 'nota nº 1', 'a/b%2Fc', 'pedido-'.repeat(28), '100%'] as const;

/** Those first that tell most. */
const shapes = [...tellingIds.slice(0, 5), ...unusual, ...tellingIds.slice(5)];

property(
  'nfe-cancellation.found-by-id',
  'an invoice is cancelled by the id under which it was issued',
  fc.oneof(fc.constantFrom(...tellingIds), fc.constantFrom(...unusual)),
  async (t, shape) => {
    const issuer = await withEmpresa(t, await t.caller());
    const { nfeId } = await issueUnder(t, issuer, shape);
    const segment = encodeURIComponent(nfeId);
    const found = await queryWhenSettled(t, issuer, segment);
    if (segment !== nfeId && !isSuccess(found)) throw new LeftOut(`a query does not find it: ${briefly(found)}`);
    const exchange = await cancel(t, issuer, segment);
    if (segment === nfeId) return;
    t.holds(exchange.response?.status !== 404, {
      expected: `200 for the id ${JSON.stringify(nfeId)}`,
      actual: summary(exchange),
    });
  },
  { examples: shapes, mostPolitely: 2, mostOnSandbox: 6 },
);

check(
  'nfe-cancellation.found-by-id',
  'an invoice is cancelled by its id after the secret was rotated, and once its application was disabled',
  async (t) => {
    const before = await withEmpresa(t, await t.target.clockedCaller());
    const invoices = [await issueSettled(t, before), await issueSettled(t, before)] as const;
    const issuer = await rotated(t, before);
    await cancel(t, issuer, invoices[0].nfeId);
    await disabledForAMoment(t, issuer.caller);
    await cancel(t, issuer, invoices[1].nfeId);
  },
  { needs: ['rotation', 'movable-clock'] },
);

/** Fails unless an invoice whose cancellation was answered so becomes `Cancelada`; else what a query then says. */
async function becomesCancelled(t: Trial, issuer: Issuer, { nfeId, exchange }: Issued): Promise<Exchange> {
  if (!isSuccess(exchange)) throw new NotExercised(`the cancellation was refused: ${briefly(exchange)}`);
  const found = await queryUntil(t, issuer, nfeId, (status) => status === 'Cancelada', 'cancellation');
  t.holds(statusOf(found) === 'Cancelada', { expected: 'status Cancelada', actual: toldStatus(found) });
  return found;
}

check('nfe-cancellation.status-becomes-cancelada', 'a cancelled invoice becomes `Cancelada`', async (t) => {
  const issuer = await issuerOf(t);
  const found = await becomesCancelled(t, issuer, await cancelledOnce(t, issuer));
  // A cancelled invoice need give no link to its XML; what stands behind one is judged as it is followed.
  const link = xmlLinkOf(found);
  if (link !== undefined) await t.download(link);
});

check(
  'nfe-cancellation.status-becomes-cancelada',
  'two invoices of each of two companies, cancelled one after the other, become `Cancelada`',
  async (t) => {
    const caller = await t.passingCaller();
    await t.each(['own', 'other'] as const, async (name) => {
      const issuer = await withEmpresa(t, caller, name);
      await becomesCancelled(t, issuer, await cancelledOnce(t, issuer));
      // Of either environment: where a clock can be moved nothing is issued for real.
      const { nfeId } = await issue(t, issuer, { ambienteEmissao: 'Producao' });
      await queryWhenSettled(t, issuer, nfeId);
      await becomesCancelled(t, issuer, { nfeId, exchange: await cancel(t, issuer, nfeId) });
    });
    // Whether a cancellation may come so late is free; what is answered with 200 is done.
    const issuer = await withEmpresa(t, caller);
    const { nfeId } = await issueSettled(t, issuer);
    await caller.advance(30 * 86_400);
    const exchange = await cancel(t, issuer, nfeId);
    if (isSuccess(exchange)) await becomesCancelled(t, issuer, { nfeId, exchange });
  },
  { needs: ['other-empresa', 'movable-clock'] },
);

property(
  'nfe-cancellation.unknown-id',
  'a cancellation of an unknown id gets 400 or 404 and the error array',
  anyLanguage,
  async (t, language) => {
    const issuer = await withEmpresa(t, await t.caller());
    isRefusedWithArray(t, await cancel(t, issuer, freshId('unknown'), language));
  },
  eachLanguage,
);

check(
  'nfe-cancellation.unknown-id',
  'an id that is only like that of an invoice is unknown',
  async (t) => {
    const { control } = t.target.address;
    const issuer = await withEmpresa(t, await (control ? t.passingCaller() : t.caller()));
    const { nfeId } = await issueSettled(t, issuer);
    // Where invoices stay with somebody, what a database finds by the beginning of an id, or by a sign for any other.
    const likes = control ? likeIds(nfeId) : [nfeId.slice(0, -1), `${nfeId.slice(0, -1)}_`];
    await t.each(likes, async (like) => isRefusedWithArray(t, await cancel(t, issuer, like)));
  },
  { needs: ['authorised-issuance'] },
);

check(
  'nfe-cancellation.error-array',
  'a cancellation of what is not there is refused with the error array',
  async (t) => {
    await cancel(t, await withEmpresa(t, await t.caller()), freshId('unknown'));
  },
);

check(
  'nfe-cancellation.error-array',
  'a cancellation of an invoice that waits, where it is refused, is so with the error array',
  async (t) => {
    const issuer = await issuerOf(t, { settleSeconds: 60 });
    await cancel(t, issuer, (await issue(t, issuer)).nfeId);
  },
  { needs: ['chosen-application'] },
);

check(
  'nfe-cancellation.error-array',
  'a cancellation that comes months late, where it is refused, is so with the error array',
  async (t) => {
    const caller = await t.passingCaller();
    const issuer = await withEmpresa(t, caller);
    const { nfeId } = await issueSettled(t, issuer);
    await caller.advance(90 * 86_400);
    await cancel(t, issuer, nfeId);
  },
  { needs: ['movable-clock', 'authorised-issuance'] },
);

check(
  'nfe-cancellation.error-array',
  'a cancellation of an invoice that was denied, where it is refused, is so with the error array',
  async (t) => {
    const issuer = await issuerOf(t);
    const { nfeId } = await issueSettled(t, issuer, 'Negada');
    await cancel(t, issuer, nfeId);
    // What was refused leaves it denied, as the judge sees.
    await query(t, issuer, nfeId);
  },
  { needs: ['denied-issuance'] },
);

check(
  'nfe-cancellation.found-by-id',
  'each of two companies can cancel its invoice of one id',
  async (t) => {
    const caller = await t.passingCaller();
    const nfeId = freshId();
    const issuers = [await withEmpresa(t, caller), await withEmpresa(t, caller, 'other')];
    for (const issuer of issuers) await issue(t, issuer, { nfeId });
    await t.each(issuers, async (issuer) => {
      await queryWhenSettled(t, issuer, nfeId);
      await cancel(t, issuer, nfeId);
    });
  },
  { needs: ['other-empresa', 'chosen-application'] },
);

check(
  'nfe-cancellation.found-by-id',
  'of three invoices of a company the one is cancelled that is named',
  async (t) => {
    const issuer = await issuerOf(t);
    // One of either environment has the number of the other where each is counted from 1.
    const [first, named, last] = [
      await issueSettled(t, issuer, 'Autorizada', 'advance' in issuer.caller ? 'Producao' : 'Homologacao'),
      await issueSettled(t, issuer),
      await issueSettled(t, issuer),
    ];
    const exchange = await cancel(t, issuer, named.nfeId);
    if (!isSuccess(exchange)) throw new NotExercised(`the cancellation was refused: ${briefly(exchange)}`);
    // Some cancel a while after they have said so.
    await queryUntil(t, issuer, named.nfeId, (status) => status === 'Cancelada', 'cancellation');
    await t.each([first, last], async ({ nfeId }) => {
      const found = await query(t, issuer, nfeId);
      t.holds(statusOf(found) === 'Autorizada', {
        expected: 'status Autorizada of an invoice that nobody cancelled',
        actual: toldStatus(found),
      });
    });
  },
  { needs: ['chosen-application'] },
);

check('nfe-cancellation.not-by-other-integrator', "another integrator can't cancel an invoice", async (t) => {
  const issuer = await withEmpresa(t, await t.passingCaller());
  const { nfeId } = await issueSettled(t, issuer);
  const stranger = await t.callerLike({ appName: 'Another integrator' });
  await cancel(t, { ...issuer, caller: stranger }, nfeId);
});
