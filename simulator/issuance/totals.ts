import { scaled } from './decimal.ts';
import { amountsOf, type ItemAmounts } from './item-amounts.ts';
import type { InvoiceContent } from './schema/invoice.ts';

/** The amounts of a whole invoice, in hundredths of a real. */
export interface Totals {
  readonly items: readonly ItemAmounts[];
  readonly products: bigint;
  readonly discount: bigint;
  readonly freight: bigint;
  readonly icmsBase: bigint;
  readonly icms: bigint;
  readonly ipi: bigint;
  readonly pis: bigint;
  readonly cofins: bigint;
  readonly approximateTaxes: bigint;
  readonly ibsCbsBase: bigint;
  readonly ibsUf: bigint;
  readonly ibsMunicipio: bigint;
  readonly cbs: bigint;
  /** Products less discount, with freight and IPI. */
  readonly invoice: bigint;
}

/** The amounts of an invoice and of each of its items. */
export function totalsOf({ itens, transporte }: InvoiceContent): Totals {
  const items = itens.map((item) => amountsOf(item));
  const sum = (amount: (item: ItemAmounts) => bigint): bigint =>
    items.reduce((total, item) => total + amount(item), 0n);
  const products = sum((item) => item.product);
  const discount = sum((item) => item.discount);
  const freight = scaled(transporte?.frete?.valor ?? 0, 2);
  const ipi = sum((item) => item.ipi.value);
  return {
    items,
    products,
    discount,
    freight,
    icmsBase: sum((item) => item.icms.base),
    icms: sum((item) => item.icms.value),
    ipi,
    pis: sum((item) => item.pis.value),
    cofins: sum((item) => item.cofins.value),
    approximateTaxes: sum((item) => item.approximateTaxes),
    ibsCbsBase: sum(({ ibsCbs }) => ibsCbs?.base ?? 0n),
    ibsUf: sum(({ ibsCbs }) => ibsCbs?.ibsUf.value ?? 0n),
    ibsMunicipio: sum(({ ibsCbs }) => ibsCbs?.ibsMunicipio.value ?? 0n),
    cbs: sum(({ ibsCbs }) => ibsCbs?.cbs.value ?? 0n),
    invoice: products - discount + freight + ipi,
  };
}
