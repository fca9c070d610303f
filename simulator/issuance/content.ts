import { Ajv2020, type ValidateFunction, type ErrorObject } from 'ajv/dist/2020.js';
import { onFirstUse, member } from '../../schemas/values.ts';
import type { Refusal } from '../rules/refusal.ts';
import { amountsOf, decimalPlaces } from './amounts.ts';
import {
  clienteRules,
  invoice as invoiceSchema,
  type InvoiceContent,
  item as itemSchema,
  type Item,
  invoice,
  usedUnder,
} from './schema.ts';
import { ownSchemas } from '../../schemas/validate.ts';

const mostFaults = 100;

/**
 * The content in an issuance body: its known fields, without those that are `null` or empty; or what is wrong with it, one
 * fault for each field that is, at most 100. Its `id` and `ambienteEmissao` are not judged here, its check digits and sums
 * by the tax authority. Sections 4.1 and 7.3.
 */
export function readContent(
  body: Readonly<Record<string, unknown>>,
): { readonly content: InvoiceContent } | { readonly faults: readonly Refusal[] } {
  const { isContent, isItem } = validators();
  const content = tidied(body, invoiceSchema);
  const isFormed = isContent(content);
  const items = isFormed ? content.itens : itemsOf(content).map((item) => (isItem(item) ? item : undefined));
  const faults = faultsByField(isContent.errors, 'SIM-NFE');
  for (const [path, fault] of itemFaults(items)) if (!faults.has(path)) faults.set(path, fault);
  if (isFormed && faults.size === 0) return { content };
  return { faults: [...faults.values()].slice(0, mostFaults) };
}

interface Validators {
  readonly isContent: ValidateFunction<InvoiceContent>;
  readonly isItem: ValidateFunction<Item>;
}

const validators = onFirstUse((): Validators => {
  const ajv = new Ajv2020({
    ...ownSchemas,
    allErrors: true,
    strict: true,
    strictTypes: false,
    strictRequired: false,
    verbose: true,
  });
  ajv.addKeyword({
    keyword: 'decimals',
    type: 'number',
    schemaType: 'number',
    validate: (most: number, value: number) => decimalPlaces(value) <= most,
  });
  return {
    isContent: ajv.compile({ allOf: [invoiceSchema, { properties: { cliente: clienteRules } }] }),
    isItem: ajv.compile(itemSchema),
  };
});

/** What no single field shows: an item that comes to too much, a discount beyond its item's value. By path. */
function itemFaults(items: readonly (Item | undefined)[]): [string, Refusal][] {
  return items.flatMap((item, at): [string, Refusal][] => {
    if (!item) return [];
    const { product, discount } = amountsOf(item);
    if (product > largestProduct) return [outOfRange(`itens[${at}].valorTotal`, 'deve ser no máximo 999999999.99')];
    return discount > product ? [outOfRange(`itens[${at}].descontos`, 'deve ser no máximo o valor do item')] : [];
  });
}

/** In hundredths of a real: what `itemAmount` allows, where the value is computed. */
const largestProduct = 99_999_999_999n;

function outOfRange(path: string, words: string): [string, Refusal] {
  return [path, { code: 'SIM-NFE-CAMPO-FAIXA', message: `${path} ${words}` }];
}

function itemsOf(content: unknown): readonly unknown[] {
  const items: unknown = typeof content === 'object' && content !== null && 'itens' in content ? content.itens : [];
  return Array.isArray(items) ? items : [];
}

/** A field that the simulator does not use. */
interface UnknownField {
  /** As integrators write it: `itens[0].gtin`. */
  readonly path: string;
  /** The simulator knows it, and other fields leave no place for it. */
  readonly isKnown: boolean;
}

/** The content, what stands beside it, and a wish for a mail, which concerns no invoice. */
const known: Shape = { properties: { id: {}, ambienteEmissao: {}, enviarPorEmail: {}, ...invoice.properties } };
const mostFields = 100;

/** The fields of an issuance that leave no trace in the invoice, at most 100. */
export function unknownFields(body: Readonly<Record<string, unknown>>): readonly UnknownField[] {
  return [...fieldsIn(body, known, ''), ...unplacedFields(body)].slice(0, mostFields);
}

/** Each of them as a refusal. Section 7.3. */
export function unknownFieldFaults(body: Readonly<Record<string, unknown>>): readonly Refusal[] {
  return unknownFields(body).map(({ path, isKnown }) => ({
    code: 'SIM-NFE-CAMPO-DESCONHECIDO',
    message: isKnown
      ? `${path} não tem lugar na nota com o que os outros campos dizem`
      : `${path} não é usado pelo simulador`,
  }));
}

function* fieldsIn(value: unknown, { properties, items }: Shape, path: string): Generator<UnknownField> {
  if (Array.isArray(value)) {
    for (const [at, one] of value.entries()) if (items) yield* fieldsIn(one, items, `${path}[${at}]`);
    return;
  }
  if (typeof value !== 'object' || value === null || !properties) return;
  const prefix = path === '' ? '' : `${path}.`;
  for (const [name, inner] of Object.entries(value)) {
    // What says nothing is not missed.
    if (inner === null || inner === '') continue;
    const shape = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (shape) yield* fieldsIn(inner, shape, prefix + name);
    else yield { path: prefix + name.slice(0, longestName), isKnown: false };
  }
}

/** What finds no place in the invoice for what other fields say: a rate under a taxation without one. */
function* unplacedFields(body: Readonly<Record<string, unknown>>): Generator<UnknownField> {
  const { cliente, indicadorPresencaConsumidor: presenca } = body;
  const isExempt = member(cliente, 'indicadorContribuinteICMS') === 'Isento';
  if (isExempt && /\d/.test(String(member(cliente, 'inscricaoEstadual'))))
    yield { path: 'cliente.inscricaoEstadual', isKnown: true };
  const other = member(body, 'pedido', 'presencaConsumidor');
  if (presenca && other && presenca !== other) yield { path: 'pedido.presencaConsumidor', isKnown: true };
  for (const [at, way] of listIn(member(body, 'pedido', 'pagamento', 'formas')).entries()) {
    const isUsed = member(way, 'tipo') === 'Outros' || !isSaid(way, 'descricao');
    if (!isUsed) yield { path: `pedido.pagamento.formas[${at}].descricao`, isKnown: true };
  }
  for (const [at, item] of listIn(body['itens']).entries()) {
    for (const path of untaxed(member(item, 'impostos')))
      yield { path: `itens[${at}].impostos.${path}`, isKnown: true };
  }
}

function untaxed(impostos: unknown): string[] {
  const unused = Object.entries(usedUnder).flatMap(([tax, fields]) => {
    const given = member(impostos, tax);
    const taxation = String(member(given, 'situacaoTributaria'));
    const names = Object.keys(fields).filter((name) => isSaid(given, name) && !fields[name]?.includes(taxation));
    return names.map((name) => `${tax}.${name}`);
  });
  const ibsCbs = member(impostos, 'ibsCbs');
  const isCarried = ['ibsUf', 'ibsMunicipio', 'cbs'].some((name) => member(ibsCbs, name));
  return isSaid(ibsCbs, 'baseCalculo') && !isCarried ? [...unused, 'ibsCbs.baseCalculo'] : unused;
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A zero, like nothing, is not missed. */
function isSaid(value: unknown, name: string): boolean {
  const said = member(value, name);
  const amount = member(said, 'aliquota') ?? said;
  return ![undefined, null, '', 0].some((nothing) => nothing === amount);
}

/** More of a name is not told. */
const longestName = 60;

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
