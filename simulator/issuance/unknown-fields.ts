import { member } from '../../schemas/values.ts';
import type { Shape } from './field-faults.ts';
import type { Refusal } from '../rules/refusal.ts';
import { invoice, usedUnder } from './schema.ts';

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
