import { member } from '../schemas/member.ts';
import type { DeliveryRecord, TraceRecord } from '../trace/records.ts';
import { verdictIn } from './delivery.ts';
import { isCall, isSteering } from './history.ts';
import { judged, shown, type HistoryPredicate, type Judgement } from './predicate.ts';

/** Words of sentences in the one language that are none in the other; without accents. */
const words = {
  English:
    'the of and by not is are was were be been has have had does did could cannot on at to from this that its an invalid missing failed rejected found',
  Portuguese:
    'da das dos de em na nos nas uma pelo pela pelos que nao foi esta sao ser para por sem ou nota assinatura chave autoridade emitente invalida invalido rejeicao rejeitada uso falha erro servico fora ar indisponivel pode foram tem',
} as const;

function countOf(language: keyof typeof words, text: string): number {
  const plain = text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const known: ReadonlySet<string> = new Set(words[language].split(' '));
  return plain.split(/[^a-z]+/).filter((word) => known.has(word)).length;
}

/** Whether a text is English: `undefined` where its words don't tell. It may quote what the tax authority said, in Portuguese. */
export function isEnglish(text: string): boolean | undefined {
  const [letters, latin] = [/\p{L}/gu, /\p{Script=Latin}/gu].map((kind) => text.match(kind)?.length ?? 0);
  if ((latin ?? 0) * 2 < (letters ?? 0)) return false;
  const [english, portuguese] = [countOf('English', text), countOf('Portuguese', text)];
  if (english > 0) return english > portuguese ? true : undefined;
  return portuguese > 1 ? false : undefined;
}

/** The reason in a delivery of a verdict that has to say one. */
function reasonIn(record: TraceRecord): string | undefined {
  const verdict = record.kind === 'delivery' ? verdictIn(record) : undefined;
  const reason = member(verdict, 'reason');
  const state = member(verdict, 'validationStatus');
  return typeof reason === 'string' && state !== 'VALIDATED' ? reason : undefined;
}

/** What has to be the same for a reason to be. */
function findingOf(record: DeliveryRecord): string {
  const verdict = verdictIn(record);
  return JSON.stringify(
    ['validationStatus', 'status', 'cStat', 'xMotivo'].map((name) => member(verdict, name) ?? null),
  );
}

/**
 * Judges a reason by the one of the verdict before, on the same document by the same findings: neither was another document of the
 * invoice verified, nor was its record changed.
 */
function stable(latest: TraceRecord, earlier: readonly TraceRecord[]): Judgement {
  const reason = reasonIn(latest);
  if (latest.kind !== 'delivery' || reason === undefined || !latest.address || latest.signature === 'wrong')
    return undefined;
  const { caller } = latest.address;
  const before = earlier.findLast((record) => record.kind === 'delivery' && record.address?.caller === caller);
  const told = before && reasonIn(before);
  if (before?.kind !== 'delivery' || told === undefined || findingOf(before) !== findingOf(latest)) return undefined;
  const asked = earlier
    .filter((record) => isCall(record, 'nfe-verification', 'chave-lookup'))
    .filter((record) => record.caller?.name === caller);
  const isSame = asked.every(({ requestBody }) => requestBody.equals(asked[0]?.requestBody ?? requestBody));
  const isChanged = earlier.some((record) => isSteering(record, 'PUT', /^\/authority\/invoices\//));
  if (!isSame || isChanged || before.ids.eventId === latest.ids.eventId) return undefined;
  return judged(withoutDigits(told) === withoutDigits(reason), () => ({
    expected: `the reason of before, ${shown(told)}`,
    actual: shown(reason),
    beside: [before],
  }));
}

function withoutDigits(text: string): string {
  return text.replaceAll(/\d+/g, '');
}

/** What the reason of a verdict is like. Section 2.4. */
export const reasons: readonly HistoryPredicate[] = [
  { clause: 'verdict-event.reason-stable', of: 'chave', judge: stable },
  {
    clause: 'verdict-event.reason-english',
    of: 'event',
    judge(latest) {
      const reason = reasonIn(latest);
      const isRight = reason === undefined ? undefined : isEnglish(reason);
      if (isRight === undefined) return undefined;
      return judged(isRight, () => ({ expected: 'English text', actual: shown(reason) }));
    },
  },
];
