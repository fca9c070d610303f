import type { JsonSchema, Subschema } from '../json.ts';

const status: JsonSchema = { enum: ['VALIDATED', 'REJECTED', 'VALIDATION_ERROR'] };
const verdict: JsonSchema = {
  type: 'object',
  required: ['status'],
  properties: { status, reason: { type: 'string' } },
};

/** Schemas that together use every keyword that the generators know, for their tests; each name says what it has. */
export const exampleSchemas: Readonly<Record<string, JsonSchema>> = {
  everything: {},
  string: { type: 'string' },
  lengths: { type: 'string', minLength: 2, maxLength: 5 },
  'one length': { type: 'string', minLength: 44, maxLength: 44 },
  'long text': { type: 'string', minLength: 300 },
  pattern: { type: 'string', pattern: '^\\d{4}-\\d{2}(Z|\\+00:00)$' },
  'pattern that is not anchored': { type: 'string', minLength: 3, maxLength: 60, pattern: '/openapi/' },
  'pattern and lengths': { type: 'string', minLength: 12, maxLength: 14, pattern: '^[a-zà-ü]+$' },
  'date-time': { type: 'string', format: 'date-time' },
  'date-time in UTC': { type: 'string', format: 'date-time', pattern: 'Z$' },
  integer: { type: 'integer' },
  'integers between': { type: 'integer', minimum: -3, maximum: 3 },
  'integers strictly between': { type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 10 },
  multiples: { type: 'integer', minimum: -100, maximum: 100, multipleOf: 7 },
  number: { type: 'number' },
  'numbers between': { type: 'number', minimum: 0, maximum: 1 },
  'numbers strictly between': { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
  'two lower bounds': { type: 'number', minimum: 0, exclusiveMinimum: 0 },
  boolean: { type: 'boolean' },
  null: { type: 'null' },
  'two types': { type: ['string', 'null'], minLength: 1 },
  'every type': { type: ['string', 'integer', 'boolean', 'null', 'object', 'array'] },
  const: { const: 'NF-e' },
  'const that is null': { const: null },
  'const object': { const: { a: [1, { b: null }] } },
  enum: { enum: ['Autorizada', 'Negada', 7, null] },
  'enum with type and length': { type: 'string', enum: ['a', 'abc', 4], minLength: 2 },
  object: { type: 'object' },
  'required and optional': {
    type: 'object',
    required: ['a', 'undeclared'],
    properties: { a: { type: 'integer' }, b: { type: 'string' }, c: { type: 'boolean' } },
  },
  closed: {
    type: 'object',
    required: ['a'],
    additionalProperties: false,
    properties: { a: { type: 'integer' }, b: { type: 'string' } },
  },
  'more fields of one kind': {
    type: 'object',
    properties: { a: { type: 'string' } },
    additionalProperties: { type: 'integer' },
  },
  'forbidden field': { type: 'object', properties: { a: false, b: true } },
  'few fields': {
    type: 'object',
    minProperties: 2,
    maxProperties: 3,
    properties: { a: { type: 'null' }, b: { type: 'null' } },
  },
  'awkward names': {
    type: 'object',
    required: ['a/b', 'm~n', ''],
    properties: {
      'a/b': { type: 'string' },
      'm~n': { type: 'string' },
      '': { type: 'array', items: { type: 'null' } },
    },
  },
  array: { type: 'array' },
  items: { type: 'array', items: { type: 'integer' } },
  'item counts': { type: 'array', items: { type: 'string' }, minItems: 2, maxItems: 4 },
  'unique items': { type: 'array', items: { type: 'integer', minimum: 0, maximum: 9 }, minItems: 2, uniqueItems: true },
  'unique objects': {
    type: 'array',
    uniqueItems: true,
    items: {
      type: 'object',
      properties: { a: { type: 'boolean' }, b: { type: 'boolean' } },
      additionalProperties: false,
    },
  },
  'nested arrays': { type: 'array', items: { type: 'array', items: { type: 'string', maxLength: 3 }, minItems: 1 } },
  anyOf: { anyOf: [{ type: 'string', minLength: 3 }, { type: 'integer' }, { type: 'null' }] },
  oneOf: {
    oneOf: [
      { type: 'integer', minimum: 0 },
      { type: 'integer', maximum: 9 },
    ],
  },
  'oneOf objects': {
    type: 'object',
    required: ['kind'],
    oneOf: [
      { properties: { kind: { const: 'F' }, cpf: { type: 'string' } }, required: ['cpf'] },
      { properties: { kind: { const: 'J' }, cnpj: { type: 'string' } }, required: ['cnpj'] },
    ],
  },
  allOf: {
    allOf: [
      { type: 'object', required: ['a'], properties: { a: { type: 'integer', minimum: 1 } } },
      { properties: { a: { maximum: 5 }, b: { type: 'string' } }, required: ['b'] },
    ],
  },
  'allOf that closes': {
    allOf: [{ type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } }],
    properties: { a: true },
    additionalProperties: false,
  },
  'two lengths': { type: 'string', minLength: 3, allOf: [{ minLength: 200 }] },
  'two patterns': { type: 'string', pattern: '^[a-z]{1,6}$', allOf: [{ pattern: 'a' }] },
  'two enums': { enum: ['a', 'b', 'c'], allOf: [{ enum: ['b', 'c', 'd'] }] },
  'two item schemas': { type: 'array', items: { type: 'number' }, minItems: 1, allOf: [{ items: { minimum: 0 } }] },
  not: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } }, not: { required: ['a', 'b'] } },
  $ref: {
    $defs: {
      chave: { type: 'string', pattern: '^\\d{44}$' },
      pair: { type: 'array', items: { $ref: '#/$defs/chave' } },
    },
    type: 'object',
    required: ['chave'],
    properties: { chave: { $ref: '#/$defs/chave' }, others: { $ref: '#/$defs/pair', maxItems: 2 } },
  },
  'if, then, else': {
    ...verdict,
    ...when(
      { properties: { status: { const: 'VALIDATED' } } },
      { properties: { reason: false } },
      { required: ['reason'] },
    ),
  },
  'if and then alone': { type: 'integer', ...when({ minimum: 10 }, { multipleOf: 5 }) },
  'if of a rare value': { type: 'integer', ...when({ const: 4711 }, { minimum: 4000 }, { maximum: 9 }) },
  'conditions in allOf': {
    ...verdict,
    allOf: [
      when({ properties: { status: { const: 'REJECTED' } } }, { properties: { reason: { minLength: 5 } } }),
      when({ properties: { status: { const: 'VALIDATION_ERROR' } } }, { required: ['reason'] }),
    ],
  },
  annotations: {
    $id: 'annotations',
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $comment: 'for readers',
    title: 'Title',
    description: 'Words',
    examples: ['a'],
    type: 'string',
  },
};

/** The three keywords of a condition. Not written as an object: one with a field `then` looks like a promise. */
function when(condition: Subschema, consequence: Subschema, otherwise: Subschema = true): JsonSchema {
  const keywords = ['if', 'then', 'else'];
  return Object.fromEntries([condition, consequence, otherwise].map((part, place) => [keywords[place] ?? '', part]));
}
