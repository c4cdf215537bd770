import type { Interval } from '../types/yang-type.js';
import { fractionsBetween, grouped, numbersBetween } from './digits.js';

/** Pattern of the whole numbers in the intervals, as RFC 7951 6.1 writes 64-bit numbers: in a string. */
export function integerPattern(intervals: readonly Interval[]): string {
  return signedPattern(intervals, numbersBetween);
}

/** Pattern of the decimal64 numbers in the intervals, which count units of the last of `digits` fraction digits. */
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
  // Whole numbers whose every fraction is allowed; the two ends stand apart only where they cut something off.
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

/** Whole numbers with a fraction behind them; a fraction that may be zero may be left out, with its point. */
function decimals(from: bigint, to: bigint, fractions: string): string {
  const whole = grouped(numbersBetween(from, to));
  const body = new RegExp(`^(?:${fractions})$`);
  // A point must be followed by a digit, which expressions that match nothing do not ask for.
  return body.test('') ? `${whole}(?:\\.${atLeastOne(fractions)})?` : `${whole}\\.${grouped(fractions)}`;
}

function atLeastOne(fractions: string): string {
  const anything = /^\[0-9\]\{0,(\d+)\}0\*$/.exec(fractions);
  if (anything) return `[0-9]{1,${anything[1] ?? '1'}}0*`;
  if (fractions === '0*') return '0+';
  return grouped(fractions.replace(/^\|/, '').replace(/^0\*/, '0+'));
}
