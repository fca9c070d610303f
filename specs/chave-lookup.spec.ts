import { chaveIn } from '../contract/values.ts';
import fc from 'fast-check';
import { chave as anyChave } from '../generators/domain.ts';
import { pathCall } from '../generators/calls.ts';
import { eachLanguageOnce, inSomeLanguage, wishing } from '../generators/wished-language.ts';
import type { Exchange } from '../trace/exchange.ts';
import { member } from '../schemas/values.ts';
import { NotExercised } from '../targets/not-exercised.ts';
import { bodyRefused, briefly, jsonBody, summary } from './kit/reply.ts';
import { check, property } from './kit/check.ts';
import { isSuccess, withEmpresa } from './kit/life-cycle.ts';
import { ownVerification } from './kit/own-verification.ts';
import type { Trial } from './kit/trial.ts';
import { ownVerdicts } from './kit/verdicts.ts';
import {
  conclusionOf,
  documentOf,
  isOnRecord,
  isRefusedWithCode,
  lookUp,
  lookUpForced,
  lookUpSettled,
  ownDocument,
  toldVerdict,
  validationStatusOf,
  verifyDocument,
} from './kit/verification.ts';

const pool = 'lookups';

/** Looks the profile's valid document up, which was verified before. */
async function finds(t: Trial): Promise<void> {
  const caller = await t.caller();
  const document = documentOf(t, 'verificacao.autorizada.xml');
  const verified = isSuccess(await verifyDocument(t, caller, document));
  const call = pathCall('chave-lookup', { chave: chaveIn(document) ?? '' });
  for (const wish of eachLanguageOnce) {
    const exchange = await lookUpSettled(t, caller, wishing(call, wish), (answer) => isSuccess(answer) || !verified);
    if (isSuccess(exchange)) continue;
    const what = "the chave of the profile's document";
    // Of a document that got a verdict it is no matter of the profile.
    throw verified ? new NotExercised(`${what} was refused: ${briefly(exchange)}`) : bodyRefused(what, exchange);
  }
}

check('chave-lookup.bare', 'the answer to a lookup has no platform envelope', finds, { pool });

check(
  'chave-lookup.shape-of-verification',
  'the answer has `validation.validationStatus`',
  async (t) => {
    const rejected = t.target.profile.bytes('verificacao.rejeitada.xml');
    // How a chave is answered whose document was rejected is free, but for a verdict that is told as an error.
    if (rejected) {
      await verifyDocument(t, await t.caller(), rejected);
      await lookUp(t, await t.caller(), chaveIn(rejected.toString('utf8')) ?? '');
    }
    await finds(t);
  },
  { pool },
);

check(
  'chave-lookup.shape-of-verification',
  'the chave of an own invoice that was verified is found',
  async (t) => {
    const { caller, chave, exchange } = await ownVerification(t);
    if (!isSuccess(exchange)) throw new NotExercised(`the document was refused: ${briefly(exchange)}`);
    const verdict = toldVerdict(exchange);
    if (!isOnRecord(exchange)) throw new NotExercised(`the authority does not know it for sure: ${verdict}`);
    const found = await lookUpSettled(t, caller, pathCall('chave-lookup', { chave }), isSuccess);
    t.holds(isSuccess(found), {
      expected: '200 for the chave of a document that was verified',
      actual: summary(found),
    });
  },
  { isOtherWay: true },
);

check('chave-lookup.reads-latest-verdict', 'a lookup tells what the verification told', async (t) => {
  const caller = await t.caller();
  const files = ['verificacao.rejeitada.xml', 'verificacao.autorizada.xml'] as const;
  // Both before either is looked up; of two with one chave the latest counts.
  const told = new Map<string, { readonly file: string; readonly verified: unknown }>();
  for (const file of files.filter((each) => t.target.profile.bytes(each) !== undefined)) {
    const document = documentOf(t, file);
    const verified = validationStatusOf(await verifyDocument(t, caller, document));
    told.set(chaveIn(document) ?? '', { file, verified });
  }
  await t.each([...told], async ([chave, { file, verified }]) => {
    if (verified !== 'VALIDATED' && verified !== 'REJECTED') {
      throw new NotExercised(`the profile's ${file} got no verdict`, 'settings');
    }
    const call = pathCall('chave-lookup', { chave });
    const exchange = await lookUpSettled(t, caller, call, (answer) => validationStatusOf(answer) === verified);
    t.holds(conclusionOf(t, exchange) === verified, {
      expected: `${verified}, as the verification of ${file} said`,
      actual: toldVerdict(exchange),
    });
  });
});

check(
  'chave-lookup.reads-latest-verdict',
  'a lookup tells what the last verification told, and no longer the one before',
  async (t) => {
    const caller = await t.target.clockedCaller();
    const { document, chave } = await ownDocument(t, await withEmpresa(t, caller));
    await t.each(['Autorizada', 'Cancelada'] as const, async (status) => {
      await t.target.putInvoice(chave, { status });
      const exchange = await verifyDocument(t, caller, document);
      const verified = validationStatusOf(exchange);
      if (!isSuccess(exchange)) throw new NotExercised(`the document was refused: ${briefly(exchange)}`);
      await caller.advance(0);
      const call = pathCall('chave-lookup', { chave });
      const found = await lookUpSettled(t, caller, call, (answer) => validationStatusOf(answer) === verified);
      t.holds(validationStatusOf(found) === verified, {
        expected: `${String(verified)}, as the verification of the document said`,
        actual: toldVerdict(found),
      });
    });
    const after = { ...caller, ...(await t.target.rotate(caller)) };
    const found = await lookUpSettled(t, after, pathCall('chave-lookup', { chave }), isSuccess);
    t.holds(isSuccess(found), { expected: 'the verdict of before the rotation', actual: summary(found) });
  },
  { needs: ['movable-clock', 'empresa', 'authorised-issuance', 'rotation'] },
);

/** Each value in a body with the way to it: ids and times drop out where two such sets are intersected. */
function valuesOf(body: unknown, path = ''): Set<string> {
  if (typeof body !== 'object' || body === null) return new Set([`${path} ${JSON.stringify(body)}`]);
  return new Set(Object.entries(body).flatMap(([name, value]) => [...valuesOf(value, `${path}/${name}`)]));
}

/** How often it is asked again for what is missing: what only one of two nodes says may be missing several times in a row. */
const mostRounds = 10;

/** Whether each of some values is in an answer, or in one of those to the same request after it: one of a few that change is. */
async function saysSteady(
  steady: ReadonlySet<string>,
  first: Exchange,
  ask: () => Promise<Exchange>,
): Promise<boolean> {
  let missing = steady.difference(valuesOf(jsonBody(first)));
  for (let round = 1; round < mostRounds && missing.size > 0; round++) {
    missing = missing.difference(valuesOf(jsonBody(await ask())));
  }
  return missing.size === 0;
}

check('chave-lookup.no-revalidation', 'a lookup tells the same with and without forceRevalidate', async (t) => {
  const caller = await t.target.clockedCaller();
  const { document, chave } = await ownDocument(t, await withEmpresa(t, caller));
  const verdicts = await ownVerdicts(t, caller);
  const eventsAfter = async (exchange: Exchange): Promise<number> => {
    await caller.advance(0);
    if (!isSuccess(exchange)) throw new NotExercised(`the chave of an own invoice was refused: ${summary(exchange)}`);
    return verdicts.events().length;
  };
  const verified = await eventsAfter(await verifyDocument(t, caller, document));
  await t.target.putInvoice(chave, { status: 'Cancelada' });
  const plain = await lookUp(t, caller, chave);
  const afterPlain = await eventsAfter(plain);
  const again = await lookUp(t, caller, chave);
  const beforeForced = await eventsAfter(again);
  const forced = await lookUpForced(t, caller, chave);
  const afterForced = await eventsAfter(forced);
  t.received(...verdicts.events());
  const steady = valuesOf(jsonBody(plain)).intersection(valuesOf(jsonBody(again)));
  const isSame = await saysSteady(steady, forced, () => t.anew(() => lookUpForced(t, caller, chave)));
  const hint = 'only the XML endpoint has an invoice verified anew';
  t.holds(isSame, {
    expected: 'what two lookups without the header told',
    actual: 'something else',
    hint,
  });
  t.holds(afterForced === beforeForced || afterPlain > verified, { expected: 'no event', actual: 'an event', hint });
});

/** Looks up what is no chave of a record, in some language. */
async function lookUpSomehow(t: Trial, text: string): Promise<Exchange> {
  return t.send(await t.caller(), inSomeLanguage(pathCall('chave-lookup', { chave: text })));
}

/** Looks a chave up that is on no record: as long as the authority is out of reach, that is for nobody to say. Section 2.4. */
async function lookUpUnknown(t: Trial, chave: string): Promise<Exchange> {
  const exchange = await lookUpSomehow(t, chave);
  conclusionOf(t, exchange);
  return exchange;
}

property(
  'chave-lookup.unknown',
  'an unknown chave gets 4xx with code and message',
  anyChave(),
  async (t, chave) => {
    isRefusedWithCode(t, await lookUpUnknown(t, chave), '4xx');
  },
  { pool, mostPolitely: 3 },
);

property(
  'chave-lookup.unknown-code',
  'an unknown chave gets the code 10015004',
  anyChave(),
  async (t, chave) => {
    const code = member(jsonBody(await lookUpUnknown(t, chave)), 'code');
    t.holds(String(code) === '10015004', { expected: '10015004', actual: JSON.stringify(code) ?? 'no code' });
  },
  { pool, mostPolitely: 3 },
);

check(
  'chave-lookup.malformed',
  'a known chave with a digit more gets 4xx with code and message',
  async (t) => {
    const document = documentOf(t, 'verificacao.autorizada.xml');
    await verifyDocument(t, await t.caller(), document);
    isRefusedWithCode(t, await lookUpSomehow(t, `${chaveIn(document) ?? ''}0`), '4xx');
  },
  { pool },
);

const noChaves = ['1', '0'.repeat(43), '1'.repeat(45), 'A'.repeat(44), `${'1'.repeat(43)}X`, 'chave'];

property(
  'chave-lookup.malformed',
  'what is no chave gets 4xx with code and message',
  fc.oneof(fc.constantFrom(...noChaves), fc.stringMatching(/^[0-9]{1,43}$/)),
  async (t, text) => isRefusedWithCode(t, await lookUpSomehow(t, text), '4xx'),
  { examples: noChaves, mostPolitely: 3 },
);
