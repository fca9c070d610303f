import { freshId } from '../generators/nfe-ids.ts';
import type { Exchange } from '../trace/exchange.ts';
import { isHttpUrl } from '../contract/values.ts';
import { NotExercised } from '../targets/not-exercised.ts';
import { check } from './kit/check.ts';
import { gatheredOnce } from './kit/gathered-once.ts';
import type { Trial } from './kit/trial.ts';
import {
  cancel,
  danfeLinkOf,
  downloaded,
  followed,
  hasOtherEmpresa,
  isSuccess,
  issue,
  issueSettled,
  issuerOf,
  query,
  queryUntil,
  queryWhenSettled,
  type Issued,
  type Issuer,
  sendIssuance,
  withEmpresa,
  xmlLinkOf,
} from './kit/life-cycle.ts';
import { cancelledInvoice, idOfTwoCompanies, oldestAuthorised, settledOnce } from './kit/read-only.ts';
import { bodyText, briefly } from './kit/reply.ts';
import { isSound } from './kit/verification.ts';

check('nfe-query.danfe-link-when-authorised', 'an authorised invoice has `linkDanfe`', async (t) => {
  const issuer = await issuerOf(t);
  await settledOnce(t, issuer);
  if (!('advance' in issuer.caller)) return;
  const nfeId = freshId();
  const exchange = await sendIssuance(t, issuer, { nfeId, ambienteEmissao: 'Producao' });
  if (isSuccess(exchange)) await queryWhenSettled(t, issuer, nfeId);
});

check(
  'nfe-query.danfe-link-when-authorised',
  'an authorised invoice of a second company has one, too',
  async (t) => {
    const issuer = await issuerOf(t);
    await settledOnce(t, issuer);
    const { second, nfeId, exchange } = await idOfTwoCompanies(t, issuer);
    if (!isSuccess(exchange)) throw new NotExercised(`the invoice was refused: ${briefly(exchange)}`);
    await queryWhenSettled(t, second, nfeId);
  },
  { needs: ['other-empresa', 'authorised-issuance'] },
);

check('nfe-query.no-danfe-link-while-waiting', 'an invoice that waits has no `linkDanfe`', async (t) => {
  const issuer = await issuerOf(t, { settleSeconds: 60 });
  const environments = 'advance' in issuer.caller ? (['Homologacao', 'Producao'] as const) : (['Homologacao'] as const);
  for (const ambienteEmissao of environments) {
    const { nfeId } = await issue(t, issuer, { ambienteEmissao });
    await query(t, issuer, nfeId);
  }
});

check('nfe-query.no-danfe-link-when-denied', 'a denied invoice has no `linkDanfe`', async (t) => {
  const issuer = await issuerOf(t);
  await settledOnce(t, issuer, 'Negada');
  if ('advance' in issuer.caller) await issueSettled(t, issuer, 'Negada', 'Producao');
});

check('nfe-query.no-danfe-link-when-cancelled', 'a cancelled invoice has no `linkDanfe`', async (t) => {
  const issuer = await issuerOf(t);
  const { nfeId } = await cancelledInvoice(t, issuer);
  await queryUntil(t, issuer, nfeId, (status) => status === 'Cancelada', 'cancellation');
});

check('nfe-query.xml-link', 'an authorised invoice has a link to its XML', async (t) => {
  await settledOnce(t, await issuerOf(t));
});

/** The two kinds of links, and where a query has them. */
const links = {
  xml: (exchange: Exchange) => xmlLinkOf(exchange),
  danfe: (exchange: Exchange) => [danfeLinkOf(exchange)].find(isHttpUrl),
};

/** The link of a fresh authorised invoice; throws a NotExercised where there is none. */
function present(link: string | undefined): string {
  if (link === undefined) throw new NotExercised('the invoice has no such link');
  return link;
}

/**
 * The links of one invoice, each followed when it is so many minutes old: who follows a link late does not make it live longer.
 */
const followedAt = gatheredOnce(
  'followed links',
  async (t, minutes: readonly number[], kinds: readonly (keyof typeof links)[]) => {
    const caller = await t.target.patientCaller();
    const { exchange } = await issueSettled(t, await withEmpresa(t, caller));
    const found = kinds.flatMap((kind) => links[kind](exchange) ?? []);
    for (const [nth, minute] of minutes.entries()) {
      await caller.advance((minute - (minutes[nth - 1] ?? 0)) * 60);
      for (const link of found) await t.download(link);
    }
    return exchange;
  },
);

/** All of both, where that is for all checks; of one kind no longer than asked, where time really passes. */
async function follows(t: Trial, kind: keyof typeof links, ...minutes: readonly number[]): Promise<void> {
  const followed =
    t.gathersIn() === undefined ? followedAt(t, minutes, [kind]) : followedAt(t, [0, 9, 11], ['xml', 'danfe']);
  present(links[kind](await followed));
}

for (const kind of ['xml', 'danfe'] as const) {
  const alive = kind === 'xml' ? 'nfe-query.xml-link-alive' : 'nfe-query.danfe-link-alive';
  const expires = kind === 'xml' ? 'nfe-query.xml-link-expires' : 'nfe-query.danfe-link-expires';

  check(alive, `a fresh link to the ${kind} serves the document, again and again`, async (t) => {
    const issuer = await issuerOf(t);
    const { nfeId, exchange } = await settledOnce(t, issuer);
    const link = present(links[kind](exchange));
    await followed(t, link);
    // What a later query tells takes nothing from the link that is ten minutes alive, nor does who follows the newer one.
    const newer = present(links[kind](await query(t, issuer, nfeId)));
    for (const each of [link, newer, link]) await followed(t, each);
    // By now so much of a run has passed as its pace takes: how long a link lives shows, as far as that goes.
    const oldest = oldestAuthorised(t);
    for (const each of oldest ? [links[kind](oldest)].filter(isHttpUrl) : []) await t.download(each);
  });

  check(
    alive,
    `a link to the ${kind} that is given an hour after the invoice serves the document`,
    async (t) => {
      const caller = await t.target.clockedCaller();
      const issuer = await withEmpresa(t, caller);
      const { nfeId } = await issueSettled(t, issuer);
      await caller.advance(3600);
      const older = present(links[kind](await query(t, issuer, nfeId)));
      await caller.advance(60);
      for (const each of [present(links[kind](await query(t, issuer, nfeId))), older]) await followed(t, each);
      if (kind !== 'xml' || !isSuccess(await cancel(t, issuer, nfeId))) return;
      // Where a cancelled invoice gives one, it is as good.
      const last = links[kind](await queryUntil(t, issuer, nfeId, (status) => status === 'Cancelada', 'cancellation'));
      if (isHttpUrl(last)) await t.download(last);
    },
    { needs: ['movable-clock'] },
  );

  check(alive, `a link to the ${kind} serves the document after 9 minutes`, (t) => follows(t, kind, 9), {
    needs: ['passing-time'],
    waitSeconds: 9 * 60,
  });

  check(expires, `a link to the ${kind} is refused after 11 minutes`, (t) => follows(t, kind, 0, 9, 11), {
    waitSeconds: 11 * 60,
  });
}

/** Another authorised invoice: of the same id, where a second company can be made. */
async function another(t: Trial, issuer: Issuer, nfeId: string): Promise<Issued> {
  if (!t.target.address.control || !hasOtherEmpresa(t)) return issueSettled(t, issuer);
  const second = await withEmpresa(t, issuer.caller, 'other');
  await issue(t, second, { nfeId });
  return { nfeId, exchange: await queryWhenSettled(t, second, nfeId) };
}

check('nfe-query.xml-link-serves-its-invoice', 'the XML links of two invoices serve two invoices', async (t) => {
  const issuer = await issuerOf(t);
  const first = await settledOnce(t, issuer);
  for (const { exchange } of [first, await another(t, issuer, first.nfeId)]) {
    isSound(t, await downloaded(t, present(xmlLinkOf(exchange))));
  }
});

check('nfe-query.danfe-link-serves-a-pdf', '`linkDanfe` serves a PDF', async (t) => {
  const { exchange } = await settledOnce(t, await issuerOf(t));
  const text = bodyText(await downloaded(t, present(links.danfe(exchange))));
  t.holds(text.startsWith('%PDF-'), { expected: 'a PDF, which starts with %PDF-', actual: text || 'an empty body' });
});

check(
  'nfe-query.danfe-link-serves-a-pdf',
  'the DANFE links of two invoices serve two documents',
  async (t) => {
    const issuer = await issuerOf(t);
    const issued = [await issueSettled(t, issuer), await issueSettled(t, issuer)];
    const served: string[] = [];
    // Only now: what is rendered for the one may be served in place of the other.
    for (const { exchange } of issued) served.push(bodyText(await downloaded(t, present(links.danfe(exchange)))));
    t.holds(new Set(served).size === 2, { expected: 'a DANFE of each', actual: 'the same bytes for both' });
  },
  { needs: ['chosen-application'] },
);
