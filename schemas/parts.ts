/** A schema of an object with named fields. */
interface ObjectSchema<Name extends string, Field> {
  readonly type: 'object';
  readonly required: readonly string[];
  readonly properties: Readonly<Record<Name, Field>>;
}

/** The part of a schema that demands its required fields, whatever they hold. */
export function presenceOf(schema: Pick<ObjectSchema<string, unknown>, 'required'>) {
  const { required } = schema;
  return { type: 'object', required, properties: Object.fromEntries(required.map((name) => [name, true])) } as const;
}

/**
 * The part of a schema that judges those fields, where they are there. A body fits a schema without other keywords if it fits
 * `presenceOf` and this part for each field: so a single wrong field accuses a single part.
 */
export function fieldsOf<Name extends string, Field>(
  schema: Pick<ObjectSchema<Name, Field>, 'properties'>,
  ...names: readonly NoInfer<Name>[]
) {
  const { properties } = schema;
  return { type: 'object', properties: Object.fromEntries(names.map((name) => [name, properties[name]])) } as const;
}
