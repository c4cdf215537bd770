/** Returns true if a number is a multiple of another number in decimal notation: 0.3 is a multiple of 0.1. */
export function isMultipleOf(value: number, factor: number): boolean {
  if (factor === 0) return false;
  if (Number.isInteger(value) && Number.isInteger(factor)) return value % factor === 0;
  const [one, other] = [decimalOf(value), decimalOf(factor)];
  const scale = Math.min(one.exponent, other.exponent);
  return scaled(one, scale) % scaled(other, scale) === 0n;
}

interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

/**
 * Returns the shortest decimal of a double. It has at most 17 digits and an exponent of at most three digits.
 */
function decimalOf(value: number): Decimal {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

function scaled({ digits, exponent }: Decimal, scale: number): bigint {
  return digits * 10n ** BigInt(exponent - scale);
}
