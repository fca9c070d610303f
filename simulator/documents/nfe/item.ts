import { decimalText, divided, scaled } from '../../issuance/decimal.ts';
import type { ItemAmounts } from '../../issuance/item-amounts.ts';
import type { Item } from '../../issuance/schema/item.ts';
import type { Totals } from '../../issuance/totals.ts';
import { layoutText, requiredText } from '../layout-text.ts';
import { group, leaf } from '../xml.ts';
import { taxes } from './taxes.ts';

/** `det`: one item, with its taxes. The whole freight goes with the first. */
export function item(one: Item, at: number, { items, freight }: Totals): string {
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
