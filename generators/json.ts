import fc from 'fast-check';
import { named } from './named.ts';
import type { JsonObject, JsonValue } from '../schemas/values.ts';

/** Writes a value as JSON text: `JSON.parse` gives the value back. */
export type Spelling = (value: JsonValue) => string;

/**
 * The value as JSON text, in many ways: compact, spaced, indented with LF or CRLF, spaces or tabs, or with any white space
 * between tokens; fields in another order; characters as they are or escaped. `JSON.parse` gives the value back.
 */
export function jsonText(value: JsonValue): fc.Arbitrary<string> {
  return jsonSpelling().map((write) => write(value));
}

/** The same ways for a value that is not known yet. Counterexamples show how each writes a small sample. */
export function jsonSpelling(): fc.Arbitrary<Spelling> {
  const margin = fc.oneof(
    { arbitrary: fc.constant(''), weight: 3 },
    { arbitrary: fc.constantFrom(...blanks), weight: 1 },
  );
  return fc
    .record({
      gaps: fc.constantFrom(...layouts),
      escape: fc.constantFrom<Escape[]>('never', 'lower', 'upper', 'any'),
      solidus: fc.boolean(),
      order: fc.constantFrom<Order[]>('same', 'reversed', 'any'),
      numbers: fc.array(fc.nat(255), { minLength: 1, maxLength: 16 }),
      before: margin,
      behind: margin,
    })
    .map(({ numbers, before, behind, ...style }) => {
      const write: Spelling = (value) => before + written(value, { ...style, next: dice(numbers) }, 0) + behind;
      return named(JSON.stringify(write({ a: [1, 2], b: 'ção/' })), write);
    });
}

/** How non-ASCII characters are written, and with `any` sometimes all others: as they are, or with hex in that case. */
type Escape = 'never' | 'lower' | 'upper' | 'any';
type Order = 'same' | 'reversed' | 'any';

/** A place where white space may stand. */
type Gap = 'open' | 'next' | 'close' | 'beforeComma' | 'beforeColon' | 'afterColon';
type Layout = (gap: Gap, depth: number, next: () => number) => string;

interface Style {
  readonly gaps: Layout;
  readonly escape: Escape;
  /** Whether `/` is escaped. */
  readonly solidus: boolean;
  readonly order: Order;
  /** The next of the numbers that decide where the style leaves a choice. */
  readonly next: () => number;
}

const blanks = [' ', '\t', '\n', '\r', '\r\n', '\n\r', '  ', ' \r\n\t'];

const layouts: readonly Layout[] = [
  () => '',
  (gap) => (gap === 'next' || gap === 'afterColon' ? ' ' : ''),
  indented('\n', '  '),
  indented('\r\n', '  '),
  indented('\n', '\t'),
  indented('\r\n', '\t'),
  (_gap, _depth, next) => ['', ...blanks][next() % (blanks.length + 1)] ?? '',
];

function indented(newLine: string, indent: string): Layout {
  return (gap, depth) => {
    if (gap === 'afterColon') return ' ';
    if (gap === 'close') return newLine + indent.repeat(depth);
    return gap === 'open' || gap === 'next' ? newLine + indent.repeat(depth + 1) : '';
  };
}

/** Gives the numbers one after the other, again from the first after the last. */
function dice(numbers: readonly number[]): () => number {
  let at = 0;
  return () => numbers[at++ % numbers.length] ?? 0;
}

function written(value: JsonValue, style: Style, depth: number): string {
  if (typeof value === 'string') return quoted(value, style);
  if (isArray(value))
    return enclosed(
      '[',
      value.map((item) => written(item, style, depth + 1)),
      ']',
      style,
      depth,
    );
  if (isObject(value)) {
    const fields = ordered(Object.entries(value), style).map(([name, part]) => {
      const colon = `${gap('beforeColon', style, depth)}:${gap('afterColon', style, depth)}`;
      return quoted(name, style) + colon + written(part, style, depth + 1);
    });
    return enclosed('{', fields, '}', style, depth);
  }
  return Object.is(value, -0) ? '-0' : JSON.stringify(value);
}

function enclosed(open: string, parts: readonly string[], close: string, style: Style, depth: number): string {
  if (parts.length === 0) return open + close;
  const listed = parts.reduce((row, part) => {
    return `${row}${gap('beforeComma', style, depth)},${gap('next', style, depth)}${part}`;
  });
  return open + gap('open', style, depth) + listed + gap('close', style, depth) + close;
}

function gap(kind: Gap, style: Style, depth: number): string {
  return style.gaps(kind, depth, style.next);
}

function ordered<T>(fields: readonly T[], style: Style): readonly T[] {
  if (style.order === 'same') return fields;
  if (style.order === 'reversed') return fields.toReversed();
  const places = fields.map((field) => ({ field, place: style.next() }));
  return places.toSorted((one, other) => one.place - other.place).map(({ field }) => field);
}

function quoted(text: string, style: Style): string {
  const special = style.escape === 'any' ? /[^]/gu : /[^ !#-.0-[\]-~]/gu;
  return `"${text.replace(special, (point) => character(point, style))}"`;
}

/** One code point within a JSON string. `JSON.stringify` escapes what must be, half a surrogate pair as well. */
function character(point: string, style: Style): string {
  if (point === '/') return style.solidus ? '\\/' : '/';
  const anyway = style.escape === 'any' && style.next() % 8 === 0;
  if (anyway) return hexEscape(point, style);
  const must = JSON.stringify(point).slice(1, -1);
  if (must !== point || point <= '~' || style.escape === 'never' || style.escape === 'any') return must;
  return hexEscape(point, style);
}

function hexEscape(point: string, style: Style): string {
  const upper = style.escape === 'upper' || (style.escape === 'any' && style.next() % 2 === 0);
  return point
    .split('')
    .map((unit) => {
      const hex = unit.charCodeAt(0).toString(16).padStart(4, '0');
      return `\\u${upper ? hex.toUpperCase() : hex}`;
    })
    .join('');
}

/** What the keyword `type` can say. */
export type JsonType = 'string' | 'integer' | 'number' | 'boolean' | 'null' | 'object' | 'array';

/** The part of JSON Schema 2020-12 that the project uses; the generators refuse a schema with any other keyword. */
export interface JsonSchema {
  readonly $id?: string;
  readonly $schema?: string;
  readonly title?: string;
  readonly description?: string;
  readonly allOf?: readonly Subschema[];
  readonly anyOf?: readonly Subschema[];
  readonly oneOf?: readonly Subschema[];
  readonly not?: Subschema;
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
  readonly properties?: Readonly<Record<string, Subschema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Subschema;
  readonly items?: Subschema;
  readonly minItems?: number;
  readonly maxItems?: number;
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
