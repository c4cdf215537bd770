import { InvalidYang } from '../diagnostic.js';
import { argumentOf, type Statement } from '../syntax/statement.js';
import type { Interval, NamedValue } from './yang-type.js';
import type { Features } from '../modules/features.js';

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
    if (value === undefined) throw invalidRange(statement, `"${text}" is no boundary of this type`);
    return value;
  };
  const intervals = statement.argument.split('|').map((part) => {
    const [from = '', to = from, ...rest] = part.split('..').map((text) => text.trim());
    if (rest.length > 0) throw invalidRange(statement, `"${part.trim()}" has more than two ends`);
    return { from: boundary(from), to: boundary(to) };
  });
  for (const [at, { from, to }] of intervals.entries()) {
    const last = intervals[at - 1];
    if (from > to || (last && from <= last.to)) throw invalidRange(statement, 'the values do not ascend');
    if (!before.some((outer) => outer.from <= from && to <= outer.to))
      throw invalidRange(statement, 'the type does not allow as much before this restriction');
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

function invalidRange(statement: Statement, what: string): InvalidYang {
  return new InvalidYang(
    statement,
    'RFC 7950 9.2.4',
    `${statement.keyword} "${statement.argument}": ${what}`,
  );
}

/** Differences between enums and bits. */
interface Numbering {
  /** Substatement that gives the number. */
  readonly keyword: 'value' | 'position';
  readonly most: bigint;
}

const NUMBERING: Readonly<Record<string, Numbering>> = {
  enum: { keyword: 'value', most: 2147483647n },
  bit: { keyword: 'position', most: 4294967295n },
};

/**
 * Numbers enums or bits (RFC 7950 9.6.4.2 and 9.7.4.2). Without an explicit number, each is one above the
 * highest.
 */
export function numberValues(statements: readonly Statement[], features: Features): readonly NamedValue[] {
  const taken = new Map<string | bigint, string>();
  let next = 0n;
  return statements.map((statement) => {
    const { keyword, most } = numberingOf(statement);
    const written = argumentOf(statement, keyword);
    const value = written === undefined ? next : BigInt(written);
    if (value > most)
      throw invalidValue(statement, `needs a ${keyword}: the highest number is taken already`);
    if (taken.has(statement.argument)) throw invalidValue(statement, 'stands here twice');
    const other = taken.get(value);
    if (other !== undefined) throw invalidValue(statement, `has the ${keyword} ${value} of "${other}"`);
    taken.set(statement.argument, statement.argument).set(value, statement.argument);
    if (value >= next) next = value + 1n;
    return { name: statement.argument, value, statement, enabled: features.allow(statement) };
  });
}

/**
 * Returns the enums or bits of a type that a derived type names again (RFC 7950 9.6.3). Their numbers stay.
 */
export function restrictValues(
  statements: readonly Statement[],
  before: readonly NamedValue[],
  features: Features,
): readonly NamedValue[] {
  const names = new Map(before.map((value) => [value.name, value]));
  const taken = new Set<string>();
  return statements.map((statement) => {
    const value = names.get(statement.argument);
    if (!value) throw invalidValue(statement, 'is not among those of the type that is restricted');
    if (taken.has(value.name)) throw invalidValue(statement, 'stands here twice');
    taken.add(value.name);
    const { keyword } = numberingOf(statement);
    const written = argumentOf(statement, keyword);
    if (written !== undefined && BigInt(written) !== value.value)
      throw invalidValue(statement, `has the ${keyword} ${value.value} already, which must not change`);
    return { ...value, statement, enabled: value.enabled && features.allow(statement) };
  });
}

function numberingOf(statement: Statement): Numbering {
  return NUMBERING[statement.keyword] ?? { keyword: 'value', most: 0n };
}

function invalidValue(statement: Statement, what: string): InvalidYang {
  const section = statement.keyword === 'bit' ? '9.7.4' : '9.6.4';
  return new InvalidYang(
    statement,
    `RFC 7950 ${section}`,
    `the ${statement.keyword} "${statement.argument}" ${what}`,
  );
}
