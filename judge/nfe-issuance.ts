import { ambientes } from '../schemas/messages.ts';
import { member } from '../schemas/values.ts';
import { isAcceptedBy, isFor, isObject, isWronglyRefused } from './answers.ts';
import { empty, status200 } from './bare.ts';
import type { ExchangePredicate } from './predicate.ts';
import { refusedWithArray } from './refusals.ts';
import { sentJson } from './request.ts';

/** That an issuance with such a body is not accepted. */
function refused(
  clause: ExchangePredicate['clause'],
  isFaulty: (json: unknown) => boolean,
  what: string,
): ExchangePredicate {
  return {
    clause,
    judge(record) {
      if (!isFor(record, 'nfe-issuance')) return undefined;
      const json = sentJson(record);
      if (json === undefined || !isFaulty(json)) return undefined;
      const isWrong = record.isRightlySigned && isWronglyRefused(record, 'nfe-issuance');
      if (isAcceptedBy(record, 'nfe-issuance') || isWrong) {
        return { expected: `400 or 404 for ${what}`, actual: String(record.status) };
      }
      return record.isRightlySigned && [400, 404].includes(record.status) ? 'holds' : undefined;
    },
  };
}

/** Whether an object has no id by any reading of its names. */
function hasNoId(json: unknown): boolean {
  return typeof json === 'object' && json !== null && Object.keys(json).every((name) => name.toLowerCase() !== 'id');
}

/** Whether it is there and names neither environment; null is for many a field that is missing. */
function isOtherAmbiente(value: unknown): boolean {
  return value !== undefined && value !== null && !ambientes.some((known) => known === value);
}

/** Answers to an issuance. Sections 4.1, 4.2 and 7.3. */
export const nfeIssuance: readonly ExchangePredicate[] = [
  status200('nfe-issuance.status-200', 'nfe-issuance'),
  empty('nfe-issuance.no-content', 'nfe-issuance'),
  refusedWithArray('nfe-issuance.error-array', 'nfe-issuance', [400, 404]),
  refused('nfe-issuance.id-required', (json) => isObject(json) && hasNoId(json), 'an issuance without id'),
  refused(
    'nfe-issuance.id-string',
    (json) => isObject(json) && !hasNoId(json) && !['string', 'undefined'].includes(typeof member(json, 'id')),
    'an id that is no string',
  ),
  refused(
    'nfe-issuance.ambiente-known',
    (json) => isObject(json) && !hasNoId(json) && isOtherAmbiente(member(json, 'ambienteEmissao')),
    'an ambienteEmissao that is neither of the two',
  ),
  refused('nfe-issuance.malformed-json', (json) => !isObject(json), 'a body that is no JSON object'),
];
