import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { ownSchemas } from '../../schemas/ajv-options.ts';
import { type JsonSchema, type JsonValue, pointerTo } from '../json.ts';
import type { Definitions } from './keywords.ts';

/** Compiles a schema; the function that it gives lists every fault of a value, as Ajv tells it. */
export function faultsBy(schema: JsonSchema, definitions: Definitions): (value: JsonValue) => readonly ErrorObject[] {
  const ajv = new Ajv2020({
    ...ownSchemas,
    allErrors: true,
    strict: false,
    formats: { 'date-time': isDateTime },
  });
  const { $id: _id, ...anonymous } = schema;
  const validate = ajv.compile({ ...anonymous, $defs: definitions });
  return (value) => (validate(value) ? [] : (validate.errors ?? []));
}

/** Where a fault lies: a missing field is pointed at itself, as if it were there; all else as Ajv points at it. */
export function placeOf(fault: ErrorObject): string {
  const { missingProperty }: { readonly missingProperty?: string } = fault.params;
  return fault.keyword === 'required' ? pointerTo(fault.instancePath, missingProperty ?? '') : fault.instancePath;
}

/** Whether a text is a date and time as RFC 3339 writes it, on a day that the calendar has; no leap seconds. */
export function isDateTime(text: string): boolean {
  const parts =
    /^(\d{4}-\d\d-\d\d)[Tt](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
  const day = parts.exec(text)?.[1];
  const instant = new Date(`${day}T00:00:00Z`);
  return day !== undefined && !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(day);
}
