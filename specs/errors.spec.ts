import fc from 'fast-check';
import { endpoint, fillPath } from '../contract/endpoints.ts';
import { codes } from '../contract/values.ts';
import { echoCall, jsonCall, multipartCall, pathCall, nineRetiredCalls } from '../generators/calls.ts';
import { plainFlaws, signChanged, withoutHeaders } from '../generators/flaws.ts';
import { anyProbe, inTellingLanguages } from '../generators/probes.ts';
import { wishedLanguages, wishing } from '../generators/wished-language.ts';
import type { Call } from '../contract/request.ts';
import { member } from '../schemas/values.ts';
import { jsonOf, type Exchange } from '../trace/exchange.ts';
import type { Caller } from '../targets/applications.ts';
import { sendCertificate } from '../targets/empresa.ts';
import { cpfCheckDigits } from '../generators/domain.ts';
import { check, property } from './kit/check.ts';
import { withEmpresa } from './kit/life-cycle.ts';
import { mostBursts, untilLimited } from './kit/lattice.ts';
import { leaveOutUnread, summary } from './kit/reply.ts';
import { numbersOf } from './kit/verification.ts';
import type { Trial } from './kit/trial.ts';

/** Sees that a refusal has that status, which a check builds on; what its envelope is like is for the judge. */
function isRefusedAs(t: Trial, exchange: Exchange, status: number): void {
  leaveOutUnread(exchange);
  t.presumes(exchange.response?.status === status, { expected: String(status), actual: summary(exchange) });
}

property(
  'errors.envelope-of-403',
  'the 403 of every endpoint carries a platform envelope with `errorType` 1',
  fc.record({ probe: anyProbe(), wish: fc.constantFrom(...wishedLanguages) }),
  async (t, { probe, wish }) => {
    const call = wishing(probe.callAs(t.target.address.xmlContentType), wish);
    isRefusedAs(t, await t.send(await t.callerIn('unsubscribed-application'), call), 403);
  },
  { examples: inTellingLanguages, mostPolitely: inTellingLanguages.length, pool: 'probes' },
);

property(
  'errors.envelope-of-410',
  'the 410 of every retired path carries a platform envelope with `errorType` 1',
  fc.constantFrom(...nineRetiredCalls),
  async (t, { call }) => {
    isRefusedAs(t, await t.send(await t.caller(), call), 410);
  },
  { examples: nineRetiredCalls, mostPolitely: nineRetiredCalls.length, pool: 'retired paths' },
);

property(
  'errors.envelope-of-429',
  'a 429 carries a platform envelope',
  anyProbe(['echo']),
  async (t, { callAs }) => {
    isRefusedAs(t, await untilLimited(t, await t.callerIn('rate-limited-application'), callAs('')), 429);
  },
  { most: mostBursts, mostPolitely: 1 },
);

/** What every endpoint that is only asked something is asked for in vain. */
const askedInVain = [
  pathCall('nfe-query', { empresaId: 'unknown', nfeId: 'unknown' }),
  pathCall('nfe-cancellation', { empresaId: 'unknown', nfeId: 'unknown' }),
  pathCall('chave-lookup', { chave: '0'.repeat(44) }),
  pathCall('cnpj-lookup', { cnpj: '0'.repeat(14) }),
  // A day of leap years, one of no calendar, and one on which summer time began in Brazil: it has no midnight. The CPF is invented, but
  // has right check digits: with others nobody may look at the date.
  ...['29022000', '31022000', '15101995'].map((nascimento) =>
    pathCall('cpf-lookup', { cpf: `999000000${cpfCheckDigits('999000000')}`, nascimento }),
  ),
];

check(
  'errors.own-statuses',
  'what is asked for in vain is answered with a status of its endpoint',
  async (t) => {
    const caller = await t.caller();
    await t.send(caller, echoCall('what is there'));
    await t.each(askedInVain, async (call) => void (await t.send(caller, call)));
  },
  { pool: 'lookups' },
);

/** No JSON objects: of the first nothing can be taken, so nothing is left behind. Issuance has checks of its own. */
const noObjects = ['{"', '[]', 'null'];

check('errors.own-statuses', 'a body that is no JSON object is answered with a status of its endpoint', async (t) => {
  const caller = await t.caller();
  // How these endpoints refuse is not shown: a word says as much, and then it is the echo that is judged.
  await t.send(caller, echoCall('what is there'));
  const bodies = t.target.address.control ? noObjects : noObjects.slice(0, 1);
  const calls = (['echo', 'empresa-registration', 'webhook-registration'] as const).flatMap((name) =>
    bodies.map((body) => jsonCall(name, body)),
  );
  await t.each(calls, async (call) => void (await t.send(caller, call)));
});

check(
  'errors.own-statuses',
  'an upload that holds no certificate is answered with a status of its endpoint',
  async (t) => {
    // A company of nobody else's: where anything is taken for a certificate, another one's would be lost.
    const { caller, empresaId } = await withEmpresa(t, await t.target.clockedCaller());
    const { certificado = { file: 'arquivo', fields: {} } } = t.target.profile;
    const path = fillPath(endpoint('certificado-association').path, { empresaId });
    await t.send(caller, { ...multipartCall('a field, and no file'), path });
    await sendCertificate((call) => t.send(caller, call), empresaId, Buffer.from('no certificate'), certificado);
  },
  { needs: ['movable-clock'] },
);

check('errors.no-session', 'a first request needs no cookie, and the one after it the headers again', async (t) => {
  const caller = await t.caller();
  const first = await t.accepts(caller, wishing(echoCall('first request'), ['Accept-Language', 'en']));
  const cookies = (first.response?.headers ?? []).filter(([name]) => name.toLowerCase() === 'set-cookie');
  const cookie = cookies.map(([, value]) => value.split(';', 1)[0]).join('; ');
  const again = { ...echoCall('second request'), ...(cookie === '' ? {} : { headers: [['cookie', cookie] as const] }) };
  const flaw = withoutHeaders(['token', 'timestamp', 'sign']);
  await t.refuses(
    caller,
    again,
    codes.headersMissing,
    flaw.apply,
    'an earlier request or its cookie stands in for the headers',
  );
  // Who remembers that somebody signed rightly may do so for some requests alone.
  const lookup = pathCall('cnpj-lookup', { cnpj: '00000000000000' });
  const isPaced = t.target.address.maxRps > 0;
  const flaws = isPaced ? plainFlaws.slice(-2) : plainFlaws;
  const calls = isPaced && cookie === '' ? [lookup] : [again, lookup];
  await t.each(
    flaws.flatMap((flaw) => calls.map((call) => ({ ...flaw, call }))),
    async ({ refusal, apply, call }) => void (await t.refuses(caller, call, refusal, apply)),
  );
  if (cookie !== '') await forgetsTheLanguage(t, caller, { first, again });
});

/** Sees that a cookie does not keep the language in which a request was answered that asked for English. */
async function forgetsTheLanguage(
  t: Trial,
  caller: Caller,
  { first, again }: { first: Exchange; again: Call },
): Promise<void> {
  const [plain, withCookie] = [await t.accepts(caller, echoCall('second request')), await t.accepts(caller, again)];
  const [english, due, came] = [first, plain, withCookie].map(
    ({ response }) => response && member(jsonOf(response), 'message'),
  );
  t.holds(came !== english || due === english, {
    expected: `${JSON.stringify(due)}, as without the cookie`,
    actual: JSON.stringify(came),
    hint: 'the cookie of a request in another language keeps that language',
  });
}

const unsigned = [withoutHeaders(['token', 'timestamp', 'sign']), signChanged('all zeros', () => '0'.repeat(32))];

check(
  'errors.no-session',
  'what a registry has told one caller is told to nobody who does not sign',
  async (t) => {
    const { cnpj, cpf, nascimento } = numbersOf(t);
    const calls = [pathCall('cnpj-lookup', { cnpj }), pathCall('cpf-lookup', { cpf, nascimento })];
    await t.each(calls, async (call) => {
      const caller = await t.caller();
      await t.accepts(caller, call);
      for (const { refusal, apply } of unsigned) {
        await t.refuses(caller, call, refusal, apply, 'an answer is kept and given to whoever asks for the same');
      }
    });
  },
  { needs: ['known-cnpj', 'known-cpf'] },
);
