import type { Interval } from '../types/yang-type.js';

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
function numbersBetween(low: bigint, high: bigint): string {
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
function fractionsBetween(low: string, high: string): string {
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
function grouped(expression: string): string {
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

/**
 * Returns the pattern of the whole numbers in the intervals, as strings in the form of RFC 7951 6.1 for
 * 64-bit numbers.
 */
export function integerPattern(intervals: readonly Interval[]): string {
  return signedPattern(intervals, numbersBetween);
}

/**
 * Returns the pattern of the decimal64 numbers in the intervals. The intervals count units of the last of
 * `digits` fraction digits.
 */
export function decimalPattern(intervals: readonly Interval[], digits: number): string {
  return signedPattern(intervals, (low, high) => decimalsBetween(low, high, digits));
}

type Between = (low: bigint, high: bigint) => string;

function signedPattern(intervals: readonly Interval[], between: Between): string {
  const parts = intervals.flatMap(({ from, to }) => {
    if (from > 0n) return [`\\+?${grouped(between(from, to))}`];
    if (to < 0n) return [`-${grouped(between(-to, -from))}`];
    // Zero may have either sign.
    const [below, above] = [between(0n, -from), between(0n, to)];
    return below === above ? [`[+-]?${grouped(above)}`] : [`-${grouped(below)}`, `\\+?${grouped(above)}`];
  });
  return `^${grouped(parts.join('|'))}$`;
}

function decimalsBetween(low: bigint, high: bigint, digits: number): string {
  const unit = 10n ** BigInt(digits);
  const [first, last] = [low / unit, high / unit];
  const [least, most] = [fraction(low % unit, digits), fraction(high % unit, digits)];
  const [zeros, nines] = ['0'.repeat(digits), '9'.repeat(digits)];
  if (first === last) return decimals(first, last, fractionsBetween(least, most));
  // Whole numbers whose every fraction is allowed. The two ends are separate only if they exclude fractions.
  const from = least === zeros ? first : first + 1n;
  const to = most === nines ? last : last - 1n;
  return [
    ...(from > first ? [decimals(first, first, fractionsBetween(least, nines))] : []),
    ...(from <= to ? [decimals(from, to, fractionsBetween(zeros, nines))] : []),
    ...(to < last ? [decimals(last, last, fractionsBetween(zeros, most))] : []),
  ].join('|');
}

function fraction(units: bigint, digits: number): string {
  return String(units).padStart(digits, '0');
}

/**
 * Returns a pattern for whole numbers with a fraction. A fraction that may be zero may be left out with its
 * point.
 */
function decimals(from: bigint, to: bigint, fractions: string): string {
  const whole = grouped(numbersBetween(from, to));
  const body = new RegExp(`^(?:${fractions})$`);
  // A point must be followed by a digit. An expression that matches the empty text does not require a digit.
  return body.test('') ? `${whole}(?:\\.${atLeastOne(fractions)})?` : `${whole}\\.${grouped(fractions)}`;
}

function atLeastOne(fractions: string): string {
  const anything = /^\[0-9\]\{0,(\d+)\}0\*$/.exec(fractions);
  if (anything) return `[0-9]{1,${anything[1] ?? '1'}}0*`;
  if (fractions === '0*') return '0+';
  return grouped(fractions.replace(/^\|/, '').replace(/^0\*/, '0+'));
}
