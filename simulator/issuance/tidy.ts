/** As much of a JSON Schema as says which fields there are. */
interface Shape {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly maxItems?: number;
}

/**
 * The part of a value that a schema speaks of: without other fields, without fields that are `null` or an empty text,
 * texts with outer and repeated white space gone. Of an array that is too long only as much is kept as shows it. It goes
 * no deeper than the schema, however deep the value is.
 */
export function tidied(value: unknown, shape: Shape): unknown {
  if (typeof value === 'string') return plainText(value);
  if (Array.isArray(value)) {
    const { items, maxItems = 0 } = shape;
    return items ? value.slice(0, maxItems + 1).map((item: unknown) => tidied(item, items)) : [];
  }
  return isRecord(value) ? fieldsOf(value, shape.properties ?? {}) : value;
}

/** A text as a document can hold it: composed characters, single spaces, none outside. */
export function plainText(value: string): string {
  return value
    .normalize('NFC')
    .replaceAll(/[\t\n\r ]+/g, ' ')
    .replaceAll(/^ | $/g, '');
}

function fieldsOf(value: Readonly<Record<string, unknown>>, properties: Readonly<Record<string, Shape>>): unknown {
  const fields = Object.entries(properties)
    .filter(([name]) => Object.hasOwn(value, name))
    .map(([name, shape]): [string, unknown] => [name, tidied(value[name], shape)]);
  return Object.fromEntries(fields.filter(([, field]) => field !== null && field !== ''));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
