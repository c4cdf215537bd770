import type { Interval } from '../types/yang-type.js';

/**
 * Returns the pattern of the integers in the intervals. RFC 7951 section 6.1 represents 64-bit integers as
 * strings.
 */
export function integerPattern(intervals: readonly Interval[]): string {
  return signedPattern(intervals, numbersBetween);
}

/**
 * Returns the pattern of the decimal64 numbers in the intervals. The boundaries are integers scaled by
 * 10^`digits`.
 */
export function decimalPattern(intervals: readonly Interval[], digits: number): string {
  return signedPattern(intervals, (low, high) => decimalsBetween(low, high, digits));
}

/**
 * Returns an expression for all digit strings from `low` to `high`, which have the same length. Common
 * leading digits are factored out to keep the expression short.
 */
function digitsBetween(low: string, high: string): string {
  if (low === high) return low;
  if (consistsOf(low, '0') && consistsOf(high, '9')) return repeatedDigits(low.length);
  const [a = '', b = ''] = [low[0], high[0]];
  if (a === b) return a + groupAlternatives(digitsBetween(low.slice(1), high.slice(1)));
  const rest = low.length - 1;
  const fromLow = consistsOf(low.slice(1), '0') ? Number(a) : Number(a) + 1;
  const toHigh = consistsOf(high.slice(1), '9') ? Number(b) : Number(b) - 1;
  return [
    ...(fromLow > Number(a) ? [a + groupAlternatives(digitsBetween(low.slice(1), '9'.repeat(rest)))] : []),
    ...(fromLow <= toHigh ? [digitRange(fromLow, toHigh) + repeatedDigits(rest)] : []),
    ...(toHigh < Number(b) ? [b + groupAlternatives(digitsBetween('0'.repeat(rest), high.slice(1)))] : []),
  ].join('|');
}

/** Returns an expression for all non-negative integers from `low` to `high`, without leading zeros. */
function numbersBetween(low: bigint, high: bigint): string {
  const [from, to] = [String(low), String(high)];
  if (from.length === to.length) return digitsBetween(from, to);
  const middle = { from: from.length + 1, to: to.length - 1 };
  return [
    digitsBetween(from, '9'.repeat(from.length)),
    ...(middle.from <= middle.to ? [`[1-9]${repeatedDigits(middle.from - 1, middle.to - 1)}`] : []),
    digitsBetween(`1${'0'.repeat(to.length - 1)}`, to),
  ].join('|');
}

/**
 * Returns an expression for all fractions from `low` to `high`, which are digits after the decimal point of
 * the same length. The expression allows trailing zeros, and matches the empty string if `low` is zero.
 */
function fractionsBetween(low: string, high: string): string {
  if (low === '') return '0*';
  if (consistsOf(low, '0') && consistsOf(high, '9')) return `[0-9]{0,${low.length}}0*`;
  const [a = '', b = ''] = [low[0], high[0]];
  const rest = low.length - 1;
  const parts =
    a === b
      ? [a + groupAlternatives(fractionsBetween(low.slice(1), high.slice(1)))]
      : [
          a + groupAlternatives(fractionsBetween(low.slice(1), '9'.repeat(rest))),
          ...(Number(a) + 1 <= Number(b) - 1
            ? [
                digitRange(Number(a) + 1, Number(b) - 1) +
                  fractionsBetween('0'.repeat(rest), '9'.repeat(rest)),
              ]
            : []),
          b + groupAlternatives(fractionsBetween('0'.repeat(rest), high.slice(1))),
        ];
  // A fraction may end here if its remaining digits are zeros.
  return consistsOf(low, '0') ? ['', ...parts].join('|') : parts.join('|');
}

/** Groups an expression with alternatives, so that it can be concatenated. */
function groupAlternatives(expression: string): string {
  return expression.includes('|') ? `(?:${expression})` : expression;
}

function repeatedDigits(min: number, max = min): string {
  if (max === 0) return '';
  if (min === max) return max === 1 ? '[0-9]' : `[0-9]{${max}}`;
  return `[0-9]{${min},${max}}`;
}

function digitRange(from: number, to: number): string {
  return from === to ? String(from) : `[${from}-${to}]`;
}

function consistsOf(text: string, letter: string): boolean {
  return text === letter.repeat(text.length);
}

type PatternBetween = (low: bigint, high: bigint) => string;

function signedPattern(intervals: readonly Interval[], patternBetween: PatternBetween): string {
  const parts = intervals.flatMap(({ from, to }) => {
    if (from > 0n) return [`\\+?${groupAlternatives(patternBetween(from, to))}`];
    if (to < 0n) return [`-${groupAlternatives(patternBetween(-to, -from))}`];
    // Zero may have either sign.
    const [below, above] = [patternBetween(0n, -from), patternBetween(0n, to)];
    return below === above
      ? [`[+-]?${groupAlternatives(above)}`]
      : [`-${groupAlternatives(below)}`, `\\+?${groupAlternatives(above)}`];
  });
  return `^${groupAlternatives(parts.join('|'))}$`;
}

function decimalsBetween(low: bigint, high: bigint, digits: number): string {
  const unit = 10n ** BigInt(digits);
  const [first, last] = [low / unit, high / unit];
  const [min, max] = [fractionDigitsOf(low % unit, digits), fractionDigitsOf(high % unit, digits)];
  const [zeros, nines] = ['0'.repeat(digits), '9'.repeat(digits)];
  if (first === last) return decimalPatternOf(first, last, fractionsBetween(min, max));
  // Integer parts for which every fraction is allowed. The ends are separate if they exclude some fractions.
  const from = min === zeros ? first : first + 1n;
  const to = max === nines ? last : last - 1n;
  return [
    ...(from > first ? [decimalPatternOf(first, first, fractionsBetween(min, nines))] : []),
    ...(from <= to ? [decimalPatternOf(from, to, fractionsBetween(zeros, nines))] : []),
    ...(to < last ? [decimalPatternOf(last, last, fractionsBetween(zeros, max))] : []),
  ].join('|');
}

function fractionDigitsOf(units: bigint, digits: number): string {
  return String(units).padStart(digits, '0');
}

/**
 * Returns a pattern for integer parts with a fraction. The fraction is optional with its decimal point if it
 * may be zero.
 */
function decimalPatternOf(from: bigint, to: bigint, fractions: string): string {
  const integerPart = groupAlternatives(numbersBetween(from, to));
  const body = new RegExp(`^(?:${fractions})$`);
  // A decimal point must be followed by a digit, which an expression that matches the empty string does not
  // require.
  return body.test('')
    ? `${integerPart}(?:\\.${requireDigit(fractions)})?`
    : `${integerPart}\\.${groupAlternatives(fractions)}`;
}

function requireDigit(fractions: string): string {
  const anyFraction = /^\[0-9\]\{0,(\d+)\}0\*$/.exec(fractions);
  if (anyFraction) return `[0-9]{1,${anyFraction[1] ?? '1'}}0*`;
  if (fractions === '0*') return '0+';
  return groupAlternatives(fractions.replace(/^\|/, '').replace(/^0\*/, '0+'));
}
