import { translatePattern } from '../patterns/translate-pattern.js';
import type { Interval, PatternRule, YangType } from '../types/yang-type.js';
import type { Schema } from './schema-types.js';

/** Returns the schema of `string` with its lengths and patterns (RFC 7950 9.4). */
export function stringSchema({ length, patterns = [] }: YangType): Schema {
  const rules = patterns.map(patternSchema);
  const lengths = length ? lengthSchema(length) : {};
  const [only] = rules;
  if (!only) return { type: 'string', ...lengths };
  return rules.length === 1
    ? { type: 'string', ...lengths, ...only }
    : { type: 'string', ...lengths, allOf: rules };
}

function patternSchema({ statement, inverted, message }: PatternRule): Schema {
  const { source } = translatePattern(statement);
  const hint = message === undefined ? {} : { 'x-hint': message };
  return inverted ? { not: { pattern: source }, ...hint } : { pattern: source, ...hint };
}

/** Returns the limits for lengths of strings. Omits numbers beyond the safe integers. */
function lengthSchema(intervals: readonly Interval[]): Schema {
  const parts = intervals.map(({ from, to }) => ({
    ...(from > 0n && { minLength: Number(from) }),
    ...(to <= BigInt(Number.MAX_SAFE_INTEGER) && { maxLength: Number(to) }),
  }));
  const [only] = parts;
  return parts.length === 1 ? (only ?? {}) : { anyOf: parts };
}

const DIGIT = '[A-Za-z0-9+/]';
const WHOLE = `(?:${DIGIT}{4})`;
const HIGHEST_COUNT = 1000n;

/** Returns the schema of `binary`: base64 whose length counts octets (RFC 7950 9.8). */
export function binarySchema({ length }: YangType): Schema {
  const base = { type: 'string', contentEncoding: 'base64' };
  const any = `^${WHOLE}*(?:${DIGIT}{2}==|${DIGIT}{3}=)?$`;
  if (!length) return { ...base, pattern: any };
  const last = length.at(-1)?.to ?? 0n;
  if (length.some(({ from }) => from / 3n > HIGHEST_COUNT) || (last < 2n ** 63n && last / 3n > HIGHEST_COUNT))
    return {
      ...base,
      pattern: any,
      'x-yang-length': length.map(({ from, to }) => [String(from), String(to)]),
    };
  return { ...base, pattern: `^(?:${length.flatMap(octets).join('|')})$` };
}

/**
 * Returns patterns of base64 for every number of octets in the interval: whole groups of three, then zero,
 * one or two octets.
 */
function octets({ from, to }: Interval): readonly string[] {
  const tails = ['', `${DIGIT}{2}==`, `${DIGIT}{3}=`];
  return tails.flatMap((tail, rest) => {
    const least = (from - BigInt(rest) + 2n) / 3n;
    const most = to < 2n ** 63n ? floorThird(to - BigInt(rest)) : undefined;
    if (most !== undefined && most < (least < 0n ? 0n : least)) return [];
    return [`${WHOLE}{${least < 0n ? 0n : least},${most ?? ''}}${tail}`];
  });
}

function floorThird(count: bigint): bigint {
  return count < 0n ? -1n : count / 3n;
}

/**
 * Returns the schema of `bits`: names separated by one space, each at most once, in any order (RFC 7950 9.7).
 */
export function bitsSchema({ values = [] }: YangType): Schema {
  const names = values.filter(({ enabled }) => enabled).map(({ name }) => name.replaceAll('.', '\\.'));
  const any = names.join('|');
  const twice = names.map((name) => `${name} (?:.* )?${name}`).join('|');
  return {
    type: 'string',
    pattern: `^(?:(?:${any})(?: (?:${any}))*)?$`,
    not: { pattern: `(?:^| )(?:${twice})(?: |$)` },
  };
}

const NAME = '[A-Za-z_][A-Za-z0-9_.-]*';
const QUOTED = `(?:'[^']*'|"[^"]*")`;
const PREDICATE = `\\[ *(?:[1-9][0-9]*|(?:\\.|(?:${NAME}:)?${NAME}) *= *${QUOTED}) *\\]`;

/** The lexical form of RFC 7951 6.11: the first node is always qualified. */
export const INSTANCE_IDENTIFIER = `^/${NAME}:${NAME}(?:${PREDICATE})*(?:/(?:${NAME}:)?${NAME}(?:${PREDICATE})*)*$`;
