import { InvalidYang } from '../diagnostic.js';
import type { Statement } from '../syntax/statement.js';
import type { Interval } from './yang-type.js';

/** Parses one boundary; undefined if it is not a number of the type. */
export type ReadNumber = (text: string) => bigint | undefined;

const NOTHING: Interval = { from: 0n, to: 0n };

/**
 * Parses the argument of `range` or `length` (RFC 7950 9.2.4). Parts must ascend without overlap, and must be
 * inside the range that the type allowed before. `min` and `max` are the ends of that range.
 */
export function readIntervals(
  statement: Statement,
  before: readonly Interval[],
  read: ReadNumber,
): readonly Interval[] {
  const least = before[0] ?? NOTHING;
  const most = before.at(-1) ?? NOTHING;
  const boundary = (text: string): bigint => {
    if (text === 'min') return least.from;
    if (text === 'max') return most.to;
    const value = read(text);
    if (value === undefined) throw broken(statement, `"${text}" is no boundary of this type`);
    return value;
  };
  const intervals = statement.argument.split('|').map((part) => {
    const [from = '', to = from, ...rest] = part.split('..').map((text) => text.trim());
    if (rest.length > 0) throw broken(statement, `"${part.trim()}" has more than two ends`);
    return { from: boundary(from), to: boundary(to) };
  });
  for (const [at, { from, to }] of intervals.entries()) {
    const last = intervals[at - 1];
    if (from > to || (last && from <= last.to)) throw broken(statement, 'the values do not ascend');
    if (!before.some((outer) => outer.from <= from && to <= outer.to))
      throw broken(statement, 'the type does not allow as much before this restriction');
  }
  return intervals;
}

/** Returns true if a value is in one of the intervals. */
export function contains(intervals: readonly Interval[], value: bigint): boolean {
  return intervals.some(({ from, to }) => from <= value && value <= to);
}

/** Parses a decimal integer (RFC 7950 9.2.1). Only defaults in modules may be hexadecimal or octal. */
export function readInteger(text: string): bigint | undefined {
  return /^[+-]?[0-9]{1,40}$/.test(text) ? BigInt(text.replace('+', '')) : undefined;
}

function broken(statement: Statement, what: string): InvalidYang {
  return new InvalidYang(
    statement,
    'RFC 7950 9.2.4',
    `${statement.keyword} "${statement.argument}": ${what}`,
  );
}
