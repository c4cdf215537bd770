import { InvalidYang } from '../diagnostic.js';
import type { Features } from '../modules/features.js';
import { argumentOf, type Statement } from '../syntax/statement.js';
import type { Interval, NamedValue } from './yang-type.js';

/** Parses a boundary of a range or length. Returns undefined if the text is not a value of the type. */
type ReadNumber = (text: string) => bigint | undefined;

/** Boundary of a range or length (RFC 7950 section 14, `range-boundary`): no plus sign and no leading zero. */
const BOUNDARY = /^(?:min|max|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?)$/;

/** Boundaries as other compilers accept them: with a plus sign, and in a length with zeros before the number. */
const ACCEPTED_BOUNDARIES: Readonly<Record<string, RegExp>> = {
  range: /^[+-]?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/,
  length: /^\+?[0-9]+$/,
};

const EMPTY_INTERVAL: Interval = { from: 0n, to: 0n };

/**
 * Parses the argument of `range` or `length` (RFC 7950 9.2.4). The parts must be in ascending order, without
 * overlap, and inside the `inherited` range of the base type. `min` and `max` are the ends of that range.
 */
export function readIntervals(
  statement: Statement,
  inherited: readonly Interval[],
  readNumber: ReadNumber,
): readonly Interval[] {
  const lowest = inherited[0] ?? EMPTY_INTERVAL;
  const max = inherited.at(-1) ?? EMPTY_INTERVAL;
  const readBoundary = (text: string): bigint => {
    if (text === 'min') return lowest.from;
    if (text === 'max') return max.to;
    const isAccepted = ACCEPTED_BOUNDARIES[statement.keyword]?.test(text) ?? false;
    const value = isAccepted ? readNumber(text.replace('+', '')) : undefined;
    if (value === undefined) throw invalidRange(statement, `"${text}" is not a boundary of this type`);
    return value;
  };
  const intervals = statement.argument.split('|').map((part) => {
    const [from = '', to = from, ...rest] = part.split('..').map((text) => text.trim());
    if (rest.length > 0) throw invalidRange(statement, `"${part.trim()}" has more than two ends`);
    return { from: readBoundary(from), to: readBoundary(to) };
  });
  for (const [at, { from, to }] of intervals.entries()) {
    const previous = intervals[at - 1];
    if (from > to || (previous && from <= previous.to))
      throw invalidRange(statement, 'the values do not ascend');
    if (!inherited.some((outer) => outer.from <= from && to <= outer.to))
      throw invalidRange(statement, 'the base type does not allow these values');
  }
  return intervals;
}

/** Throws InvalidYang for a boundary of a `range` or `length` that is clear, although the grammar does not allow its form. */
export function checkBoundaryForms(statement: Statement): void {
  const boundaries = statement.argument.split(/\||\.\./).map((text) => text.trim());
  if (!boundaries.every((text) => BOUNDARY.test(text)))
    throw invalidRange(statement, 'RFC 7950 section 14 allows no plus sign and no zero before a number');
}

/** Returns true if a value is in one of the intervals. */
export function contains(intervals: readonly Interval[], value: bigint): boolean {
  return intervals.some(({ from, to }) => from <= value && value <= to);
}

/** Parses a decimal integer (RFC 7950 9.2.1). Hexadecimal and octal numbers are only allowed in defaults. */
export function readInteger(text: string): bigint | undefined {
  return /^[+-]?[0-9]{1,40}$/.test(text) ? BigInt(text.replace('+', '')) : undefined;
}

function invalidRange(statement: Statement, message: string): InvalidYang {
  return new InvalidYang(
    statement,
    'RFC 7950 9.2.4',
    `${statement.keyword} "${statement.argument}": ${message}`,
  );
}

/** Numbering of enums or of bits. */
interface Numbering {
  /** Substatement with the number. */
  readonly keyword: 'value' | 'position';
  readonly max: bigint;
}

const NUMBERING: Readonly<Record<string, Numbering>> = {
  enum: { keyword: 'value', max: 2147483647n },
  bit: { keyword: 'position', max: 4294967295n },
};

/**
 * Assigns numbers to enums or bits (RFC 7950 9.6.4.2 and 9.7.4.2). Without an explicit number, the number is
 * one above the highest number so far.
 */
export function numberValues(statements: readonly Statement[], features: Features): readonly NamedValue[] {
  const used = new Map<string | bigint, string>();
  let next = 0n;
  return statements.map((statement) => {
    const { keyword, max } = numberingOf(statement);
    const written = argumentOf(statement, keyword);
    const value = written === undefined ? next : BigInt(written);
    if (value > max) throw invalidValue(statement, `needs a ${keyword}: the highest number is already used`);
    if (used.has(statement.argument)) throw invalidValue(statement, 'occurs twice');
    const holder = used.get(value);
    if (holder !== undefined) throw invalidValue(statement, `has the ${keyword} ${value} of "${holder}"`);
    used.set(statement.argument, statement.argument).set(value, statement.argument);
    if (value >= next) next = value + 1n;
    return { name: statement.argument, value, statement, enabled: features.allow(statement) };
  });
}

/**
 * Returns the enums or bits of a type to which a derived type restricts it (RFC 7950 9.6.3). Their numbers do
 * not change.
 */
export function restrictValues(
  statements: readonly Statement[],
  inherited: readonly NamedValue[],
  features: Features,
): readonly NamedValue[] {
  const names = new Map(inherited.map((value) => [value.name, value]));
  const used = new Set<string>();
  return statements.map((statement) => {
    const value = names.get(statement.argument);
    if (!value) throw invalidValue(statement, 'is not in the restricted type');
    if (used.has(value.name)) throw invalidValue(statement, 'occurs twice');
    used.add(value.name);
    const { keyword } = numberingOf(statement);
    const written = argumentOf(statement, keyword);
    if (written !== undefined && BigInt(written) !== value.value)
      throw invalidValue(statement, `has the ${keyword} ${value.value} already, which must not change`);
    return { ...value, statement, enabled: value.enabled && features.allow(statement) };
  });
}

function numberingOf(statement: Statement): Numbering {
  return NUMBERING[statement.keyword] ?? { keyword: 'value', max: 0n };
}

function invalidValue(statement: Statement, message: string): InvalidYang {
  const section = statement.keyword === 'bit' ? '9.7.4' : '9.6.4';
  return new InvalidYang(
    statement,
    `RFC 7950 ${section}`,
    `the ${statement.keyword} "${statement.argument}" ${message}`,
  );
}
