import type { Call } from '../contract/request.ts';
import { pathCall } from './calls.ts';
import type { Spelling, JsonObject, JsonValue } from './json.ts';

/** The fields of an issuance request that the contract names. `undefined` leaves one out, whatever the body has. Section 4.1. */
interface IssuanceFields {
  readonly id: JsonValue | undefined;
  readonly ambienteEmissao: JsonValue | undefined;
}

/**
 * An issuance for a company: the named fields laid over a body, written as JSON in one of its spellings, compact unless one
 * is given. The empresaId goes into the path as it stands. Section 4.1.
 */
export function issuanceCall(
  empresaId: string,
  body: JsonObject,
  fields: IssuanceFields,
  write: Spelling = (value) => JSON.stringify(value),
): Call {
  const rawBody = Buffer.from(write(laidOver(body, fields)), 'utf8');
  return Object.assign(pathCall('nfe-issuance', { empresaId }), { contentType: 'application/json', rawBody });
}

function laidOver(body: JsonObject, { id, ambienteEmissao }: IssuanceFields): JsonObject {
  const { id: _id, ambienteEmissao: _ambiente, ...content } = body;
  return {
    ...content,
    ...(id === undefined ? {} : { id }),
    ...(ambienteEmissao === undefined ? {} : { ambienteEmissao }),
  };
}
