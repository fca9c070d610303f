import { Ajv2020, type ErrorObject, type SchemaObject } from 'ajv/dist/2020.js';
import { parseJsonObject } from '../http/json.ts';
import { ownSchemas } from '../../schemas/ajv-options.ts';
import { onFirstUse } from '../../schemas/on-first-use.ts';

/** A request body that was checked: its value, or one sentence that says what is wrong with it. */
export type Checked<T> = { readonly value: T } | { readonly error: string };

/** A JSON Schema whose descriptions read on after "The field <name> is to be". */
interface BodySchema extends SchemaObject {
  readonly properties: Readonly<Record<string, { readonly description: string }>>;
}

/** Reads bodies by a JSON Schema of an object; no body at all counts as an empty object. */
export function bodyReader<T>(schema: BodySchema): (rawBody: Buffer) => Checked<T> {
  const validator = onFirstUse(() => new Ajv2020({ ...ownSchemas, strict: true }).compile<T>(schema));
  return (rawBody) => {
    const body = rawBody.length === 0 ? {} : parseJsonObject(rawBody);
    if (body === undefined) return { error: 'The body is to be a JSON object.' };
    const isValid = validator();
    const value: unknown = body;
    return isValid(value) ? { value } : { error: sentence(isValid.errors ?? [], schema) };
  };
}

/** The first fault, as a sentence that names the field. */
function sentence([fault]: readonly ErrorObject[], { properties }: BodySchema): string {
  const field = fault?.instancePath.split('/')[1];
  if (field !== undefined) return `The field ${field} is to be ${properties[field]?.description ?? 'another'}.`;
  const params: Record<string, unknown> = fault?.params ?? {};
  if (fault?.keyword === 'required') return `The field ${String(params['missingProperty'])} is missing.`;
  const known = Object.keys(properties).join(', ') || 'none';
  return `The field ${String(params['additionalProperty'])} is unknown; known here: ${known}.`;
}
