/** Any JSON value. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [name: string]: JsonValue;
}

/** What the keyword `type` can say. */
export type JsonType = 'string' | 'integer' | 'number' | 'boolean' | 'null' | 'object' | 'array';

/** The part of JSON Schema 2020-12 that the project uses. */
export interface JsonSchema {
  readonly $id?: string;
  readonly $schema?: string;
  readonly $comment?: string;
  readonly title?: string;
  readonly description?: string;
  readonly examples?: readonly JsonValue[];
  readonly $defs?: Readonly<Record<string, Subschema>>;
  readonly $ref?: string;
  readonly allOf?: readonly Subschema[];
  readonly anyOf?: readonly Subschema[];
  readonly oneOf?: readonly Subschema[];
  readonly not?: Subschema;
  readonly if?: Subschema;
  readonly then?: Subschema;
  readonly else?: Subschema;
  readonly type?: JsonType | readonly JsonType[];
  readonly const?: JsonValue;
  readonly enum?: readonly JsonValue[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly properties?: Readonly<Record<string, Subschema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Subschema;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly items?: Subschema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
}

/** A schema within a schema: `true` admits everything, `false` nothing. */
export type Subschema = JsonSchema | boolean;

/** The value as text that is the same for equal values, whatever the order of their fields. */
export function canonicalText(value: JsonValue): string {
  if (isArray(value)) return `[${value.map(canonicalText).join()}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, part]) => `${JSON.stringify(name)}:${canonicalText(part)}`);
  return `{${fields.sort().join()}}`;
}

/** Whether the value is an array. */
export function isArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Whether the value is an object, not an array or null. */
export function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !isArray(value);
}

/** The JSON pointer of a field or an item within what `parent` points at. */
export function pointerTo(parent: string, step: string | number): string {
  return `${parent}/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
