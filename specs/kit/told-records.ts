import fc from 'fast-check';
import type { FiscalState } from '../../contract/values.ts';
import { authorityRecord, type GeneratedRecord } from '../../generators/authority-records.ts';
import { wishedLanguages, type WishedLanguage } from '../../generators/wished-language.ts';
import { member } from '../../schemas/values.ts';
import { NotExercised } from '../../targets/not-exercised.ts';
import { bodyOfArrival } from './callbacks.ts';
import { isSuccess, withEmpresa } from './life-cycle.ts';
import { briefly } from './reply.ts';
import { oncePerTrial, type Trial } from './trial.ts';
import { newEvent, noEvent, ownVerdicts } from './verdicts.ts';
import { ownDocument, verifyDocument } from './verification.ts';

/** An own document that was found valid, and where its verdicts come: each is refused first as `answered` says, and taken then. */
const soundDocument = oncePerTrial(async (t) => {
  const caller = await t.target.clockedCaller();
  const { document, chave } = await ownDocument(t, await withEmpresa(t, caller));
  const verdicts = await ownVerdicts(t, caller);
  const verifyAnew = async ({ refusal, wish }: Pick<GeneratedCase, 'refusal' | 'wish'> = noCase): Promise<unknown> => {
    const before = verdicts.events().length;
    let first = refusal ?? undefined;
    verdicts.inbox.answerBy(() => {
      const status = first ?? 200;
      first = undefined;
      return { status };
    });
    const exchange = await verifyDocument(t, caller, document, wish ? [wish] : []);
    if (!isSuccess(exchange)) throw new NotExercised(`the document was refused: ${briefly(exchange)}`);
    await caller.advance(0);
    const event = newEvent(t, verdicts, before);
    if (refusal !== null) await caller.advance(2 * 60);
    t.received(...verdicts.events());
    return event && member(bodyOfArrival(event), 'data');
  };
  await verifyAnew();
  const textIn = (element: RegExp): string | undefined => element.exec(document)?.[1];
  return {
    chave,
    digestValue: textIn(/<(?:\w+:)?DigestValue>([^<]+)</),
    numero: textIn(/<(?:\w+:)?nProt>([^<]+)</),
    receivedAt: textIn(/<(?:\w+:)?dhRecbto>([^<]+)</),
    verifyAnew,
  };
});

/** States for which an invoice is rejected. */
const isRejected: ReadonlySet<FiscalState> = new Set(['Cancelada', 'Denegada', 'Inutilizada', 'NaoEncontrada']);

export interface GeneratedCase {
  readonly record: GeneratedRecord;
  /** What the first attempt to tell of it is answered. */
  readonly refusal: number | null;
  /** The language that the verification asks for: what an authority said is in Portuguese all the same. */
  readonly wish: WishedLanguage;
}

const noCase = { refusal: null, wish: undefined };

/** A record of each kind of verdict that it leads to, and what the first attempt to tell it is answered. */
export const records: fc.Arbitrary<readonly GeneratedCase[]> = fc.tuple(
  ...[['Autorizada'] as const, [...isRejected], ['Desconhecida'] as const].map((states) =>
    fc.record({
      record: authorityRecord(states),
      refusal: fc.option(fc.integer({ min: 300, max: 599 })),
      wish: fc.constantFrom(...wishedLanguages),
    }),
  ),
);

/** Has records put in one after the other, and gives each with what an event tells of it. */
export async function tellRecords(
  t: Trial,
  cases: readonly GeneratedCase[],
  judge: (found: unknown, record: GeneratedRecord) => void,
): Promise<void> {
  const { chave, digestValue, numero, receivedAt, verifyAnew } = await soundDocument(t);
  await t.each(cases, async ({ record: generated, refusal, wish }) => {
    const { status, protocolo, dataAutorizacao } = generated;
    // What contradicts the document is rejected, whatever else is on record.
    const own = protocolo && {
      digestValue: digestValue ?? protocolo.digestValue,
      numero: status === 'Autorizada' && numero !== undefined ? numero : protocolo.numero,
    };
    const time = dataAutorizacao && status === 'Autorizada' && receivedAt !== undefined ? receivedAt : dataAutorizacao;
    const record = isRejected.has(status) ? generated : { ...generated, protocolo: own, dataAutorizacao: time };
    await t.target.putInvoice(chave, record);
    const found = await verifyAnew({ refusal, wish });
    if (found === undefined) throw noEvent(t);
    judge(found, record);
  });
}
