import fc from 'fast-check';
import { limits } from '../contract/values.ts';
import { transfers, type Call } from '../contract/request.ts';
import { wrongAmbiente, wrongAmbientes } from '../generators/ambientes.ts';
import { jsonCall, pathCall } from '../generators/calls.ts';
import { freshId, tellingIds } from '../generators/nfe-ids.ts';
import type { JsonValue } from '../generators/json.ts';
import type { Exchange } from '../trace/exchange.ts';
import { LeftOut, NotExercised } from '../targets/not-exercised.ts';
import { anyLanguage, eachLanguage } from './kit/texts.ts';
import { callbacksFor, callbacksOf } from './kit/callbacks.ts';
import { check, property } from './kit/check.ts';
import {
  bodyOf,
  endedOtherwise,
  isSuccess,
  issue,
  issuedSince,
  issuerOf,
  issueUnder,
  query,
  queryWhenSettled,
  steerTo,
  sendIssuance,
  statusOf,
  withEmpresa,
  type Issuer,
  isRefusedByEndpoint,
  isRefusedWithArray,
} from './kit/life-cycle.ts';
import { cancelledOnce, issuedOnce, sentOnce } from './kit/read-only.ts';
import { briefly, summary } from './kit/reply.ts';
import type { Trial } from './kit/trial.ts';
import { issuanceCall } from '../generators/issuance.ts';

/** The fields of an issuance that a check chooses. */
interface ChosenFields {
  readonly id?: JsonValue;
  readonly ambienteEmissao?: JsonValue;
}

/** The issuance of the profile's invoice with these values in the named fields. */
function issuanceWith(t: Trial, { empresaId }: Issuer, { id, ambienteEmissao = 'Homologacao' }: ChosenFields): Call {
  return issuanceCall(empresaId, bodyOf(t, 'nf-e.autorizada.json'), { id, ambienteEmissao });
}

/** Sends it. */
function sendWith(t: Trial, issuer: Issuer, fields: ChosenFields): Promise<Exchange> {
  return t.send(issuer.caller, issuanceWith(t, issuer, fields));
}

check('nfe-issuance.status-200', 'an accepted issuance gets 200', async (t) => {
  await issuedOnce(t, await withEmpresa(t, await t.caller()));
});

/** An answer to a body that was sent in some way, or is large; throws a LeftOut where none is taken so. */
function taken(exchange: Exchange): Exchange {
  const { status = 0 } = exchange.response ?? {};
  const isLarge = (exchange.request.rawBody?.length ?? 0) > limits.otherBodyBytes;
  if ([411, 413, 417, 501, ...(isLarge ? [400, 404] : [])].includes(status))
    throw new LeftOut(`no such body is taken: ${summary(exchange)}`);
  return exchange;
}

/** Issues invoices of any size, sent in any way, and asks for each: what was taken has an outcome, however it came. */
async function issueAnyHow(t: Trial, judge: (issued: Exchange, found: Exchange | undefined) => void): Promise<void> {
  const { control } = t.target.address;
  const caller = await t.passingCaller();
  const issuer = await withEmpresa(t, caller);
  await steerTo(t, issuer, 'Autorizada');
  const body = bodyOf(t, 'nf-e.autorizada.json');
  const ways = [{ spaces: 20_000 }, { spaces: 300_000 }, ...transfers.map((transfer) => ({ spaces: 0, transfer }))];
  // Where invoices stay with somebody, one is enough.
  await t.each(control ? ways : ways.slice(0, 1), async ({ spaces, ...how }) => {
    const fields = { id: freshId(), ambienteEmissao: 'Homologacao' };
    const write = (value: JsonValue): string => ' '.repeat(spaces).concat(JSON.stringify(value));
    const exchange = taken(await t.send(caller, { ...issuanceCall(issuer.empresaId, body, fields, write), ...how }));
    judge(exchange, control && isSuccess(exchange) ? await queryWhenSettled(t, issuer, fields.id) : undefined);
  });
}

check(
  'nfe-issuance.status-200',
  'an issuance gets 200 and no content however large it is, and however it is sent',
  (t) =>
    issueAnyHow(t, (exchange) => {
      t.holds(exchange.response?.status === 200, { expected: '200', actual: summary(exchange) });
    }),
  { needs: ['authorised-issuance'] },
);

check(
  'nfe-issuance.authorisation-readable',
  'a query tells that an invoice was authorised, however large it was and however it was sent',
  (t) =>
    issueAnyHow(t, (_, found) => {
      if (!found) return;
      t.holds(statusOf(found) === 'Autorizada', { expected: 'Autorizada', actual: String(statusOf(found)) });
    }),
  { needs: ['movable-clock', 'authorised-issuance'] },
);

check(
  'nfe-issuance.status-200',
  'an issuance gets 200 under an id that is another by its letter case, by a zero, or by one character of many',
  async (t) => {
    const issuer = await withEmpresa(t, await t.caller());
    const [letters, digits] = [freshId(`Nota-${'x'.repeat(60)}`), freshId('1')];
    const alike = [
      letters.toUpperCase(),
      letters.replace('-', '_'),
      `${letters.slice(0, 35)}y${letters.slice(36)}`,
      letters.replace(/.$/, (last) => (last === '7' ? '8' : '7')),
    ];
    // The id that is the less usual one goes first: where that is refused, nothing is known of the other.
    await t.each(
      [
        // Where invoices stay with somebody, one of these is enough.
        { unusual: letters, others: t.target.address.control ? alike : alike.slice(0, 1) },
        { unusual: `0${digits}`, others: [digits] },
      ],
      async ({ unusual, others }) => {
        if (!isSuccess(await sendWith(t, issuer, { id: unusual }))) throw new LeftOut(`the id ${unusual} was refused`);
        for (const other of others) {
          const exchange = await sendWith(t, issuer, { id: other });
          t.holds(isSuccess(exchange), { expected: `accepted beside ${unusual}`, actual: summary(exchange) });
        }
      },
    );
  },
  { needs: ['authorised-issuance'] },
);

check('nfe-issuance.no-content', 'the answer to an accepted issuance is zero bytes long', async (t) => {
  await issuedOnce(t, await withEmpresa(t, await t.caller()));
});

check('nfe-issuance.denial-accepted', 'an issuance that will be denied is accepted', async (t) => {
  const issuer = await withEmpresa(t, await t.caller());
  const { exchange } = await sentOnce(t, issuer, 'Negada');
  const status = exchange.response?.status;
  if (!t.target.address.control && (status === 400 || status === 404)) {
    throw new NotExercised(`the profile's nf-e.negada.json was refused: ${briefly(exchange)}`, 'settings');
  }
  t.holds(isSuccess(exchange), {
    expected: 'accepted, whatever the tax authority will decide',
    actual: summary(exchange),
    hint: 'a denial is no HTTP error: it is read from the query and the callback',
  });
});

/** Issues, and fails unless the outcome that the profile promises can be read through the query. */
async function outcomeIsReadable(t: Trial, outcome: 'Autorizada' | 'Negada'): Promise<void> {
  const issuer = await issuerOf(t);
  const { nfeId } = await issuedOnce(t, issuer, outcome);
  const exchange = await queryWhenSettled(t, issuer, nfeId);
  const status = statusOf(exchange);
  if (status !== outcome && !t.target.address.control) throw endedOtherwise(outcome, exchange);
  t.holds(status === outcome, {
    expected: `status ${outcome} once the tax authority has decided`,
    actual: status === undefined ? summary(exchange) : `status ${status}`,
  });
}

check('nfe-issuance.authorisation-readable', 'a query tells that an invoice was authorised', (t) =>
  outcomeIsReadable(t, 'Autorizada'),
);

check('nfe-issuance.denial-readable', 'a query tells that an invoice was denied', (t) =>
  outcomeIsReadable(t, 'Negada'),
);

/** Issuances that are under way at once, as often as that is tried; where invoices stay with somebody, two once. */
const bursts = [2, 8, 4, 8];

check(
  'nfe-issuance.id-unique-in-company',
  'of issuances with one id under way at once no more than one is accepted',
  async (t) => {
    const issuer = await withEmpresa(t, await t.caller());
    const { control, maxRps } = t.target.address;
    await t.each(control ? bursts.slice(0, maxRps > 0 ? 2 : bursts.length) : [2], async (count) => {
      const call = issuanceWith(t, issuer, { id: freshId() });
      const answers = await t.sendAtOnce(
        issuer.caller,
        Array.from({ length: count }, () => call),
      );
      // Of one that was sent again, or held back by a limit, nobody knows what became of it.
      if (answers.some(({ isResent, response }) => isResent || response?.status === 429)) return;
      const [, ...others] = answers.toSorted((one, other) => Number(isSuccess(other)) - Number(isSuccess(one)));
      for (const other of others) isRefusedByEndpoint(t, other, 'the id was taken at the same time');
    });
  },
);

property(
  'nfe-issuance.id-unique-in-company',
  'an id that an invoice of the company has is refused',
  fc.constantFrom(...tellingIds),
  async (t, shape) => {
    const issuer = await withEmpresa(t, await t.caller());
    const { nfeId } = await issueUnder(t, issuer, shape);
    isRefusedByEndpoint(t, await sendWith(t, issuer, { id: nfeId }), 'the id is taken and was accepted again');
  },
  { examples: ['nfe'], mostPolitely: 3, mostOnSandbox: 3 },
);

/** More invoices than a service remembers that only knows the latest. */
const remembered = 12;

check(
  'nfe-issuance.id-unique-in-company',
  'an id that is taken is refused however the issuance is sent, and whatever was issued since',
  async (t) => {
    const issuer = await withEmpresa(t, await t.caller());
    const { nfeId } = await issuedOnce(t, issuer);
    while (t.target.address.control && issuedSince(issuer, nfeId) < remembered) await issue(t, issuer);
    const fields = { id: nfeId, ambienteEmissao: 'Homologacao' };
    const call = issuanceCall(issuer.empresaId, bodyOf(t, 'nf-e.autorizada.json'), fields);
    await t.each([undefined, ...transfers], async (transfer) => {
      const exchange = taken(await t.send(issuer.caller, { ...call, ...(transfer && { transfer }) }));
      isRefusedByEndpoint(t, exchange, 'the id is taken and was accepted again');
    });
  },
);

check(
  'nfe-issuance.id-unique-in-company',
  'the id of a cancelled invoice is refused',
  async (t) => {
    const issuer = await issuerOf(t);
    const { nfeId, exchange } = await cancelledOnce(t, issuer);
    if (!isSuccess(exchange)) throw new NotExercised(`the cancellation was refused: ${briefly(exchange)}`);
    const again = await sendWith(t, issuer, { id: nfeId });
    isRefusedByEndpoint(t, again, 'the id of a cancelled invoice is taken as well');
  },
  { needs: ['authorised-issuance'] },
);

check('nfe-issuance.id-unique-in-company', 'an id that is taken is refused with another content', async (t) => {
  const issuer = await withEmpresa(t, await t.caller());
  const { nfeId } = await issuedOnce(t, issuer);
  const body = { ...bodyOf(t, 'nf-e.autorizada.json'), informacoesAdicionais: 'outra nota' };
  const call = issuanceCall(issuer.empresaId, body, { id: nfeId, ambienteEmissao: 'Homologacao' });
  isRefusedByEndpoint(t, await t.send(issuer.caller, call), 'the id is taken, whatever the invoice has in it');
  if (!t.target.address.control) return;
  const status = statusOf(await queryWhenSettled(t, issuer, nfeId));
  t.holds(status === 'Autorizada', {
    expected: 'the invoice that has the id as it was',
    actual: `status ${status}`,
  });
});

check(
  'nfe-issuance.id-unique-in-company',
  'an id that is taken is refused in the other environment',
  async (t) => {
    const issuer = await withEmpresa(t, await t.caller());
    const { nfeId } = await issuedOnce(t, issuer);
    const exchange = await sendWith(t, issuer, { id: nfeId, ambienteEmissao: 'Producao' });
    isRefusedByEndpoint(t, exchange, 'the id is taken in the company, whatever the environment');
  },
  { needs: ['real-issuance'] },
);

check(
  'nfe-issuance.id-unique-in-company',
  'an id is taken for good: while its invoice waits, and after days',
  async (t) => {
    const caller = await t.target.clockedCaller({ settleSeconds: 60 });
    const issuer = await withEmpresa(t, caller);
    const { nfeId } = await issue(t, issuer);
    isRefusedByEndpoint(t, await sendWith(t, issuer, { id: nfeId }), 'the id is taken while its invoice waits');
    await caller.advance(2 * 86_400);
    isRefusedByEndpoint(t, await sendWith(t, issuer, { id: nfeId }), 'the id was taken two days ago');
  },
  { needs: ['movable-clock', 'authorised-issuance'] },
);

check(
  'nfe-issuance.id-free-in-other-company',
  'an id that an invoice of another company has is accepted',
  async (t) => {
    const caller = await t.caller();
    const { nfeId } = await issue(t, await withEmpresa(t, caller));
    const exchange = await sendWith(t, await withEmpresa(t, caller, 'other'), { id: nfeId });
    t.holds(isSuccess(exchange), {
      expected: 'accepted, since the id is unique per company',
      actual: summary(exchange),
    });
  },
);

check(
  'nfe-issuance.id-unique-in-company',
  'an id is taken in each of two companies of an application once that one has an invoice of it',
  async (t) => {
    const caller = await t.passingCaller();
    const { nfeId } = await issue(t, await withEmpresa(t, caller));
    const second = await withEmpresa(t, caller, 'other');
    await issue(t, second, 'nf-e.autorizada.json', nfeId);
    isRefusedByEndpoint(t, await sendWith(t, second, { id: nfeId }), 'the id is taken in the second company');
  },
  { needs: ['other-empresa', 'chosen-application'] },
);

check('nfe-issuance.id-required', 'an issuance without `id` is refused', async (t) => {
  const issuer = await withEmpresa(t, await t.caller());
  await issuedOnce(t, issuer);
  await sendWith(t, issuer, {});
});

const noIds: readonly JsonValue[] = [null, 12, { id: 'a' }, ['a'], true, 0, 1.5, [], {}];

property(
  'nfe-issuance.id-string',
  'an `id` that is no string is refused',
  fc.constantFrom(...noIds),
  async (t, id) => {
    const issuer = await withEmpresa(t, await t.caller());
    await issuedOnce(t, issuer);
    await sendWith(t, issuer, { id });
  },
  { examples: noIds, mostPolitely: 4 },
);

property(
  'nfe-issuance.ambiente-known',
  'an `ambienteEmissao` that names neither environment is refused',
  wrongAmbiente(),
  async (t, { value }) => {
    const issuer = await withEmpresa(t, await t.caller());
    await issuedOnce(t, issuer);
    await sendWith(t, issuer, { id: freshId(), ambienteEmissao: value });
  },
  { examples: wrongAmbientes, mostPolitely: 6 },
);

check('nfe-issuance.both-ambientes', 'an issuance in each of the two environments is accepted', async (t) => {
  const issuer = await withEmpresa(t, await t.caller());
  await t.each(['Homologacao', 'Producao'], async (ambienteEmissao) => {
    const exchange = await sendWith(t, issuer, { id: freshId(), ambienteEmissao });
    t.holds(isSuccess(exchange), { expected: `${ambienteEmissao} accepted`, actual: summary(exchange) });
  });
});

property(
  'nfe-issuance.error-array',
  'a refused issuance gets 400 or 404 and the error array',
  anyLanguage,
  async (t, language) => {
    const issuer = await withEmpresa(t, await t.caller());
    const exchange = await sendIssuance(t, issuer, 'nf-e.invalida.json', freshId(), language);
    if (isSuccess(exchange)) throw acceptedInvalid();
    isRefusedWithArray(t, exchange);
  },
  eachLanguage,
);

check(
  'nfe-issuance.unknown-company',
  'an issuance for a company that does not exist gets 400 or 404 and the error array',
  async (t) => {
    const empresaId = freshId('empresa');
    isRefusedWithArray(t, await sendIssuance(t, { caller: await t.caller(), empresaId }, 'nf-e.autorizada.json'));
  },
);

function acceptedInvalid(): NotExercised {
  return new NotExercised("the profile's nf-e.invalida.json was accepted: it is to be refused", 'settings');
}

/** Sends a text as an issuance, which is to be refused. */
async function isNoIssuance(t: Trial, bodyText: string): Promise<void> {
  const { caller, empresaId } = await withEmpresa(t, await t.caller());
  const { path } = pathCall('nfe-issuance', { empresaId });
  isRefusedWithArray(t, await t.send(caller, { ...jsonCall('nfe-issuance', bodyText), path }));
}

const scraps = ['', ' ', '{', '{"id":', '[]', '"texto"', '17', 'null', 'true'];

property(
  'nfe-issuance.malformed-json',
  'a scrap that is no JSON object gets 400 or 404 and the error array',
  fc.constantFrom(...scraps),
  isNoIssuance,
  { examples: scraps, mostPolitely: 5 },
);

const nearObjects = ['[{}]', '{"id":"a"}{"id":"b"}', "{'id':'a'}"];

property(
  'nfe-issuance.malformed-json',
  'a body that is nearly a JSON object gets 400 or 404 and the error array',
  fc.constantFrom(...nearObjects),
  isNoIssuance,
  { needs: ['empresa', 'real-issuance'], examples: nearObjects, mostPolitely: nearObjects.length },
);

check('nfe-issuance.refused-leaves-nothing', 'what was refused is neither found nor called back', async (t) => {
  const issuer = await withEmpresa(t, await t.passingCaller());
  const [callbacks, nfeId] = [await callbacksOf(t, issuer.caller), freshId()];
  if (isSuccess(await sendIssuance(t, issuer, 'nf-e.invalida.json', nfeId))) throw acceptedInvalid();
  await query(t, issuer, nfeId);
  await callbacksFor(t, issuer, callbacks, nfeId);
});

check(
  'nfe-issuance.company-of-its-integrator',
  'an application of another integrator is refused where the one of the company issues',
  async (t) => {
    const issuer = await withEmpresa(t, await t.passingCaller());
    const stranger = await t.callerLike({ appName: 'Another integrator' });
    await sendIssuance(t, { ...issuer, caller: stranger }, 'nf-e.autorizada.json');
    await issue(t, issuer);
  },
);
