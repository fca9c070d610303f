import type { ErrorObject } from 'ajv/dist/2020.js';
import type { Refusal } from '../rules/refusal.ts';

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
