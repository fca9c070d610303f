import fc from 'fast-check';
import { transfers, type Transfer } from '../contract/request.ts';
import { wrongAmbiente, wrongAmbientes, issuanceCall } from '../generators/issuance.ts';
import { jsonCall, pathCall } from '../generators/calls.ts';
import { inSomeLanguage } from '../generators/wished-language.ts';
import { freshId } from '../generators/nfe-ids.ts';
import { sendCertificate } from '../targets/empresa.ts';
import type { Exchange } from '../trace/exchange.ts';
import { LeftOut, NotExercised } from '../targets/not-exercised.ts';
import { anyLanguage, eachLanguage } from './kit/texts.ts';
import { callbacksFor, callbacksOf, newToken, register, type Callbacks } from './kit/callbacks.ts';
import { check, property } from './kit/check.ts';
import { enlarged, sendWith, taken } from './kit/issuance-fields.ts';
import {
  bodyOf,
  cameTwice,
  cancel,
  endedOtherwise,
  certifyAnew,
  disabledForAMoment,
  isSuccess,
  rotated,
  issue,
  issuerOf,
  issueSettled,
  query,
  queryWhenSettled,
  steerTo,
  sendIssuance,
  statusOf,
  withEmpresa,
  isRefusedWithArray,
  type Issuer,
  toldStatus,
} from './kit/life-cycle.ts';
import { issuedOnce, sentOnce } from './kit/read-only.ts';
import { briefly, summary } from './kit/reply.ts';
import type { Trial } from './kit/trial.ts';
import type { JsonValue } from '../schemas/values.ts';

check('nfe-issuance.status-200', 'an accepted issuance gets 200', async (t) => {
  await issuedOnce(t, await withEmpresa(t, await t.caller()));
});

check(
  'nfe-issuance.status-200',
  'an issuance gets 200 after others of its company were denied and cancelled',
  async (t) => {
    const issuer = await issuerOf(t);
    const { nfeId } = await issueSettled(t, issuer);
    await issueSettled(t, issuer, 'Negada');
    await cancel(t, issuer, nfeId);
    await queryWhenSettled(t, issuer, nfeId);
    await steerTo(t, issuer, 'Autorizada');
    await sendIssuance(t, issuer);
  },
  { needs: ['chosen-application', 'authorised-issuance', 'denied-issuance'] },
);

check(
  'nfe-issuance.status-200',
  'an issuance gets 200 after a rotation, once its application was disabled, and with another certificate',
  async (t) => {
    const before = await withEmpresa(t, await t.target.clockedCaller());
    await issue(t, before);
    const issuer = await rotated(t, before);
    const changes = [undefined, () => disabledForAMoment(t, issuer.caller), () => certifyAnew(t, issuer)];
    for (const change of changes) {
      await change?.();
      const exchange = await sendIssuance(t, issuer);
      t.holds(isSuccess(exchange), { expected: 'accepted, as one was before', actual: summary(exchange) });
    }
  },
  { needs: ['rotation', 'movable-clock'] },
);

/** How an issuance is made large and sent: with spaces before it, or with more in it. */
interface SentHow {
  readonly spaces: number;
  readonly added?: number;
  readonly transfer?: Transfer;
}

const anyHow: readonly SentHow[] = [
  { spaces: 20_000 },
  { spaces: 300_000 },
  { spaces: 0, added: 100_000 },
  ...transfers.map((transfer) => ({ spaces: 0, transfer })),
];

/** Issues invoices of any size, sent in any way; where invoices stay with somebody, one alone, sent so. */
async function issueAnyHow(
  t: Trial,
  alone: SentHow,
  judge: (issued: Exchange, outcome: () => Promise<Exchange>) => Promise<void>,
): Promise<void> {
  const { control } = t.target.address;
  const caller = control ? await t.passingCaller() : await t.caller();
  const issuer = await withEmpresa(t, caller);
  await steerTo(t, issuer, 'Autorizada');
  const body = bodyOf(t, 'nf-e.autorizada.json');
  await t.each(control ? anyHow : [alone], async ({ spaces, added, ...how }) => {
    const fields = { id: freshId(), ambienteEmissao: 'Homologacao' };
    const content = added === undefined ? body : enlarged(body, added);
    const write = (value: JsonValue): string => ' '.repeat(spaces).concat(JSON.stringify(value));
    const exchange = taken(await t.send(caller, { ...issuanceCall(issuer.empresaId, content, fields, write), ...how }));
    await judge(exchange, () => queryWhenSettled(t, issuer, fields.id));
  });
}

check(
  'nfe-issuance.status-200',
  'an issuance gets 200 and no content however large it is, and however it is sent',
  (t) =>
    issueAnyHow(t, { spaces: 20_000 }, async (exchange) => {
      t.holds(exchange.response?.status === 200, { expected: '200', actual: summary(exchange) });
    }),
  { needs: ['authorised-issuance'] },
);

check(
  'nfe-issuance.authorisation-readable',
  'a query tells that an invoice was authorised, however large it was and however it was sent',
  (t) =>
    issueAnyHow(t, { spaces: 20_000, transfer: 'chunked' }, async (issued, outcome) => {
      if (!isSuccess(issued)) throw new LeftOut(`the issuance was not accepted: ${summary(issued)}`);
      const found = await outcome();
      const { control } = t.target.address;
      if (!control && statusOf(found) === 'Negada') throw endedOtherwise('Autorizada', found);
      t.holds(statusOf(found) === 'Autorizada', {
        expected: 'status Autorizada once the tax authority has decided',
        actual: toldStatus(found),
        restsOnTime: control === undefined,
      });
    }),
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
    actual: toldStatus(exchange),
  });
}

check('nfe-issuance.authorisation-readable', 'a query tells that an invoice was authorised', (t) =>
  outcomeIsReadable(t, 'Autorizada'),
);

check('nfe-issuance.denial-readable', 'a query tells that an invoice was denied', (t) =>
  outcomeIsReadable(t, 'Negada'),
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
    const exchange = await sendIssuance(t, issuer, { file: 'nf-e.invalida.json', language });
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
    isRefusedWithArray(t, await sendIssuance(t, { caller: await t.caller(), empresaId }));
  },
);

function acceptedInvalid(): NotExercised {
  return new NotExercised("the profile's nf-e.invalida.json was accepted: it is to be refused", 'settings');
}

/** Sends a text as an issuance, which is to be refused. */
async function isNoIssuance(t: Trial, bodyText: string): Promise<void> {
  const { caller, empresaId } = await withEmpresa(t, await t.caller());
  const { path } = pathCall('nfe-issuance', { empresaId });
  isRefusedWithArray(t, await t.send(caller, inSomeLanguage({ ...jsonCall('nfe-issuance', bodyText), path })));
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

check(
  'nfe-issuance.refused-leaves-nothing',
  'what was refused is not found, called back, or in the way',
  async (t) => {
    // The address stays with the application, and a callback of another invoice would be taken for one of this.
    const issuer = await withEmpresa(t, await t.target.patientCaller());
    const [callbacks, nfeId] = [await callbacksOf(t, issuer.caller), freshId()];
    if (isSuccess(await sendIssuance(t, issuer, { file: 'nf-e.invalida.json', nfeId }))) throw acceptedInvalid();
    await query(t, issuer, nfeId);
    await callbacksFor(t, issuer, callbacks, nfeId);
    const mended = await sendIssuance(t, issuer, { nfeId });
    if (isSuccess(mended)) return t.target.address.control ? stillIssues(t, issuer, callbacks, nfeId) : undefined;
    const other = await issue(t, issuer);
    t.holds(isSuccess(mended), {
      expected: `accepted as ${other.nfeId} is, since it was mended`,
      actual: summary(mended),
    });
  },
  { needs: ['chosen-application'] },
);

check(
  'nfe-issuance.refused-leaves-nothing',
  'a body that was authorised is still accepted after another was refused',
  async (t) => {
    const [issuer, nfeId] = [await issuerOf(t), freshId()];
    if (isSuccess(await sendIssuance(t, issuer, { file: 'nf-e.invalida.json', nfeId }))) throw acceptedInvalid();
    const isKept = isSuccess(await query(t, issuer, nfeId));
    const exchange = await sendIssuance(t, issuer, { nfeId });
    t.holds(isSuccess(exchange), {
      expected: 'accepted, as the same body with another id was when the run began',
      actual: briefly(exchange),
      hint: isSuccess(exchange) ? undefined : await whyRefused(t, issuer, nfeId, isKept),
    });
  },
  { needs: ['authorised-issuance'] },
);

/** Why a right issuance is refused after a wrong one with its id, which may have been kept. */
async function whyRefused(t: Trial, issuer: Issuer, nfeId: string, isKept: boolean): Promise<string> {
  const twice = isKept ? undefined : await cameTwice(t, issuer, nfeId);
  if (twice !== undefined) return twice;
  const isIdTaken = isKept || isSuccess(await sendIssuance(t, issuer, { nfeId: freshId() }));
  return isIdTaken
    ? 'an id is taken though its invoice was refused'
    : 'what was wrong with a body is held against those after it';
}

/** Uploads the profile's certificate to a company, its password with this behind it; `undefined` where the profile has none. */
async function upload(t: Trial, { caller, empresaId }: Issuer, behind: string): Promise<Exchange | undefined> {
  const { certificado } = t.target.profile;
  const file = t.target.profile.bytes('certificado.pfx');
  if (!certificado || !file) return undefined;
  const fields = Object.fromEntries(Object.entries(certificado.fields).map(([name, text]) => [name, text + behind]));
  return sendCertificate((call) => t.send(caller, call), empresaId, file, { ...certificado, fields });
}

/** Fails where a certificate that is refused for its password, or an address that is none, takes the place of the one of before. */
async function stillIssues(t: Trial, issuer: Issuer, callbacks: Callbacks, issued: string): Promise<void> {
  const isCalledBack = async (id: string): Promise<boolean> =>
    (await callbacksFor(t, issuer, callbacks, id)).length > 0;
  const wasCalledBack = await isCalledBack(issued);
  const isAddressRefused = !isSuccess(await register(t, issuer.caller, '/relative', newToken(t)));
  const uploaded = await upload(t, issuer, '-x');
  if (!uploaded || isSuccess(uploaded)) return;
  const nfeId = freshId();
  const next = await sendIssuance(t, issuer, { nfeId });
  t.holds(isSuccess(next), {
    expected: 'accepted as before a certificate with a wrong password was refused',
    actual: summary(next),
  });
  if (!wasCalledBack || !isAddressRefused) return;
  t.holds(await isCalledBack(nfeId), {
    expected: 'a callback at the address of before another one was refused',
    actual: 'none',
    restsOnTime: true,
  });
}

check(
  'nfe-issuance.company-of-its-integrator',
  'an application of another integrator is refused where the one of the company issues',
  async (t) => {
    const issuer = await withEmpresa(t, await t.passingCaller());
    const stranger = { ...issuer, caller: await t.callerLike({ appName: 'Another integrator' }) };
    await sendIssuance(t, stranger);
    await upload(t, stranger, '');
    await issue(t, issuer);
  },
);
