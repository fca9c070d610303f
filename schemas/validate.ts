import { Ajv2020, type AnySchemaObject, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { jsonText, member } from './values.ts';

/**
 * How schemas of the project's own are compiled. They are known to be schemas, by tests, and each is asked a few times in a
 * process: to compile the meta-schema and to optimise what comes of them takes longer than all that they are asked.
 */
export const ownSchemas = { meta: false, validateSchema: false, code: { optimize: false } } as const;

/** Faults that are told of one value: nobody reads more, and a value may have hundreds of thousands. */
const mostFaults = 100;

/** Lists what is wrong with a value by a JSON Schema, one sentence a fault, the first ones. */
export function validator(schema: AnySchemaObject): (value: unknown) => string[] {
  return (value) => {
    const validate = compiled(schema, true);
    return validate(value) ? [] : (validate.errors ?? []).slice(0, mostFaults).map((error) => sentence(error, value));
  };
}

/** Says whether a value fits a JSON Schema, without a word why not. */
export function fits(schema: AnySchemaObject): (value: unknown) => boolean {
  return (value) => compiled(schema, false)(value);
}

/**
 * Where a value first departs from a JSON Schema, and how, as a JSON pointer and words that hold nothing of the value:
 * "/clauses/3/verdict is of another form". `undefined` where it doesn't. For a schema without properties of any name.
 */
export function firstFault(schema: AnySchemaObject, value: unknown): string | undefined {
  const validate = compiled(schema, false);
  const error = validate(value) ? undefined : validate.errors?.[0];
  if (error === undefined) return undefined;
  const where = error.instancePath === '' ? 'the whole' : error.instancePath;
  if (error.keyword === 'required')
    return `${error.instancePath}/${String(error.params['missingProperty'])} is missing`;
  if (error.keyword === 'additionalProperties') return `${where} has a member of another name`;
  return `${where} is of another form`;
}

/** A schema is known by itself and not by its `$id`, which two that are made anew have alike. */
const options = {
  ...ownSchemas,
  strict: true,
  allowUnionTypes: true,
  addUsedSchema: false,
} as const;

/** One of each serves all schemas, which it keeps compiled: making one takes longer than most schemas do. */
const [toFirst, toLast] = [new Ajv2020(options), new Ajv2020({ ...options, allErrors: true, verbose: true })];

/** A schema is compiled when it is first asked: all of them take half a second, and most processes ask a few. */
function compiled(schema: AnySchemaObject, allErrors: boolean): ValidateFunction {
  return (allErrors ? toLast : toFirst).compile(schema);
}

/** An Ajv error as a sentence that names the JSON pointer: "/data/serverTime is 12, but is to be a string". */
export function sentence(error: ErrorObject, value: unknown): string {
  const where = error.instancePath === '' ? 'the body' : error.instancePath;
  // Made only where it is told: of an object with many members that aren't expected, once for each would take for ever.
  const found = (): string => `is ${valueText(at(value, error.instancePath))}`;
  const params: Record<string, unknown> = error.params;
  switch (error.keyword) {
    case 'required':
      return `${error.instancePath}/${String(params['missingProperty'])} is missing`;
    case 'additionalProperties':
      return `${error.instancePath}/${String(params['additionalProperty'])} is not expected there`;
    case 'false schema':
      return `${where} is not expected there`;
    case 'type':
      return `${where} ${found()}, but is to be ${article(String(params['type']).replaceAll(',', ' or '))}`;
    case 'const':
      return `${where} ${found()}, but is to be ${JSON.stringify(params['allowedValue'])}`;
    case 'enum':
      return `${where} ${found()}, but is to be one of ${JSON.stringify(params['allowedValues'])}`;
    default:
      return `${where} ${found()}, but ${wanted(error)}`;
  }
}

/** What is asked for by a schema: as its title calls it, or else in Ajv's words. */
function wanted({ parentSchema, message, keyword }: ErrorObject): string {
  const title: unknown = member(parentSchema, 'title');
  return typeof title === 'string' ? `is to be ${title}` : (message ?? `breaks ${keyword}`);
}

/** The part of a value that a JSON pointer names; `undefined` where there is none. */
function at(value: unknown, pointer: string): unknown {
  const steps = pointer.split('/').slice(1);
  return member(value, ...steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~')));
}

const longestShown = 120;

/** A value as JSON, or what it is where that is long. Never cut: a secret that was cut through would be masked no longer. */
function valueText(value: unknown): string {
  // A long text is not written out to find that: many fields may have it, and escaped it is six times as long.
  const text = typeof value === 'string' && value.length > longestShown ? undefined : jsonText(value);
  if (text !== undefined && text.length <= longestShown) return text;
  if (Array.isArray(value)) return `an array of ${value.length} items`;
  if (typeof value === 'string') return `a text of ${value.length} characters`;
  return `an object of ${Object.keys(value ?? {}).length} members`;
}

function article(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}
