import fc from 'fast-check';
import { chave as anyChave } from '../generators/domain.ts';
import { chaveIn } from '../generators/xml-documents.ts';
import { member } from '../schemas/member.ts';
import { NotExercised } from '../targets/not-exercised.ts';
import { check, property } from './kit/check.ts';
import { isSuccess } from './kit/life-cycle.ts';
import { jsonBody, summary } from './kit/reply.ts';
import type { Trial } from './kit/trial.ts';
import { documentOf, isRefusedWithCode, lookUp, validationStatusOf, verifyDocument } from './kit/verification.ts';

/** Looks the profile's valid document up, which was verified before. */
async function finds(t: Trial): Promise<void> {
  const caller = await t.caller();
  const document = documentOf(t, 'verificacao.autorizada.xml');
  await verifyDocument(t, caller, document);
  const exchange = await lookUp(t, caller, chaveIn(document) ?? '');
  if (!isSuccess(exchange))
    throw new NotExercised(`the chave of the profile's document was refused: ${summary(exchange)}`, 'settings');
}

check('chave-lookup.bare', 'the answer to a lookup has no platform envelope', finds);

check('chave-lookup.shape-of-verification', 'the answer has `validation.validationStatus`', finds);

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
