import type { ErrorObject } from 'ajv/dist/2020.js';
import type { Refusal } from '../rules/refusal.ts';

/** As much of a JSON Schema as says which fields there are. */
export interface Shape {
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

/** Errors as refusals whose codes start with that, one for each field, by the field: the first that is told of it. */
export function faultsByField(errors: readonly ErrorObject[] | null | undefined, prefix: string): Map<string, Refusal> {
  const faults = new Map<string, Refusal>();
  for (const error of errors ?? []) {
    const path = fieldPath(error);
    const fault = faults.has(path) ? undefined : faultOf(error, prefix);
    if (fault) faults.set(path, fault);
  }
  return faults;
}

/** The field that an error is about, as integrators write it: `itens[0].ncm`. */
function fieldPath({ instancePath, keyword, params }: ErrorObject): string {
  const missing: unknown[] = keyword === 'required' ? [params['missingProperty']] : [];
  return [...instancePath.split('/').slice(1), ...missing.map(String)]
    .map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '');
}

/** The error as a refusal whose code starts with that; `undefined` for one that only repeats another. */
function faultOf(error: ErrorObject, prefix: string): Refusal | undefined {
  const sentence = sentences[error.keyword]?.(error);
  if (!sentence) return undefined;
  const [kind, words] = sentence;
  return { code: `${prefix}-CAMPO-${kind}`, message: `${fieldPath(error)} ${words}` };
}

type Sentence = (error: ErrorObject) => readonly [kind: string, words: string];

const sentences: Readonly<Record<string, Sentence>> = {
  required: () => ['AUSENTE', 'é obrigatório'],
  type: ({ params }) => ['TIPO', `deve ser ${typeNames[String(params['type'])] ?? 'de outro tipo'}`],
  enum: ({ params }) => ['VALOR', `deve ser um destes: ${listed(params['allowedValues'])}`],
  pattern: ({ parentSchema }) => ['FORMATO', `deve ter ${String(parentSchema?.['description'])}`],
  minLength: (error) => ['TAMANHO', `deve ter de ${span(error, 'minLength', 'maxLength')} caracteres`],
  maxLength: (error) => ['TAMANHO', `deve ter de ${span(error, 'minLength', 'maxLength')} caracteres`],
  minimum: ({ params }) => ['FAIXA', `deve ser no mínimo ${String(params['limit'])}`],
  exclusiveMinimum: ({ params }) => ['FAIXA', `deve ser maior que ${String(params['limit'])}`],
  maximum: ({ params }) => ['FAIXA', `deve ser no máximo ${String(params['limit'])}`],
  decimals: ({ schema }) => ['CASAS', `deve ter no máximo ${String(schema)} casas decimais`],
  minItems: (error) => ['QUANTIDADE', `deve ter de ${span(error, 'minItems', 'maxItems')} elementos`],
  maxItems: (error) => ['QUANTIDADE', `deve ter de ${span(error, 'minItems', 'maxItems')} elementos`],
};

const typeNames: Readonly<Record<string, string>> = {
  string: 'um texto',
  number: 'um número',
  integer: 'um número inteiro',
  boolean: 'true ou false',
  object: 'um objeto',
  array: 'uma lista',
};

function span({ parentSchema }: ErrorObject, min: string, max: string): string {
  return `${String(parentSchema?.[min] ?? 0)} a ${String(parentSchema?.[max])}`;
}

function listed(values: unknown): string {
  return Array.isArray(values) ? values.map(String).join(', ') : '';
}
