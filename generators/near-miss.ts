import fc from 'fast-check';
import type { ErrorObject } from 'ajv/dist/2020.js';
import { sentence } from '../schemas/validate.ts';
import { newMaker } from './from-schema.ts';
import type { JsonSchema } from './json.ts';
import { breachesWithin, type BrokenKeyword } from './schema/breaches.ts';
import { refuseUnknownKeywords, faultsBy, placeOf } from './schema/keywords.ts';
import { NoInstance, such } from './named.ts';
import type { JsonValue } from '../schemas/values.ts';

/** A value that breaks one keyword of a schema, at one place, and is valid but for that. */
export interface NearMiss {
  readonly value: JsonValue;
  readonly keyword: string;
  /** As in NearMissKind. */
  readonly pointer: string;
  /** What is wrong, as a sentence. */
  readonly what: string;
}

/** A keyword that a value can break alone. */
export interface NearMissKind {
  readonly keyword: string;
  /**
   * JSON pointer into the value. For `required` it names the field that is missing, for all other keywords the value that
   * is wrong (for `additionalProperties` the object that has a field too many). In an array the first item is the wrong one.
   */
  readonly pointer: string;
}

type Faults = (value: JsonValue) => readonly ErrorObject[];

/**
 * Values that miss a schema by one keyword at one place, every kind as often as any other. An Error for a keyword that it
 * does not know; a NoInstance for a schema that can't be missed so narrowly.
 */
export function nearMissOf(schema: JsonSchema): fc.Arbitrary<NearMiss> {
  const kinds = [...breachesByKind(schema).values()];
  const faults = faultsBy(schema);
  if (kinds.length === 0) throw new NoInstance(`no keyword of ${schema.$id ?? JSON.stringify(schema)} breaks alone`);
  return fc.oneof(...kinds.map((breaches) => fc.oneof(...breaches.map((breach) => nearMissesBy(breach, faults)))));
}

/** The keywords of a schema that a value can break alone, each at the place where it does. */
export function nearMissKinds(schema: JsonSchema): readonly NearMissKind[] {
  return [...breachesByKind(schema).values()].flatMap(([breach]) =>
    breach === undefined ? [] : [{ keyword: breach.keyword, pointer: breach.pointer }],
  );
}

function nearMissesBy(breach: BrokenKeyword, faults: Faults): fc.Arbitrary<NearMiss> {
  const { keyword, pointer } = breach;
  const values = such(
    breach.values(),
    (value) => isOnly(breach, faults(value)),
    `near miss of ${keyword} at ${pointer}`,
  );
  return values.map((value) => ({ value, keyword, pointer, what: inWords(faults(value), value) }));
}

type Breaches = ReadonlyMap<string, readonly BrokenKeyword[]>;

/** Trials of a schema of some hundred kinds take seconds. */
const tried = new WeakMap<JsonSchema, Breaches>();

function breachesByKind(schema: JsonSchema): Breaches {
  const breaches = tried.get(schema) ?? possibleBreaches(schema);
  tried.set(schema, breaches);
  return breaches;
}

/** The breaches that a trial of 20 values shows to be possible. */
function possibleBreaches(schema: JsonSchema): Breaches {
  refuseUnknownKeywords(schema);
  const faults = faultsBy(schema);
  const found = breachesWithin(schema, newMaker()).filter((breach) => {
    return [1, 20].some((numRuns) => trial(breach, numRuns).some((value) => isOnly(breach, faults(value))));
  });
  return Map.groupBy(found, ({ keyword, pointer }) => `${keyword} ${pointer}`);
}

function trial(breach: BrokenKeyword, numRuns: number): readonly JsonValue[] {
  try {
    return fc.sample(breach.values(), { numRuns, seed: numRuns });
  } catch (error) {
    if (error instanceof NoInstance) return [];
    throw error;
  }
}

/** Whether the faults are of that keyword at that place, and of no other. */
function isOnly(breach: BrokenKeyword, faults: readonly ErrorObject[]): boolean {
  const own = withoutFrames(faults);
  return own.length > 0 && own.every((fault) => fault.keyword === breach.keyword && placeOf(fault) === breach.pointer);
}

/** Ajv tells of the keywords that frame a fault as well: they are not faults of their own. */
function withoutFrames(faults: readonly ErrorObject[]): readonly ErrorObject[] {
  return faults.filter(({ keyword }) => !['anyOf', 'oneOf'].includes(keyword));
}

function inWords(faults: readonly ErrorObject[], value: JsonValue): string {
  return withoutFrames(faults)
    .map((fault) => sentence(fault, value))
    .join('; ');
}
