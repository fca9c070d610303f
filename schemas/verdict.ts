import { fiscalStates, verdictStates } from '../contract/values.ts';
import { chave, filledText, visibleText, utcTime, utcTimeOrNull } from './texts.ts';

const textOrNull = { type: ['string', 'null'] } as const;

/** The fields of a verdict that are there whatever it is. */
const always = ['chaveAcesso', 'validationStatus', 'status', 'eventos', 'verifiedAt'] as const;

const anyVerdict = {
  chaveAcesso: chave,
  status: { enum: fiscalStates },
  cStat: textOrNull,
  xMotivo: textOrNull,
  protocolo: {
    type: ['object', 'null'],
    required: ['numero', 'digestValue'],
    properties: { numero: { type: 'string' }, digestValue: { type: 'string' } },
  },
  dataAutorizacao: utcTimeOrNull,
  eventos: { type: 'array' },
  verifiedAt: utcTime,
} as const;

/** The fields of a verdict that can be null. Section 2.4. */
export const nullableVerdictFields = ['cStat', 'xMotivo', 'protocolo', 'dataAutorizacao'] as const;

/** A verdict: what holds whatever was found. Section 2.4. */
export const verdict = {
  $id: 'verdict',
  type: 'object',
  required: always,
  properties: { ...anyVerdict, validationStatus: { enum: verdictStates }, reason: visibleText },
} as const;

/** A verdict on an invoice that was found valid: there is no reason to give. Section 2.4. */
export const validatedVerdict = {
  $id: 'validated-verdict',
  type: 'object',
  required: always,
  properties: { ...anyVerdict, validationStatus: { const: 'VALIDATED' }, reason: false },
} as const;

/** A verdict on an invoice that was rejected or could not be judged: it says why. Section 2.4. */
export const explainedVerdict = {
  $id: 'explained-verdict',
  type: 'object',
  required: [...always, 'reason'],
  properties: { ...anyVerdict, validationStatus: { enum: ['REJECTED', 'VALIDATION_ERROR'] }, reason: visibleText },
} as const;

/** The event that brings a verdict; `data` is for the schemas of verdicts to judge. Section 6.6. */
export const verdictEvent = {
  $id: 'verdict-event',
  type: 'object',
  required: ['version', 'event_id', 'event_type', 'occurred_at', 'data'],
  properties: {
    version: { const: '1.0' },
    event_id: filledText,
    event_type: { const: 'invoice.verify.completed' },
    occurred_at: utcTime,
    data: { type: 'object' },
  },
} as const;

/** Names of the fields in `data` of verification events, by the kind of their verdict. Section 9. */
export type VerdictFields = Readonly<Record<string, readonly string[]>>;

/** What is kept of a target that makes names up. */
const most = { kinds: 6, names: 60, letters: 60 };

/** The fields of one verdict; none where it is no object. */
export function fieldsOfVerdict(data: unknown): VerdictFields {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return {};
  const kind = String(Reflect.get(data, 'validationStatus')).slice(0, most.letters);
  return { [kind]: Object.keys(data).filter((name) => name.length <= most.letters) };
}

/** The fields of several together. */
export function allFields(each: readonly VerdictFields[]): Record<string, string[]> {
  const byKind = Map.groupBy(
    each.flatMap((fields) => Object.entries(fields)),
    ([kind]) => kind,
  );
  const together = [...byKind].slice(0, most.kinds).map(([kind, entries]) => {
    const names = new Set(entries.flatMap(([, own]) => own));
    return [kind, [...names].slice(0, most.names).sort()] as const;
  });
  return Object.fromEntries(together);
}

/** The fields that a verdict had before and one of the same kind has no more. */
export function lostFields(before: VerdictFields, now: VerdictFields): readonly string[] {
  return Object.entries(now).flatMap(([kind, names]) => {
    const lost = (before[kind] ?? []).filter((name) => !names.includes(name));
    return lost.map((name) => `${name} (${kind})`);
  });
}

/** Levels that are looked into: no event has as many, and a hostile one that has more would fill the memory with pointers. */
const mostLevels = 100;

/**
 * JSON pointers of the fields, at any depth, whose name ends in `Description`: the payload of an event has none, since its
 * values are the same in every language. Section 2.4.
 */
export function descriptionFields(payload: unknown): string[] {
  const found: string[] = [];
  collect(payload, '', 0, found);
  return found;
}

function collect(value: unknown, pointer: string, level: number, found: string[]): void {
  if (typeof value !== 'object' || value === null || level === mostLevels) return;
  for (const [name, inner] of Object.entries(value)) {
    const place = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (name.endsWith('Description')) found.push(place);
    collect(inner, place, level + 1, found);
  }
}
