import { Ajv2020, type AnySchemaObject, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';

/** Compiles a JSON Schema; the function that it gives lists what is wrong with a value, one sentence a fault. */
export function validator(schema: AnySchemaObject): (value: unknown) => string[] {
  const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true, multipleOfPrecision: 8 });
  const validate: ValidateFunction = ajv.compile(schema);
  return (value) => (validate(value) ? [] : (validate.errors ?? []).map((error) => sentence(error, value)));
}

/** An Ajv error as a sentence that names the JSON pointer: "/data/serverTime is 12, but is to be a string". */
export function sentence(error: ErrorObject, value: unknown): string {
  const where = error.instancePath === '' ? 'the body' : error.instancePath;
  const found = `is ${shown(at(value, error.instancePath))}`;
  const params: Record<string, unknown> = error.params;
  switch (error.keyword) {
    case 'required':
      return `${error.instancePath}/${String(params['missingProperty'])} is missing`;
    case 'additionalProperties':
      return `${error.instancePath}/${String(params['additionalProperty'])} is not expected there`;
    case 'false schema':
      return `${where} is not expected there`;
    case 'type':
      return `${where} ${found}, but is to be ${article(String(params['type']))}`;
    case 'const':
      return `${where} ${found}, but is to be ${shown(params['allowedValue'])}`;
    case 'enum':
      return `${where} ${found}, but is to be one of ${shown(params['allowedValues'])}`;
    case 'pattern':
      return `${where} ${found}, but is to match ${String(params['pattern'])}`;
    default:
      return `${where} ${found}, but ${error.message ?? `breaks ${error.keyword}`}`;
  }
}

/** The part of a value that a JSON pointer names; `undefined` where there is none. */
function at(value: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((part, step) => (isRecord(part) ? part[step] : undefined), value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'absent';
  return text.length > 120 ? `${text.slice(0, 117)}...` : text;
}

function article(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}
