import { splitRepeats } from '../../lib/pattern-repeats.js';
import { translatePattern } from '../patterns/translate-pattern.js';
import type { Interval, PatternRule, YangType } from '../types/yang-type.js';
import type { Schema } from './definitions.js';
import { type Dialect, hiddenRules } from './dialect.js';

/** Returns the schema of a `string` with its lengths and patterns (RFC 7950 9.4). */
export function stringSchema({ length, patterns = [] }: YangType, dialect: Dialect): Schema {
  const rules = patterns.map(patternSchema);
  const { not, ...limits } = length ? lengthSchema(length) : {};
  const lengths = { type: 'string', ...limits };
  const all = not === undefined ? rules : [{ not }, ...rules];
  const [only] = all;
  if (!only) return lengths;
  if (all.length === 1) return { ...lengths, ...only };
  if (dialect === 'plain') return { ...lengths, ...(not !== undefined && { not }), allOf: rules };
  // One pattern stays visible: the libraries show its message.
  const visible = rules.find((rule) => 'pattern' in rule);
  return { ...lengths, ...visible, ...hiddenRules(all.filter((rule) => rule !== visible)) };
}

function patternSchema({ statement, inverted, message }: PatternRule): Schema {
  const { source, refused } = translatePattern(statement);
  // A warning names the pattern; a schema with it would be refused by every validator that uses RE2.
  if (refused !== undefined) return { 'x-yang-pattern': source };
  const hint = message === undefined ? {} : { 'x-hint': message };
  return inverted ? { not: { pattern: source }, ...hint } : { pattern: source, ...hint };
}

/**
 * Returns the limits of the length of a string. Omits limits beyond the safe integers. `not` excludes the
 * lengths between the intervals, because form libraries render `anyOf` as a menu.
 */
function lengthSchema(intervals: readonly Interval[]): Schema {
  const [first, last] = [intervals[0], intervals.at(-1)];
  const gaps = gapsBetween(intervals).map(({ from, to }) => ({
    minLength: Number(from),
    maxLength: Number(to),
  }));
  return {
    ...(first && first.from > 0n && { minLength: Number(first.from) }),
    ...(last && last.to <= BigInt(Number.MAX_SAFE_INTEGER) && { maxLength: Number(last.to) }),
    ...excludeAll(gaps),
  };
}

/** Returns the intervals between intervals, which are in ascending order. */
export function gapsBetween(intervals: readonly Interval[]): readonly Interval[] {
  return intervals.slice(1).flatMap(({ from }, at) => {
    const previous = intervals[at]?.to ?? from;
    return previous + 1n < from ? [{ from: previous + 1n, to: from - 1n }] : [];
  });
}

/** Returns a schema that excludes each of the given schemas. */
export function excludeAll(schemas: readonly Schema[]): Schema {
  const [only] = schemas;
  if (!only) return {};
  return { not: schemas.length === 1 ? only : { anyOf: schemas } };
}

const BASE64_DIGIT = '[A-Za-z0-9+/]';
const BASE64_GROUP = `(?:${BASE64_DIGIT}{4})`;
const MAX_GROUP_COUNT = 1000n;

/** Returns the schema of `binary`: base64 with a length in octets (RFC 7950 9.8). */
export function binarySchema({ length }: YangType): Schema {
  const base = { type: 'string', contentEncoding: 'base64' };
  const any = `^${BASE64_GROUP}*(?:${BASE64_DIGIT}{2}==|${BASE64_DIGIT}{3}=)?$`;
  if (!length) return { ...base, pattern: any };
  const last = length.at(-1)?.to ?? 0n;
  if (
    length.some(({ from }) => from / 3n > MAX_GROUP_COUNT) ||
    (last < 2n ** 63n && last / 3n > MAX_GROUP_COUNT)
  )
    return {
      ...base,
      pattern: any,
      'x-yang-length': length.map(({ from, to }) => [String(from), String(to)]),
    };
  const exact = splitRepeats(`^(?:${length.flatMap(octetPatterns).join('|')})$`);
  return { ...base, pattern: 'source' in exact ? exact.source : any };
}

/**
 * Returns base64 patterns for every number of octets in an interval: complete groups of three octets,
 * followed by zero, one or two octets.
 */
function octetPatterns({ from, to }: Interval): readonly string[] {
  const tails = ['', `${BASE64_DIGIT}{2}==`, `${BASE64_DIGIT}{3}=`];
  return tails.flatMap((tail, remainder) => {
    const minGroups = (from - BigInt(remainder) + 2n) / 3n;
    const maxGroups = to < 2n ** 63n ? floorOfThird(to - BigInt(remainder)) : undefined;
    if (maxGroups !== undefined && maxGroups < (minGroups < 0n ? 0n : minGroups)) return [];
    return [`${BASE64_GROUP}{${minGroups < 0n ? 0n : minGroups},${maxGroups ?? ''}}${tail}`];
  });
}

function floorOfThird(count: bigint): bigint {
  return count < 0n ? -1n : count / 3n;
}

/**
 * Returns the schema of `bits`: names in any order, separated by one space, without duplicates (RFC 7950
 * 9.7).
 */
export function bitsSchema({ values = [] }: YangType): Schema {
  const names = values.filter(({ enabled }) => enabled).map(({ name }) => name.replaceAll('.', '\\.'));
  const any = names.join('|');
  const duplicates = names.map((name) => `${name} (?:.* )?${name}`).join('|');
  return {
    type: 'string',
    pattern: `^(?:(?:${any})(?: (?:${any}))*)?$`,
    not: { pattern: `(?:^| )(?:${duplicates})(?: |$)` },
  };
}

const IDENTIFIER = '[A-Za-z_][A-Za-z0-9_.-]*';
const QUOTED_VALUE = `(?:'[^']*'|"[^"]*")`;
const PREDICATE = `\\[ *(?:[1-9][0-9]*|(?:\\.|(?:${IDENTIFIER}:)?${IDENTIFIER}) *= *${QUOTED_VALUE}) *\\]`;

/** Lexical form of an instance-identifier (RFC 7951 6.11). The first node name is always qualified. */
export const INSTANCE_IDENTIFIER = `^/${IDENTIFIER}:${IDENTIFIER}(?:${PREDICATE})*(?:/(?:${IDENTIFIER}:)?${IDENTIFIER}(?:${PREDICATE})*)*$`;
