import { decimalText } from '../../issuance/decimal.ts';
import type { ItemAmounts } from '../../issuance/item-amounts.ts';
import type { Item } from '../../issuance/schema/item.ts';
import type { Totals } from '../../issuance/totals.ts';
import { group, leaf } from '../xml.ts';

/** `IBSCBS`: the taxes of the reform on an item; nothing where it says nothing of them. */
export function ibsCbs(given: Item['impostos']['ibsCbs'], amounts: ItemAmounts['ibsCbs']): string {
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
export function ibsCbsTotal({ items, ibsCbsBase, ibsUf, ibsMunicipio, cbs }: Totals): string {
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
