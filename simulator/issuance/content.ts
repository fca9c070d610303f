import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { onFirstUse } from '../../schemas/values.ts';
import type { Refusal } from '../rules/refusal.ts';
import { amountsOf, decimalPlaces } from './amounts.ts';
import { faultsByField, tidied } from './field-faults.ts';
import {
  clienteRules,
  invoice as invoiceSchema,
  type InvoiceContent,
  item as itemSchema,
  type Item,
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
