import fc from 'fast-check';
import { cnpj, cpf } from '../../generators/domain.ts';
import { company, person } from '../../generators/testing/people.ts';
import { decimalText, totalsOf } from '../issuance/amounts.ts';
import { readContent } from '../issuance/content.ts';
import {
  finalidades,
  formasPagamento,
  indicadoresContribuinte,
  modalidadesFrete,
  presencas,
  tiposOperacao,
  tiposPagamento,
  wordsOf,
} from '../issuance/schema-words.ts';
import {
  csosns,
  cstsByRate,
  cstsIcms,
  cstsIpiTaxed,
  cstsIpiUntaxed,
  cstsUntaxed,
  type InvoiceContent,
} from '../issuance/schema.ts';
import { profileFile } from './company.ts';
import { parseJsonObject } from '../http/json.ts';

/** An issuance body; nobody knows what is in it. */
export type Body = Record<string, unknown>;

/** An issuance body of the default profile. */
export function profileBody(name: 'autorizada' | 'negada' | 'invalida'): Body {
  const body = parseJsonObject(profileFile(`nf-e.${name}.json`));
  if (!body) throw new Error(`the default profile's body "${name}" is to be a JSON object`);
  return body;
}

/** The authorised body of the default profile with some fields replaced. A field is named by its path: `itens[0].ncm`. */
export function bodyWith(fields: Readonly<Record<string, unknown>>): Body {
  const body = profileBody('autorizada');
  for (const [path, value] of Object.entries(fields)) replace(body, path.split(/[.[\]]+/).filter(Boolean), value);
  return body;
}

/** The content in an issuance body; an Error for a body that has none. */
export function contentOf(body: Readonly<Record<string, unknown>>): InvoiceContent {
  const read = readContent(body);
  if ('faults' in read) throw new Error(`the content of the invoice is faulty: ${JSON.stringify(read.faults)}`);
  return read.content;
}

/** Bodies without faults whose sums are right, of companies under the Simples Nacional or of others. */
export function issuanceBodies(isSimples: boolean): fc.Arbitrary<Body> {
  return fc
    .record(
      {
        tipo: fc.constant('NF-e'),
        naturezaOperacao: words(60),
        tipoOperacao: wordOf(tiposOperacao),
        finalidade: wordOf(finalidades),
        consumidorFinal: fc.boolean(),
        indicadorPresencaConsumidor: wordOf(presencas),
        nfeReferenciada: fc.array(fc.record({ chaveAcesso: digits(44) }), { maxLength: 3 }),
        cliente: fc.oneof(clienteJ, clienteF),
        pedido: fc.record({ pagamento }),
        transporte: fc.record(
          { frete: fc.record({ modalidade: wordOf(modalidadesFrete), valor: money(99_999) }, { requiredKeys: [] }) },
          { requiredKeys: [] },
        ),
        itens: fc.array(item(isSimples), { minLength: 1, maxLength: 4 }),
        informacoesAdicionais: words(5000),
      },
      { requiredKeys: ['naturezaOperacao', 'cliente', 'pedido', 'itens'] },
    )
    .map(withRightSums);
}

const latin = fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code));
const letters = fc.constantFrom(...Array.from('aZ0ç&<>"\'áÍõ-. '));

/** Texts that the layout can hold, with whatever XML has to escape. */
function words(maxLength: number): fc.Arbitrary<string> {
  const unit = fc.oneof(letters, latin);
  return fc.string({ unit, maxLength: maxLength - 2, size: 'medium' }).map((text) => `A${text}z`);
}

function digits(length: number): fc.Arbitrary<string> {
  return fc.string({ unit: fc.constantFrom(...Array.from('0123456789')), minLength: length, maxLength: length });
}

function wordOf(table: object): fc.Arbitrary<string> {
  return fc.constantFrom(...wordsOf(table));
}

function money(max: number): fc.Arbitrary<number> {
  return fc.integer({ min: 0, max: max * 100 }).map((hundredths) => hundredths / 100);
}

const percent = fc.integer({ min: 0, max: 1_000_000 }).map((units) => units / 10_000);

function clienteOf<T extends { readonly email: string; readonly telefone: string; readonly endereco: object }>(
  tipoPessoa: 'F' | 'J',
  numbers: fc.Arbitrary<string>,
  party: fc.Arbitrary<T>,
): fc.Arbitrary<object> {
  return fc
    .record({
      cpfCnpj: numbers,
      nome: words(60),
      indicadorContribuinteICMS: wordOf(indicadoresContribuinte),
      inscricaoEstadual: fc.oneof(fc.constant('ISENTO'), digits(12), fc.constant('')),
      party,
    })
    .map(({ party: { email, telefone, endereco }, ...rest }) => ({ tipoPessoa, ...rest, email, telefone, endereco }));
}

const clienteJ = clienteOf('J', cnpj(), company());
const clienteF = clienteOf('F', cpf(), person());

const pagamento = fc.record(
  {
    tipo: wordOf(tiposPagamento),
    formas: fc.array(fc.record({ tipo: wordOf(formasPagamento), valor: fc.constant(0) }), {
      minLength: 1,
      maxLength: 3,
    }),
  },
  { requiredKeys: ['formas'] },
);

function byRate(csts: readonly string[]): fc.Arbitrary<object> {
  return fc.record(
    { situacaoTributaria: fc.constantFrom(...csts), porAliquota: fc.record({ aliquota: percent }) },
    { requiredKeys: ['situacaoTributaria'] },
  );
}

const rate = fc.record({ aliquota: percent });
const ibsCbs = fc.record(
  {
    situacaoTributaria: digits(3),
    classificacaoTributaria: digits(6),
    baseCalculo: money(9999),
    ibsUf: rate,
    ibsMunicipio: rate,
    cbs: rate,
  },
  { requiredKeys: ['situacaoTributaria', 'classificacaoTributaria'] },
);

function impostos(isSimples: boolean): fc.Arbitrary<object> {
  const icms = fc.record(
    {
      situacaoTributaria: fc.constantFrom<string>(...(isSimples ? csosns : cstsIcms)),
      origem: fc.integer({ min: 0, max: 8 }),
      aliquota: percent,
      baseCalculo: money(9999),
      modalidadeBaseCalculo: fc.integer({ min: 0, max: 3 }),
      percentualReducaoBaseCalculo: percent,
    },
    { requiredKeys: ['situacaoTributaria'] },
  );
  const contribution = byRate([...cstsByRate, ...cstsUntaxed, '49', '99']);
  return fc.record(
    {
      percentualAproximadoTributos: fc.record({ simplificado: fc.record({ percentual: percent }) }),
      icms,
      pis: contribution,
      cofins: contribution,
      ipi: byRate([...cstsIpiTaxed, ...cstsIpiUntaxed]),
      ibsCbs,
    },
    { requiredKeys: ['icms'] },
  );
}

function item(isSimples: boolean): fc.Arbitrary<object> {
  return fc.record(
    {
      cfop: fc.stringMatching(/^[123567]\d{3}$/),
      codigo: words(60),
      descricao: words(120),
      ncm: fc.oneof(digits(8), digits(2)),
      cest: digits(7),
      extipi: digits(3),
      codigoBeneficioFiscal: fc.constantFrom('SP123456', 'SEM CBENEF'),
      quantidade: fc.integer({ min: 1, max: 9_999_999 }).map((units) => units / 10_000),
      unidadeMedida: words(6),
      valorUnitario: fc.integer({ min: 1, max: 999_999_999 }).map((units) => units / 1_000_000),
      quantidadeTributavel: fc.integer({ min: 1, max: 9_999_999 }).map((units) => units / 10_000),
      unidadeMedidaTributavel: words(6),
      informacoesAdicionais: words(500),
      impostos: impostos(isSimples),
    },
    {
      requiredKeys: ['cfop', 'codigo', 'descricao', 'ncm', 'quantidade', 'unidadeMedida', 'valorUnitario', 'impostos'],
    },
  );
}

/** Pays what the invoice comes to, all of it in the first way. */
function withRightSums(body: Body): Body {
  const total = Number(decimalText(totalsOf(contentOf(body)).invoice, 2));
  const paid = structuredClone(body);
  replace(paid, ['pedido', 'pagamento', 'formas', '0', 'valor'], total);
  return { ...paid, valorTotal: total };
}

function replace(whole: unknown, [step = '', ...rest]: readonly string[], value: unknown): void {
  if (typeof whole !== 'object' || whole === null) throw new Error(`there is nothing to replace in at ${step}`);
  if (rest.length > 0) return replace(Reflect.get(whole, step), rest, value);
  Reflect.set(whole, step, value);
}
