import { isHttpUrl } from '../contract/values.ts';
import { member } from '../schemas/values.ts';
import {
  bodyOfArrival,
  calledBack,
  calledBackOnce,
  callbacksFor,
  neededCallback,
  ownCallbacks,
} from './kit/callbacks.ts';
import { NotExercised } from '../targets/not-exercised.ts';
import { check } from './kit/check.ts';
import { gatheredOnce } from './kit/gathered-once.ts';
import type { Exchange } from '../trace/exchange.ts';
import { isSound } from './kit/verification.ts';
import { downloaded, followed, hasOtherEmpresa, isSuccess, issue, withEmpresa } from './kit/life-cycle.ts';
import { lacking, missing } from './kit/missing.ts';
import { bodyText, summary } from './kit/reply.ts';
import type { Trial } from './kit/trial.ts';

/** The link in the callback of an authorised invoice, which a check builds on; the authority may deny what it authorised before. */
function linkIn(t: Trial, body: unknown): string {
  const link = member(body, 'nfeLinkXml');
  if (link === '' && member(body, 'nfeStatus') === 'Negada')
    throw new NotExercised('the invoice was denied this time, and a denial has no link to an XML');
  if (!isHttpUrl(link)) throw lacking(t, 'a link to the XML in the callback');
  return link;
}

/** The XML behind the link of a callback, asked for when so many minutes of the application's clock have passed (section 2). */
const downloadsAt = gatheredOnce('followed callback', async (t, minutes: readonly number[]) => {
  const { issuer, arrival } = await calledBack(t, 'Autorizada');
  const clock = 'advance' in issuer.caller ? issuer.caller : await t.target.patientCaller();
  const found = new Map<number, Exchange>();
  for (const [nth, minute] of minutes.entries()) {
    await clock.advance((minute - (minutes[nth - 1] ?? 0)) * 60);
    found.set(minute, await t.download(linkIn(t, bodyOfArrival(arrival))));
  }
  return found;
});

/** One link for all checks that ask, where they gather for each other. */
async function downloadAfter(t: Trial, minutes: 9 | 11): Promise<Exchange> {
  const found = await downloadsAt(t, t.gathersIn() === undefined ? [minutes] : [9, 11]);
  const after = found.get(minutes);
  if (!after) throw new Error(`no link was followed after ${minutes} minutes`);
  return after;
}

check(
  'issuance-callback.xml-link-alive',
  'the link of a callback serves the XML, again and again, and that of a second company, too',
  async (t) => {
    const { issuer, callbacks, arrival } = await calledBack(t, 'Autorizada');
    const serves = async (link: string): Promise<void> => {
      const exchange = await followed(t, link);
      t.holds(isSuccess(exchange), { expected: 'the XML', actual: summary(exchange) });
    };
    await serves(linkIn(t, bodyOfArrival(arrival)));
    await serves(linkIn(t, bodyOfArrival(arrival)));
    if (!hasOtherEmpresa(t)) return;
    const second = await withEmpresa(t, issuer.caller, 'other');
    const { nfeId } = await issue(t, second);
    const other = await neededCallback(t, second, callbacks, { nfeId, outcome: 'Autorizada' });
    // At an address of its own, a callback of before may come once more.
    const own = callbacks.inbox
      .arrivals()
      .map(bodyOfArrival)
      .find((body) => member(body, 'nfeId') === nfeId);
    await serves(linkIn(t, own ?? bodyOfArrival(other)));
  },
);

check(
  'issuance-callback.xml-link-alive',
  'the link of a callback serves the XML after 9 minutes',
  async (t) => {
    const exchange = await downloadAfter(t, 9);
    t.holds(isSuccess(exchange), { expected: 'the XML after 9 minutes', actual: summary(exchange) });
  },
  { needs: ['passing-time'], waitSeconds: 9 * 60 },
);

check(
  'issuance-callback.xml-link-expires',
  'the link of a callback is refused after 11 minutes',
  async (t) => {
    const exchange = await downloadAfter(t, 11);
    const { status = 0 } = exchange.response ?? {};
    t.holds(status >= 400 && status < 500, { expected: '4xx after 11 minutes', actual: summary(exchange) });
  },
  { waitSeconds: 11 * 60 },
);

/** Longer than a link lives. */
const lateSeconds = 15 * 60;

/** Fails unless the XML behind the link of a callback carries its chave. */
async function xmlIsOwn(t: Trial, body: unknown): Promise<void> {
  const exchange = await downloaded(t, linkIn(t, body));
  const chave = member(body, 'nfeChaveAcesso');
  const text = bodyText(exchange);
  isSound(t, exchange);
  t.holds(typeof chave === 'string' && chave !== '' && text.includes(`NFe${chave}`), {
    expected: `an infNFe with the chave ${JSON.stringify(chave)}`,
    actual: (isSuccess(exchange) && text) || summary(exchange),
  });
  const authorised = /[<:]chNFe>\s*(\d+)/.exec(text)?.[1] ?? chave;
  t.holds(authorised === chave, { expected: 'the chave of the callback', actual: 'another chave in its protocol' });
}

check(
  'issuance-callback.xml-of-the-invoice',
  'the XML behind the link carries the chave of the callback',
  async (t) => {
    // Its clock stands, so that the link lives whenever it is followed.
    const { arrival } = await (t.target.address.control ? calledBackOnce : calledBack)(t, 'Autorizada');
    await xmlIsOwn(t, bodyOfArrival(arrival));
  },
);

check(
  'issuance-callback.xml-of-the-invoice',
  'the XML behind the link of each of two callbacks carries its own chave',
  async (t) => {
    // They are decided later than a link lives: it is the decision that makes the document, and its link.
    const caller = await t.target.clockedCaller({ settleSeconds: lateSeconds });
    const issuer = await withEmpresa(t, caller);
    const callbacks = await ownCallbacks(t, caller);
    for (let count = 0; count < 2; count++) {
      const { nfeId } = await issue(t, issuer);
      await caller.advance(lateSeconds);
      const bodies = (await callbacksFor(t, issuer, callbacks, nfeId)).map(bodyOfArrival);
      const own = bodies.find((body) => member(body, 'nfeId') === nfeId);
      if (own === undefined) throw missing(t, `a callback of the invoice ${nfeId}`);
      await xmlIsOwn(t, own);
    }
  },
  { needs: ['movable-clock'] },
);
