import type { Refusal } from '../rules/refusal.ts';
import { member } from '../../schemas/member.ts';
import { usedUnder } from './schema/impostos.ts';
import { invoice } from './schema/invoice.ts';

/** As much of a JSON Schema as says which fields there are. */
interface Shape {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
}

/** A field that the simulator does not use. */
export interface UnknownField {
  /** As integrators write it: `itens[0].gtin`. */
  readonly path: string;
  /** The one beside it that it uses and whose name is the most alike; absent where another taxation would use this one. */
  readonly nearest?: string;
}

/** The content, what stands beside it, and a wish for a mail, which concerns no invoice. */
const known: Shape = { properties: { id: {}, ambienteEmissao: {}, enviarPorEmail: {}, ...invoice.properties } };
const mostFields = 100;

/** The fields of an issuance that leave no trace in the invoice, at most 100. */
export function unknownFields(body: Readonly<Record<string, unknown>>): readonly UnknownField[] {
  return [...fieldsIn(body, known, ''), ...untaxedFields(body)].slice(0, mostFields);
}

/** Each of them as a refusal. Section 7.3. */
export function unknownFieldFaults(body: Readonly<Record<string, unknown>>): readonly Refusal[] {
  return unknownFields(body).map(({ path, nearest }) => ({
    code: 'SIM-NFE-CAMPO-DESCONHECIDO',
    message:
      nearest === undefined
        ? `${path} não é usado pelo simulador com esta situacaoTributaria`
        : `${path} não é usado pelo simulador; o campo mais parecido é ${nearest}`,
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
    else
      yield { path: prefix + name.slice(0, longestName), nearest: prefix + nearestOf(name, Object.keys(properties)) };
  }
}

/** What is said of a tax and finds no place in the invoice under the taxation of the item. */
function* untaxedFields({ itens }: Readonly<Record<string, unknown>>): Generator<UnknownField> {
  for (const [at, item] of (Array.isArray(itens) ? itens : []).entries()) {
    for (const [tax, fields] of Object.entries(usedUnder)) {
      const given = member(item, 'impostos', tax);
      const taxation = String(member(given, 'situacaoTributaria'));
      const unused = Object.entries(fields).filter(
        ([name, taxations]) => isSaid(given, name) && !taxations.includes(taxation),
      );
      for (const [name] of unused) yield { path: `itens[${at}].impostos.${tax}.${name}` };
    }
  }
}

/** A zero, like nothing, is not missed. */
function isSaid(value: unknown, name: string): boolean {
  const said = member(value, name);
  const amount = member(said, 'aliquota') ?? said;
  return ![undefined, null, '', 0].some((nothing) => nothing === amount);
}

/** What is longer resembles nothing. */
const longestName = 60;

function nearestOf(name: string, names: readonly string[]): string {
  const asked = name.slice(0, longestName).toLowerCase();
  const [first = ''] = names.toSorted((one, other) => distance(asked, one) - distance(asked, other));
  return first;
}

/** How many letters are to be changed, put in or left out, capital letters apart. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [at, letter] of Array.from(one).entries()) {
    const next = [at + 1];
    for (const [place, wanted] of Array.from(other.toLowerCase()).entries()) {
      const changed = (row[place] ?? 0) + (letter === wanted ? 0 : 1);
      next.push(Math.min(changed, (row[place + 1] ?? 0) + 1, (next[place] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
