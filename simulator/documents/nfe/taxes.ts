import { decimalText, scaled } from '../../issuance/decimal.ts';
import type { ItemAmounts, TaxAmount } from '../../issuance/item-amounts.ts';
import { csosns, cstsByRate, cstsIpiUntaxed, cstsUntaxed } from '../../issuance/schema/impostos.ts';
import type { Item } from '../../issuance/schema/item.ts';
import { requiredText } from '../layout-text.ts';
import { group, leaf } from '../xml.ts';
import { ibsCbs } from './ibs-cbs.ts';

type Taxes = Item['impostos'];

/** `imposto`: the taxes of an item. */
export function taxes(given: Taxes, amounts: ItemAmounts): string {
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
