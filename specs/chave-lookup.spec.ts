import fc from 'fast-check';
import { verdictStates } from '../contract/states.ts';
import { chave as anyChave } from '../generators/domain.ts';
import { chaveIn } from '../generators/xml-documents.ts';
import type { Exchange } from '../client/transport.ts';
import { NotExercised } from '../targets/not-exercised.ts';
import { check, property } from './kit/check.ts';
import { isSuccess } from './kit/life-cycle.ts';
import { isBare } from './kit/refusal.ts';
import { contentOf, jsonBody, member, memberNames, summary } from './kit/reply.ts';
import type { Trial } from './kit/trial.ts';
import { documentOf, isRefusedWithCode, lookUp, validationStatusOf, verifyDocument } from './kit/verification.ts';

/** The answer to a lookup of the profile's valid document, which was verified before. */
async function found(t: Trial): Promise<Exchange> {
  const caller = await t.caller();
  const document = documentOf(t, 'verificacao.autorizada.xml');
  const chave = chaveIn(document);
  if (chave === undefined) throw new NotExercised("the profile's verificacao.autorizada.xml has no chave", 'settings');
  await verifyDocument(t, caller, document);
  const exchange = await lookUp(t, caller, chave);
  if (isSuccess(exchange)) return exchange;
  throw new NotExercised(`the chave of the profile's document was refused: ${summary(exchange)}`, 'settings');
}

check('chave-lookup.bare', 'the answer to a lookup has no platform envelope', async (t) => {
  isBare(t, await found(t));
});

check('chave-lookup.shape-of-verification', 'the answer has `validation.validationStatus`', async (t) => {
  const exchange = await found(t);
  const body = contentOf(jsonBody(exchange));
  const status = member(member(body, 'validation'), 'validationStatus');
  t.holds(
    verdictStates.some((state) => state === status),
    { expected: verdictStates.join(', '), actual: JSON.stringify(status) ?? `the members ${memberNames(body)}` },
  );
});

check('chave-lookup.reads-latest-verdict', 'a lookup tells what the verification told', async (t) => {
  const caller = await t.caller();
  await t.each(['verificacao.rejeitada.xml', 'verificacao.autorizada.xml'] as const, async (file) => {
    if (t.target.profile.bytes(file) === undefined) return;
    const document = documentOf(t, file);
    const verified = validationStatusOf(await verifyDocument(t, caller, document));
    if (typeof verified !== 'string') throw new NotExercised(`the profile's ${file} got no verdict`, 'settings');
    const exchange = await lookUp(t, caller, chaveIn(document) ?? '');
    t.holds(validationStatusOf(exchange) === verified, {
      expected: `${verified}, as the verification of ${file} said`,
      actual: `${summary(exchange)}, validationStatus ${JSON.stringify(validationStatusOf(exchange))}`,
    });
  });
});

property('chave-lookup.unknown', 'an unknown chave gets 4xx with code and message', anyChave(), async (t, chave) => {
  isRefusedWithCode(t, await lookUp(t, await t.caller(), chave), '4xx');
});

property('chave-lookup.unknown-code', 'an unknown chave gets the code 10015004', anyChave(), async (t, chave) => {
  const code = member(jsonBody(await lookUp(t, await t.caller(), chave)), 'code');
  t.holds(String(code) === '10015004', { expected: '10015004', actual: JSON.stringify(code) ?? 'no code' });
});

const noChaves = ['1', '0'.repeat(43), '1'.repeat(45), 'A'.repeat(44), `${'1'.repeat(43)}X`, 'chave'];

property(
  'chave-lookup.malformed',
  'what is no chave gets 4xx with code and message',
  fc.oneof(fc.constantFrom(...noChaves), fc.stringMatching(/^[0-9]{1,43}$/)),
  async (t, text) => isRefusedWithCode(t, await lookUp(t, await t.caller(), text), '4xx'),
  { examples: noChaves, mostPolitely: 3 },
);
