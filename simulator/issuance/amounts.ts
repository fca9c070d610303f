import { cstsIpiTaxed, cstsUntaxed, type InvoiceContent, type Item } from './schema.ts';

/**
 * Numbers of JSON as whole units of their last decimal place, so that no binary noise gets into amounts: 1.005 with two
 * places is 101, though the double nearest to 1.005 lies below it.
 */

/** The number in units of so many decimal places; what lies beyond is rounded, halves away from zero. */
export function scaled(value: number, places: number): bigint {
  const { digits, decimals } = exactly(value);
  return rescaled(digits, decimals, places);
}

/** Units of one number of decimal places in units of another; halves are rounded away from zero. */
export function rescaled(units: bigint, from: number, to: number): bigint {
  if (to >= from) return units * 10n ** BigInt(to - from);
  return divided(units, 10n ** BigInt(from - to));
}

/** A quotient; halves are rounded away from zero. */
export function divided(units: bigint, by: bigint): bigint {
  const isNegative = units < 0n !== by < 0n;
  const magnitude = (2n * absolute(units) + absolute(by)) / (2n * absolute(by));
  return isNegative ? -magnitude : magnitude;
}

/** How many decimal places a number is written with. */
export function decimalPlaces(value: number): number {
  return exactly(value).decimals;
}

/** Units of so many decimal places as text with a point: 1250 and 2 give "12.50". */
export function decimalText(units: bigint, places: number): string {
  const digits = String(absolute(units)).padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  const fraction = places === 0 ? '' : `.${digits.slice(digits.length - places)}`;
  return `${units < 0n ? '-' : ''}${whole}${fraction}`;
}

/** The shortest decimal text that means this double, as digits and the number of places behind the point. */
function exactly(value: number): { readonly digits: bigint; readonly decimals: number } {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const decimals = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction);
  return decimals < 0 ? { digits: rescaled(digits, 0, -decimals), decimals: 0 } : { digits, decimals };
}

function absolute(units: bigint): bigint {
  return units < 0n ? -units : units;
}

/** A tax on a base. Base and value in hundredths of a real, the rate in ten-thousandths of a percent. */
export interface TaxAmount {
  readonly base: bigint;
  readonly rate: bigint;
  readonly value: bigint;
}

/** The amounts of one item, in hundredths of a real. */
export interface ItemAmounts {
  /** Before the discount. */
  readonly product: bigint;
  readonly discount: bigint;
  readonly approximateTaxes: bigint;
  readonly icms: TaxAmount;
  /** What a customer may take as credit of ICMS from a company under the Simples Nacional. */
  readonly icmsCredit: TaxAmount;
  readonly pis: TaxAmount;
  readonly cofins: TaxAmount;
  readonly ipi: TaxAmount;
  /** `undefined` for an item that says nothing of them, or carries none of them. */
  readonly ibsCbs: IbsCbsAmounts | undefined;
}

/** IBS, of the state and of the municipality, and CBS, all on one base. */
interface IbsCbsAmounts {
  readonly base: bigint;
  readonly ibsUf: TaxAmount;
  readonly ibsMunicipio: TaxAmount;
  readonly cbs: TaxAmount;
}

/** The amounts of an item: its value as stated, else quantity times price; taxes by the rates that are given. */
export function amountsOf(item: Item): ItemAmounts {
  const product = item.valorTotal === undefined ? quantityTimesPrice(item) : scaled(item.valorTotal, 2);
  const discount = scaled(item.descontos ?? 0, 2);
  const { icms, pis, cofins, ipi, percentualAproximadoTributos } = item.impostos;
  const net = product - discount;
  const base = icms.baseCalculo === undefined ? net : scaled(icms.baseCalculo, 2);
  const { situacaoTributaria, aliquota } = icms;
  return {
    product,
    discount,
    approximateTaxes: tax(product, percentualAproximadoTributos?.simplificado.percentual).value,
    icms: carriesIcms(situacaoTributaria) ? tax(reduced(base, icms.percentualReducaoBaseCalculo), aliquota) : noTax,
    icmsCredit: situacaoTributaria === '101' ? tax(base, aliquota) : noTax,
    pis: contribution(net, pis),
    cofins: contribution(net, cofins),
    ipi: ipi && includes(cstsIpiTaxed, ipi.situacaoTributaria) ? tax(net, ipi.porAliquota?.aliquota) : noTax,
    ibsCbs: ibsCbsOf(net, item.impostos.ibsCbs),
  };
}

function ibsCbsOf(net: bigint, given: Item['impostos']['ibsCbs']): IbsCbsAmounts | undefined {
  if (!given?.ibsUf && !given?.ibsMunicipio && !given?.cbs) return undefined;
  const base = given.baseCalculo === undefined ? net : scaled(given.baseCalculo, 2);
  return {
    base,
    ibsUf: tax(base, given.ibsUf?.aliquota),
    ibsMunicipio: tax(base, given.ibsMunicipio?.aliquota),
    cbs: tax(base, given.cbs?.aliquota),
  };
}

/** In hundredths of a real, rounded. */
export function quantityTimesPrice({ quantidade, valorUnitario }: Item): bigint {
  return rescaled(scaled(quantidade, 4) * scaled(valorUnitario, 10), 14, 2);
}

const noTax: TaxAmount = { base: 0n, rate: 0n, value: 0n };

function carriesIcms(situacaoTributaria: string): boolean {
  return includes(['00', '20', '90', '900'], situacaoTributaria);
}

function contribution(net: bigint, given: Item['impostos']['pis']): TaxAmount {
  const isTaxed = given !== undefined && !includes(cstsUntaxed, given.situacaoTributaria);
  return isTaxed ? tax(net, given.porAliquota?.aliquota) : noTax;
}

function tax(base: bigint, percent = 0): TaxAmount {
  const rate = scaled(percent, 4);
  return { base, rate, value: divided(base * rate, 1_000_000n) };
}

function reduced(base: bigint, percent = 0): bigint {
  return base - tax(base, percent).value;
}

function includes(list: readonly string[], word: string): boolean {
  return list.includes(word);
}

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
