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
