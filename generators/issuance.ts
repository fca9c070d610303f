import fc from 'fast-check';
import { ambientes } from '../schemas/messages.ts';
import { instanceOf } from './from-schema.ts';
import type { Spelling } from './json.ts';
import { named } from './named.ts';
import { nearMissOf } from './near-miss.ts';
import type { Call } from '../contract/request.ts';
import { pathCall } from './calls.ts';
import type { JsonValue, JsonObject } from '../schemas/values.ts';

/** A value of `ambienteEmissao` that names neither environment. */
interface WrongAmbiente {
  readonly name: string;
  readonly value: JsonValue;
}

/**
 * What a caller gets wrong: another way to write one of the two words, a word for them elsewhere, a value of another type.
 * Never null: many take that for a field that is missing, of which the contract says nothing. Section 4.1.
 */
export const wrongAmbientes: readonly WrongAmbiente[] = [
  wrong('in small letters', 'homologacao'),
  wrong('in capitals', 'HOMOLOGACAO'),
  wrong('in its spelling', 'Homologação'),
  wrong('with a space before', ' Homologacao'),
  wrong('with a space behind', 'Homologacao '),
  wrong('with a line feed', 'Homologacao\n'),
  wrong('in Spanish', 'Homologacion'),
  wrong('cut', 'Homolog'),
  wrong('both words', 'Producao,Homologacao'),
  wrong('production in small letters', 'producao'),
  wrong('production in capitals', 'PRODUCAO'),
  wrong('production in its spelling', 'Produção'),
  wrong('production in English', 'Production'),
  wrong('test', 'Teste'),
  wrong('an empty text', ''),
  wrong('a space', ' '),
  wrong('null as text', 'null'),
  wrong('the digit 1', '1'),
  wrong('the digit 2', '2'),
  wrong('the number 0', 0),
  wrong('the number 1', 1),
  wrong('the number 2', 2),
  wrong('true', true),
  wrong('false', false),
  wrong('a list of the word', ['Homologacao']),
  wrong('an empty list', []),
  wrong('an object with the word', { nome: 'Homologacao' }),
  wrong('an empty object', {}),
];

/** Any value that is wrong there: those above, slips in the two words, any text, any JSON; never one of the words, never null. */
export function wrongAmbiente(): fc.Arbitrary<WrongAmbiente> {
  const slip = nearMissOf({ type: 'string', enum: ambientes });
  const text = instanceOf({ type: 'string', not: { enum: ambientes } });
  const json = instanceOf({ not: { enum: [...ambientes, null] } });
  const generated = fc.oneof(
    { withCrossShrink: true },
    text,
    slip.map(({ value }) => value),
    json,
  );
  return fc.oneof(
    fc.constantFrom(...wrongAmbientes),
    generated.map((value) => wrong('something', value)),
  );
}

function wrong(what: string, value: JsonValue): WrongAmbiente {
  const name = `${what}: ${JSON.stringify(value)}`;
  return named(name, { name, value });
}

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
