import type { Identity } from '../modules/yang-module.js';
import type { Statement } from '../syntax/statement.js';

/** Interval that includes both ends. For decimal64, in units of the last fraction digit. */
export interface Interval {
  readonly from: bigint;
  readonly to: bigint;
}

/** One `pattern` statement. */
export interface PatternRule {
  /** XSD regular expression as written. */
  readonly xsd: string;
  readonly inverted: boolean;
  readonly message: string | undefined;
  readonly statement: Statement;
}

/** Enum with its value, or bit with its position. */
export interface NamedValue {
  readonly name: string;
  readonly value: bigint;
  readonly statement: Statement;
  /** False if an if-feature disables the value. */
  readonly enabled: boolean;
}

/** A type with the restrictions of its whole chain of typedefs merged. */
export interface YangType {
  readonly base: BaseType;
  /** Type statement that the type was made from. */
  readonly statement: Statement;
  /** The typedef that the statement names; undefined for a built-in type. */
  readonly typedef: Statement | undefined;
  /** True if the statement adds restrictions to the typedef. */
  readonly restricted: boolean;
  /** For numbers only. If absent: the whole built-in range. */
  readonly range?: readonly Interval[];
  /** For strings in characters, for binary in octets. */
  readonly length?: readonly Interval[];
  readonly patterns?: readonly PatternRule[];
  readonly fractionDigits?: number;
  /** Enums or bits in written order. */
  readonly values?: readonly NamedValue[];
  /** Identityref: every value is derived from all of these. */
  readonly bases?: readonly Identity[];
  /** Leafref: the path, with the place where it is written. */
  readonly path?: Statement;
  readonly requireInstance?: boolean;
  readonly members?: readonly YangType[];
  /** Union: number of members, including those of nested unions. */
  readonly memberCount?: number;
  /** Nearest default of the typedef chain, with the place where it is written. */
  readonly default?: Statement;
  readonly units?: string;
}

/** Returns true if the type is a leafref or a union that contains a leafref. */
export function refersToLeaf(type: YangType): boolean {
  return type.base === 'leafref' || (type.members ?? []).some(refersToLeaf);
}

/** Built-in ranges of the integer types. */
export const INTEGER_RANGES: Readonly<Partial<Record<BaseType, Interval>>> = {
  int8: signed(8n),
  int16: signed(16n),
  int32: signed(32n),
  int64: signed(64n),
  uint8: unsigned(8n),
  uint16: unsigned(16n),
  uint32: unsigned(32n),
  uint64: unsigned(64n),
  decimal64: signed(64n),
};

function signed(bits: bigint): Interval {
  return { from: -(2n ** (bits - 1n)), to: 2n ** (bits - 1n) - 1n };
}

function unsigned(bits: bigint): Interval {
  return { from: 0n, to: 2n ** bits - 1n };
}

/** Built-in types (RFC 7950 4.2.4). */
export const BASE_TYPES = [
  'int8',
  'int16',
  'int32',
  'int64',
  'uint8',
  'uint16',
  'uint32',
  'uint64',
  'decimal64',
  'string',
  'boolean',
  'enumeration',
  'bits',
  'binary',
  'leafref',
  'identityref',
  'empty',
  'union',
  'instance-identifier',
] as const;

export type BaseType = (typeof BASE_TYPES)[number];
