/** Regular expressions for ranges of decimal digits, nested by common digits to keep them short. */

/** Returns an expression for all strings of digits from `low` to `high`, which have the same length. */
function digitsBetween(low: string, high: string): string {
  if (low === high) return low;
  if (isAll(low, '0') && isAll(high, '9')) return anyDigits(low.length);
  const [a = '', b = ''] = [low[0], high[0]];
  if (a === b) return a + grouped(digitsBetween(low.slice(1), high.slice(1)));
  const rest = low.length - 1;
  const fromLow = isAll(low.slice(1), '0') ? Number(a) : Number(a) + 1;
  const toHigh = isAll(high.slice(1), '9') ? Number(b) : Number(b) - 1;
  return [
    ...(fromLow > Number(a) ? [a + grouped(digitsBetween(low.slice(1), '9'.repeat(rest)))] : []),
    ...(fromLow <= toHigh ? [digit(fromLow, toHigh) + anyDigits(rest)] : []),
    ...(toHigh < Number(b) ? [b + grouped(digitsBetween('0'.repeat(rest), high.slice(1)))] : []),
  ].join('|');
}

/** Returns an expression for all non-negative whole numbers from `low` to `high`, without leading zeros. */
export function numbersBetween(low: bigint, high: bigint): string {
  const [from, to] = [String(low), String(high)];
  if (from.length === to.length) return digitsBetween(from, to);
  const middle = { from: from.length + 1, to: to.length - 1 };
  return [
    digitsBetween(from, '9'.repeat(from.length)),
    ...(middle.from <= middle.to ? [`[1-9]${anyDigits(middle.from - 1, middle.to - 1)}`] : []),
    digitsBetween(`1${'0'.repeat(to.length - 1)}`, to),
  ].join('|');
}

/**
 * Returns an expression for all fractions (the digits after the point, with or without trailing zeros) from
 * `low` to `high`, which have the same length. It matches the empty string if zero is among them.
 */
export function fractionsBetween(low: string, high: string): string {
  if (low === '') return '0*';
  if (isAll(low, '0') && isAll(high, '9')) return `[0-9]{0,${low.length}}0*`;
  const [a = '', b = ''] = [low[0], high[0]];
  const rest = low.length - 1;
  const parts =
    a === b
      ? [a + grouped(fractionsBetween(low.slice(1), high.slice(1)))]
      : [
          a + grouped(fractionsBetween(low.slice(1), '9'.repeat(rest))),
          ...(Number(a) + 1 <= Number(b) - 1
            ? [digit(Number(a) + 1, Number(b) - 1) + fractionsBetween('0'.repeat(rest), '9'.repeat(rest))]
            : []),
          b + grouped(fractionsBetween('0'.repeat(rest), high.slice(1))),
        ];
  // A fraction that ends here continues with zeros.
  return isAll(low, '0') ? ['', ...parts].join('|') : parts.join('|');
}

/** Groups an expression with alternatives, so that it can be concatenated. */
export function grouped(expression: string): string {
  return expression.includes('|') ? `(?:${expression})` : expression;
}

function anyDigits(least: number, most = least): string {
  if (most === 0) return '';
  if (least === most) return most === 1 ? '[0-9]' : `[0-9]{${most}}`;
  return `[0-9]{${least},${most}}`;
}

function digit(from: number, to: number): string {
  return from === to ? String(from) : `[${from}-${to}]`;
}

function isAll(text: string, letter: string): boolean {
  return text === letter.repeat(text.length);
}
