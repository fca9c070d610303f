import {
  decimalText,
  scaled,
  type Totals,
  totalsOf,
  divided,
  type ItemAmounts,
  type TaxAmount,
} from '../issuance/amounts.ts';
import { formasPagamento, modalidadesFrete, tiposPagamento } from '../issuance/schema-words.ts';
import { type InvoiceContent, csosns, cstsByRate, cstsIpiUntaxed, cstsUntaxed, type Item } from '../issuance/schema.ts';
import { type DocumentInput, identification, issuer, recipient } from './nfe-heading.ts';
import { group, layoutText, leaf, localDateTime, requiredText } from './xml.ts';
import { signatureOf } from './signature.ts';

const namespace = 'http://www.portalfiscal.inf.br/nfe';
const version = '4.00';

/**
 * The authorised invoice as it is handed out: layout 4.00 with protocol, signed with the company's certificate. An Error
 * for a company without one.
 */
export function nfeProc(input: DocumentInput): { readonly xml: Buffer; readonly digestValue: string } {
  const { certificate, empresaId } = input.empresa;
  if (!certificate) throw new Error(`the company ${empresaId} has no certificate to sign its invoice with`);
  const attributes = { Id: `NFe${input.chave}`, versao: version };
  const parts = contentOf(input);
  const signed = group('infNFe', parts, { ...attributes, xmlns: namespace });
  const { signature, digestValue } = signatureOf(signed, attributes.Id, certificate);
  const nfe = group('NFe', [group('infNFe', parts, attributes), signature], { xmlns: namespace });
  const whole = group('nfeProc', [nfe, protocolOf(input, digestValue)], { versao: version, xmlns: namespace });
  return { xml: Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>${whole}`), digestValue };
}

/** What `infNFe` holds, in the order of the layout. */
function contentOf(input: DocumentInput): string[] {
  const totals = totalsOf(input.content);
  return [
    identification(input),
    issuer(input.empresa.data),
    recipient(input),
    ...input.content.itens.map((one, at) => item(one, at, totals)),
    ...closing(input.content, totals),
  ];
}

function protocolOf({ ambiente, chave, protocol }: DocumentInput, digestValue: string): string {
  const { numero, authorizedAtMs, cStat, xMotivo } = protocol;
  const parts = [
    leaf('tpAmb', ambiente === 'Producao' ? '1' : '2'),
    leaf('verAplic', 'SIMULADOR_1.0'),
    leaf('chNFe', chave),
    leaf('dhRecbto', localDateTime(authorizedAtMs)),
    leaf('nProt', numero),
    leaf('digVal', digestValue),
    leaf('cStat', cStat),
    leaf('xMotivo', xMotivo),
  ];
  return group('protNFe', [group('infProt', parts, { Id: `ID${numero}` })], { versao: version });
}

/** What follows the items: `total`, `transp`, `pag` and, where there is anything to say, `infAdic`. */
function closing(content: InvoiceContent, totals: Totals): string[] {
  const { transporte, pedido } = content;
  const additional = layoutText(additionalOf(content), 5000);
  return [
    group('total', [group('ICMSTot', totalFields(totals)), ibsCbsTotal(totals)]),
    group('transp', [leaf('modFrete', modalidadesFrete[transporte?.frete?.modalidade ?? 'SemFrete'])]),
    payment(pedido.pagamento),
    additional === undefined ? '' : group('infAdic', [leaf('infCpl', additional)]),
  ];
}

/** What the invoice adds, and who told its approximate taxes, for which the layout has no other place. */
function additionalOf({ informacoesAdicionais, itens }: InvoiceContent): string | undefined {
  const sources = new Set(itens.flatMap(({ impostos }) => impostos.percentualAproximadoTributos?.fonte ?? []));
  const told = [...sources].map((source) => `Fonte dos tributos aproximados: ${source}`);
  const all = [...(informacoesAdicionais === undefined ? [] : [informacoesAdicionais]), ...told];
  return all.length === 0 ? undefined : all.join(' | ');
}

function totalFields(totals: Totals): string[] {
  const amounts: [string, bigint][] = [
    ['vBC', totals.icmsBase],
    ['vICMS', totals.icms],
    ['vICMSDeson', 0n],
    ['vFCP', 0n],
    ['vBCST', 0n],
    ['vST', 0n],
    ['vFCPST', 0n],
    ['vFCPSTRet', 0n],
    ['vProd', totals.products],
    ['vFrete', totals.freight],
    ['vSeg', 0n],
    ['vDesc', totals.discount],
    ['vII', 0n],
    ['vIPI', totals.ipi],
    ['vIPIDevol', 0n],
    ['vPIS', totals.pis],
    ['vCOFINS', totals.cofins],
    ['vOutro', 0n],
    ['vNF', totals.invoice],
    ['vTotTrib', totals.approximateTaxes],
  ];
  return amounts.map(([name, amount]) => leaf(name, decimalText(amount, 2)));
}

function payment({ tipo, formas, troco }: InvoiceContent['pedido']['pagamento']): string {
  const ways = formas.map(({ tipo: way, valor, descricao }) =>
    group('detPag', [
      leaf('indPag', tipo && tiposPagamento[tipo]),
      leaf('tPag', formasPagamento[way]),
      leaf('xPag', way === 'Outros' ? requiredText(descricao ?? way, 60, 2) : undefined),
      leaf('vPag', decimalText(scaled(valor, 2), 2)),
    ]),
  );
  const change = troco === undefined ? undefined : decimalText(scaled(troco, 2), 2);
  return group('pag', [...ways, leaf('vTroco', change)]);
}

/** `det`: one item, with its taxes. The whole freight goes with the first. */
function item(one: Item, at: number, { items, freight }: Totals): string {
  const amounts = items[at];
  if (!amounts) throw new Error(`an invoice has no amounts for its item ${at}`);
  return group(
    'det',
    [
      product(one, amounts, at === 0 ? freight : 0n),
      taxes(one.impostos, amounts),
      leaf('infAdProd', layoutText(one.informacoesAdicionais, 500)),
    ],
    { nItem: String(at + 1) },
  );
}

function product(one: Item, amounts: ItemAmounts, freight: bigint): string {
  const unit = requiredText(one.unidadeMedida, 6);
  return group('prod', [
    leaf('cProd', requiredText(one.codigo, 60)),
    leaf('cEAN', 'SEM GTIN'),
    leaf('xProd', requiredText(one.descricao, 120)),
    leaf('NCM', one.ncm),
    leaf('CEST', one.cest),
    leaf('cBenef', one.codigoBeneficioFiscal),
    leaf('EXTIPI', one.extipi),
    leaf('CFOP', one.cfop),
    leaf('uCom', unit),
    leaf('qCom', decimalText(scaled(one.quantidade, 4), 4)),
    leaf('vUnCom', decimalText(scaled(one.valorUnitario, 10), 10)),
    leaf('vProd', decimalText(amounts.product, 2)),
    leaf('cEANTrib', 'SEM GTIN'),
    leaf('uTrib', layoutText(one.unidadeMedidaTributavel, 6) ?? unit),
    ...taxableQuantity(one, amounts),
    leaf('vFrete', unlessZero(freight)),
    leaf('vDesc', unlessZero(amounts.discount)),
    leaf('indTot', '1'),
  ]);
}

/** Quantity and price in the unit that is taxed: the commercial ones unless another quantity is given. */
function taxableQuantity(
  { quantidade, valorUnitario, quantidadeTributavel }: Item,
  { product }: ItemAmounts,
): string[] {
  const quantity = scaled(quantidadeTributavel ?? quantidade, 4);
  const price =
    quantidadeTributavel === undefined ? scaled(valorUnitario, 10) : divided(product * 10n ** 12n, quantity);
  return [leaf('qTrib', decimalText(quantity, 4)), leaf('vUnTrib', decimalText(price, 10))];
}

function unlessZero(amount: bigint): string | undefined {
  return amount === 0n ? undefined : decimalText(amount, 2);
}

type Taxes = Item['impostos'];

/** `imposto`: the taxes of an item. */
function taxes(given: Taxes, amounts: ItemAmounts): string {
  const { percentualAproximadoTributos, icms, ipi, pis, cofins } = given;
  const approximate = percentualAproximadoTributos && decimalText(amounts.approximateTaxes, 2);
  return group('imposto', [
    leaf('vTotTrib', approximate),
    group('ICMS', [icmsGroup(icms, amounts)]),
    ipi ? group('IPI', [leaf('cEnq', requiredText(ipi.codigoEnquadramento ?? '999', 3)), ipiGroup(ipi, amounts)]) : '',
    pis ? group('PIS', [contribution('PIS', pis.situacaoTributaria, amounts.pis)]) : '',
    cofins ? group('COFINS', [contribution('COFINS', cofins.situacaoTributaria, amounts.cofins)]) : '',
    ibsCbs(given.ibsCbs, amounts.ibsCbs),
  ]);
}

/** Which group of the layout holds which taxation. */
const icmsGroups = {
  '00': 'ICMS00',
  '20': 'ICMS20',
  '40': 'ICMS40',
  '41': 'ICMS40',
  '50': 'ICMS40',
  '51': 'ICMS51',
  '60': 'ICMS60',
  '90': 'ICMS90',
  '101': 'ICMSSN101',
  '102': 'ICMSSN102',
  '103': 'ICMSSN102',
  '300': 'ICMSSN102',
  '400': 'ICMSSN102',
  '500': 'ICMSSN500',
  '900': 'ICMSSN900',
} as const satisfies Record<Taxes['icms']['situacaoTributaria'], string>;

function icmsGroup(icms: Taxes['icms'], { icms: tax, icmsCredit }: ItemAmounts): string {
  const { situacaoTributaria, origem = 0 } = icms;
  const code = isCsosn(situacaoTributaria) ? 'CSOSN' : 'CST';
  const head = [leaf('orig', String(origem)), leaf(code, situacaoTributaria)];
  return group(icmsGroups[situacaoTributaria], [...head, ...icmsAmounts(icms, tax, icmsCredit)]);
}

function icmsAmounts(icms: Taxes['icms'], tax: TaxAmount, credit: TaxAmount): string[] {
  const modality = leaf('modBC', String(icms.modalidadeBaseCalculo ?? 3));
  const reduction = leaf('pRedBC', rateText(scaled(icms.percentualReducaoBaseCalculo ?? 0, 4)));
  const base = leaf('vBC', decimalText(tax.base, 2));
  const result = [leaf('pICMS', rateText(tax.rate)), leaf('vICMS', decimalText(tax.value, 2))];
  const code = icms.situacaoTributaria;
  if (code === '00') return [modality, base, ...result];
  if (code === '20') return [modality, reduction, base, ...result];
  if (code === '90' || code === '900') {
    return [modality, base, icms.percentualReducaoBaseCalculo ? reduction : '', ...result];
  }
  if (code === '101') {
    return [leaf('pCredSN', rateText(credit.rate)), leaf('vCredICMSSN', decimalText(credit.value, 2))];
  }
  return [];
}

function ipiGroup({ situacaoTributaria }: NonNullable<Taxes['ipi']>, { ipi }: ItemAmounts): string {
  const cst = leaf('CST', situacaoTributaria);
  return includes(cstsIpiUntaxed, situacaoTributaria)
    ? group('IPINT', [cst])
    : group('IPITrib', [cst, ...taxAmounts('IPI', ipi)]);
}

function contribution(name: 'PIS' | 'COFINS', cst: string, tax: TaxAmount): string {
  const head = leaf('CST', cst);
  if (includes(cstsUntaxed, cst)) return group(`${name}NT`, [head]);
  return group(`${name}${includes(cstsByRate, cst) ? 'Aliq' : 'Outr'}`, [head, ...taxAmounts(name, tax)]);
}

function taxAmounts(name: string, { base, rate, value }: TaxAmount): string[] {
  return [leaf('vBC', decimalText(base, 2)), leaf(`p${name}`, rateText(rate)), leaf(`v${name}`, decimalText(value, 2))];
}

function rateText(rate: bigint): string {
  return decimalText(rate, 4);
}

function isCsosn(code: string): boolean {
  return includes(csosns, code);
}

function includes(list: readonly string[], word: string): boolean {
  return list.includes(word);
}

/** `IBSCBS`: the taxes of the reform on an item; nothing where it says nothing of them. */
function ibsCbs(given: Item['impostos']['ibsCbs'], amounts: ItemAmounts['ibsCbs']): string {
  if (!given) return '';
  const { situacaoTributaria, classificacaoTributaria } = given;
  return group('IBSCBS', [
    leaf('CST', situacaoTributaria),
    leaf('cClassTrib', classificacaoTributaria),
    amounts ? taxed(amounts) : '',
  ]);
}

function taxed({ base, ibsUf, ibsMunicipio, cbs }: NonNullable<ItemAmounts['ibsCbs']>): string {
  return group('gIBSCBS', [
    amount('vBC', base),
    group('gIBSUF', [leaf('pIBSUF', decimalText(ibsUf.rate, 4)), amount('vIBSUF', ibsUf.value)]),
    group('gIBSMun', [leaf('pIBSMun', decimalText(ibsMunicipio.rate, 4)), amount('vIBSMun', ibsMunicipio.value)]),
    amount('vIBS', ibsUf.value + ibsMunicipio.value),
    group('gCBS', [leaf('pCBS', decimalText(cbs.rate, 4)), amount('vCBS', cbs.value)]),
  ]);
}

/** `IBSCBSTot`: what they come to on the whole invoice; nothing where no item carries any. */
function ibsCbsTotal({ items, ibsCbsBase, ibsUf, ibsMunicipio, cbs }: Totals): string {
  if (items.every((item) => item.ibsCbs === undefined)) return '';
  const credits = [amount('vCredPres', 0n), amount('vCredPresCondSus', 0n)];
  const reliefs = [amount('vDif', 0n), amount('vDevTrib', 0n)];
  return group('IBSCBSTot', [
    amount('vBCIBSCBS', ibsCbsBase),
    group('gIBS', [
      group('gIBSUF', [...reliefs, amount('vIBSUF', ibsUf)]),
      group('gIBSMun', [...reliefs, amount('vIBSMun', ibsMunicipio)]),
      amount('vIBS', ibsUf + ibsMunicipio),
      ...credits,
    ]),
    group('gCBS', [...reliefs, amount('vCBS', cbs), ...credits]),
  ]);
}

function amount(name: string, value: bigint): string {
  return leaf(name, decimalText(value, 2));
}
