import { textOf } from '../client/body-text.ts';
import type { ClauseId } from '../contract/catalogue.ts';
import type { NfeOutcome } from '../contract/states.ts';
import {
  authorisedResult,
  deniedResult,
  nfeResultByOutcome,
  nfeResultFields,
  withoutDigest,
  type NfeResultField,
} from '../schemas/nfe-result.ts';
import { fieldsOf, presenceOf } from '../schemas/parts.ts';
import { validator } from '../schemas/validate.ts';
import { hasToken } from '../client/verify-delivery.ts';
import { isHttpUrl } from '../contract/xml-link.ts';
import { NotExercised } from '../targets/not-exercised.ts';
import {
  bodyOfArrival,
  calledBack,
  calledBackOnce,
  callbacksFor,
  callbacksOf,
  lacking,
  missing,
  ownCallbacks,
  promisedCallback,
} from './kit/callbacks.ts';
import { check } from './kit/check.ts';
import {
  cancel,
  fileEndingAs,
  isSuccess,
  issue,
  issueSettled,
  issuerOf,
  query,
  statusOf,
  withEmpresa,
} from './kit/life-cycle.ts';
import { bodyText, isEnveloped, member, memberNames, summary } from './kit/reply.ts';
import type { Trial } from './kit/trial.ts';

for (const [clause, outcome, title] of [
  ['issuance-callback.called-back-when-authorised', 'Autorizada', 'an authorised invoice is called back'],
  ['issuance-callback.called-back-when-denied', 'Negada', 'a denied invoice is called back'],
] as const) {
  check(clause, title, async (t) => {
    const issuer = await issuerOf(t);
    const callbacks = await callbacksOf(t, issuer.caller);
    const { nfeId } = await issue(t, issuer, fileEndingAs(outcome));
    const arrival = await promisedCallback(t, issuer, callbacks, { nfeId, outcome });
    if (!arrival) throw missing(t, `a callback of the invoice ${nfeId}`);
    t.holds(arrival !== undefined, { expected: 'a callback', actual: 'none' });
  });
}

check('issuance-callback.bare-object', 'the body is a bare JSON object without a platform envelope', async (t) => {
  const { arrival } = await calledBackOnce(t, 'Autorizada');
  const body = bodyOfArrival(arrival);
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  const hasEnvelope = isEnveloped(body) || member(member(body, 'data'), 'nfeStatus') !== undefined;
  t.holds(isObject && !hasEnvelope, {
    expected: 'the result object itself',
    actual: isObject ? `an object with the members ${memberNames(body)}` : textOf(arrival),
  });
});

check('issuance-callback.texts', 'every field is a string', async (t) => {
  const { arrival } = await calledBackOnce(t, 'Autorizada');
  const body = bodyOfArrival(arrival);
  // What is missing or null has no value: that is another clause.
  const others = nfeResultFields.filter((name) => typeof (member(body, name) ?? '') !== 'string');
  t.holds(others.length === 0, {
    expected: 'strings only',
    actual: others.map((name) => `${name} is ${JSON.stringify(member(body, name))}`).join('; '),
  });
});

/** The clauses on single fields: which callback shows them, and by what part of its schema. */
const fieldRules: readonly {
  readonly clause: ClauseId;
  readonly outcome: NfeOutcome;
  readonly fields: readonly NfeResultField[];
  readonly title: string;
}[] = [
  { clause: 'issuance-callback.tipo', outcome: 'Autorizada', fields: ['tipo'], title: '`tipo` is `NF-e`' },
  {
    clause: 'issuance-callback.status-authorised',
    outcome: 'Autorizada',
    fields: ['nfeStatus'],
    title: '`nfeStatus` of an authorised invoice is `Autorizada`',
  },
  {
    clause: 'issuance-callback.status-denied',
    outcome: 'Negada',
    fields: ['nfeStatus'],
    title: '`nfeStatus` of a denied invoice is `Negada`',
  },
  {
    clause: 'issuance-callback.motivo-of-denial',
    outcome: 'Negada',
    fields: ['nfeMotivoStatus'],
    title: '`nfeMotivoStatus` of a denial is a status code and a description',
  },
  {
    clause: 'issuance-callback.no-motivo-when-authorised',
    outcome: 'Autorizada',
    fields: ['nfeMotivoStatus'],
    title: '`nfeMotivoStatus` of an authorised invoice is empty',
  },
  {
    clause: 'issuance-callback.no-danfe-link',
    outcome: 'Autorizada',
    fields: ['nfeLinkDanfe'],
    title: '`nfeLinkDanfe` is empty, though the invoice was authorised',
  },
  {
    clause: 'issuance-callback.xml-link',
    outcome: 'Autorizada',
    fields: ['nfeLinkXml'],
    title: '`nfeLinkXml` of an authorised invoice is an absolute http or https URL',
  },
  {
    clause: 'issuance-callback.no-xml-link-when-denied',
    outcome: 'Negada',
    fields: ['nfeLinkXml'],
    title: '`nfeLinkXml` of a denied invoice is empty',
  },
  {
    clause: 'issuance-callback.numero-and-serie',
    outcome: 'Autorizada',
    fields: ['nfeNumero', 'nfeSerie'],
    title: '`nfeNumero` and `nfeSerie` of an authorised invoice are filled in',
  },
  {
    clause: 'issuance-callback.chave',
    outcome: 'Autorizada',
    fields: ['nfeChaveAcesso'],
    title: '`nfeChaveAcesso` of an authorised invoice is 44 digits',
  },
  {
    clause: 'issuance-callback.data-emissao',
    outcome: 'Autorizada',
    fields: ['nfeDataEmissao'],
    title: '`nfeDataEmissao` of an authorised invoice is a UTC time',
  },
  {
    clause: 'issuance-callback.data-autorizacao',
    outcome: 'Autorizada',
    fields: ['nfeDataAutorizacao'],
    title: '`nfeDataAutorizacao` of an authorised invoice is filled in',
  },
  {
    clause: 'issuance-callback.no-data-autorizacao-when-denied',
    outcome: 'Negada',
    fields: ['nfeDataAutorizacao'],
    title: '`nfeDataAutorizacao` of a denied invoice is empty',
  },
  {
    clause: 'issuance-callback.protocolo',
    outcome: 'Autorizada',
    fields: ['nfeNumeroProtocolo'],
    title: '`nfeNumeroProtocolo` of an authorised invoice is filled in',
  },
  {
    clause: 'issuance-callback.no-protocolo-when-denied',
    outcome: 'Negada',
    fields: ['nfeNumeroProtocolo'],
    title: '`nfeNumeroProtocolo` of a denied invoice is empty',
  },
  {
    clause: 'issuance-callback.fields-of-denial',
    outcome: 'Negada',
    fields: ['tipo', 'nfeLinkDanfe', 'nfeNumero', 'nfeSerie', 'nfeChaveAcesso', 'nfeDataEmissao', 'nfeDigestValue'],
    title: 'the further fields of a denied invoice are right or empty',
  },
];

for (const { clause, outcome, fields, title } of fieldRules) {
  const isAuthorised = outcome === 'Autorizada';
  const part = isAuthorised ? fieldsOf(authorisedResult, ...fields) : fieldsOf(deniedResult, ...fields);
  const faultsOf = validator(part);
  check(clause, title, async (t) => {
    const { arrival } = await calledBackOnce(t, outcome);
    const faults = faultsOf(bodyOfArrival(arrival));
    t.holds(faults.length === 0, { expected: title, actual: faults.join('; ') });
  });
}

const presence = [
  ['issuance-callback.all-fields', 'Autorizada', 'all fourteen fields are there when an invoice was authorised'],
  ['issuance-callback.all-fields-when-denied', 'Negada', 'all fourteen fields are there when an invoice was denied'],
] as const;

for (const [clause, outcome, title] of presence) {
  const faultsOf = validator(presenceOf(nfeResultByOutcome[outcome]));
  check(clause, title, async (t) => {
    const { arrival } = await calledBackOnce(t, outcome);
    const body = bodyOfArrival(arrival);
    const faults = faultsOf(body);
    const nulls = nfeResultFields.filter((name) => member(body, name) === null).map((name) => `/${name} is null`);
    t.holds(faults.length + nulls.length === 0, {
      expected: 'all fourteen fields, empty texts for what has no value',
      actual: [...faults, ...nulls].join('; '),
    });
  });
}

check('issuance-callback.empresa-id', '`empresaId` is the company that issued', async (t) => {
  const { issuer, arrival } = await calledBackOnce(t, 'Autorizada');
  const empresaId = member(bodyOfArrival(arrival), 'empresaId');
  t.holds(empresaId === issuer.empresaId, {
    expected: issuer.empresaId,
    actual: JSON.stringify(empresaId) ?? 'nothing',
  });
});

check('issuance-callback.nfe-id', '`nfeId` is the id that was sent', async (t) => {
  const { nfeId, arrival } = await calledBackOnce(t, 'Autorizada');
  const found = member(bodyOfArrival(arrival), 'nfeId');
  t.holds(found === nfeId, { expected: nfeId, actual: JSON.stringify(found) ?? 'nothing' });
});

const faultsOfDigest = validator(withoutDigest);

check('issuance-callback.no-digest', '`nfeDigestValue` is empty', async (t) => {
  const { arrival } = await calledBackOnce(t, 'Autorizada');
  const faults = faultsOfDigest(bodyOfArrival(arrival));
  t.holds(faults.length === 0, { expected: 'an empty text', actual: faults.join('; ') });
});

check('issuance-callback.token', 'the `token` header is the registered token, character for character', async (t) => {
  const { callbacks, arrival } = await calledBackOnce(t, 'Autorizada');
  const isThere = arrival.headers.some(([name]) => name.toLowerCase() === 'token');
  t.holds(hasToken(arrival, callbacks.token), {
    expected: 'the header token with the registered token',
    actual: isThere ? 'another token' : 'no token header',
  });
});

/** The link in the callback of an authorised invoice, which a check builds on. */
function linkIn(t: Trial, body: unknown): string {
  const link = member(body, 'nfeLinkXml');
  if (!isHttpUrl(link)) throw lacking(t, 'a link to the XML in the callback');
  return link;
}

/** The XML behind the link of a callback, asked for so many minutes of the application's clock after it came (section 2). */
async function downloadAfter(t: Trial, minutes: number) {
  const caller = await t.target.clockedCaller();
  const issuer = await withEmpresa(t, caller);
  const callbacks = await ownCallbacks(t, caller);
  const { nfeId } = await issue(t, issuer);
  const [arrival] = await callbacksFor(t, issuer, callbacks, nfeId);
  if (!arrival) throw lacking(t, 'a callback');
  await caller.advance(minutes * 60);
  return t.download(linkIn(t, bodyOfArrival(arrival)));
}

check('issuance-callback.xml-link-alive', 'the link of a callback serves the XML', async (t) => {
  const { arrival } = await calledBack(t, 'Autorizada');
  const exchange = await t.download(linkIn(t, bodyOfArrival(arrival)));
  t.holds(isSuccess(exchange), { expected: 'the XML', actual: summary(exchange) });
});

check(
  'issuance-callback.xml-link-alive',
  'the link of a callback serves the XML after 9 minutes',
  async (t) => {
    const exchange = await downloadAfter(t, 9);
    t.holds(isSuccess(exchange), { expected: 'the XML after 9 minutes', actual: summary(exchange) });
  },
  { needs: ['movable-clock'] },
);

check('issuance-callback.xml-link-expires', 'the link of a callback is refused after 11 minutes', async (t) => {
  const exchange = await downloadAfter(t, 11);
  const { status = 0 } = exchange.response ?? {};
  t.holds(status >= 400 && status < 500, { expected: '4xx after 11 minutes', actual: summary(exchange) });
});

check(
  'issuance-callback.xml-of-the-invoice',
  'the XML behind the link carries the chave of the callback',
  async (t) => {
    const { arrival } = await calledBack(t, 'Autorizada');
    const body = bodyOfArrival(arrival);
    const exchange = await t.download(linkIn(t, body));
    const chave = member(body, 'nfeChaveAcesso');
    const text = bodyText(exchange);
    t.holds(typeof chave === 'string' && chave !== '' && text.includes(`NFe${chave}`), {
      expected: `an infNFe with the chave ${JSON.stringify(chave)}`,
      actual: text || summary(exchange),
    });
  },
);

check('issuance-callback.agrees-with-query', 'a query says what the callback said', async (t) => {
  await t.each(['Autorizada', 'Negada'] as const, async (outcome) => {
    if (outcome === 'Negada' && t.target.missing('denied-issuance') !== undefined) return;
    const { issuer, nfeId, arrival } = await calledBackOnce(t, outcome);
    const said = member(bodyOfArrival(arrival), 'nfeStatus');
    const status = statusOf(await query(t, issuer, nfeId));
    t.holds(said === status, {
      expected: `status ${JSON.stringify(said)}, as the callback said`,
      actual: `status ${status}`,
    });
  });
});

check('issuance-callback.one-outcome', 'all callbacks of an invoice tell one outcome', async (t) => {
  await t.each(['Autorizada', 'Negada'] as const, async (outcome) => {
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
  const exchange = await cancel(t, issuer, nfeId);
  if (!isSuccess(exchange)) throw new NotExercised(`the cancellation was refused: ${summary(exchange)}`);
  const arrivals = await callbacksFor(t, issuer, callbacks, nfeId);
  t.holds(arrivals.length === 0, { expected: 'no callback', actual: `${arrivals.length}` });
});
