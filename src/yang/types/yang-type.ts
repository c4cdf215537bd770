import type { Identity } from '../modules/yang-module.js';
import type { Statement } from '../syntax/statement.js';

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

/** Interval that includes both ends. Values of decimal64 are scaled to integers by their fraction digits. */
export interface Interval {
  readonly from: bigint;
  readonly to: bigint;
}

/** Restriction of a `pattern` statement. */
export interface PatternRule {
  /** XSD regular expression as written in the module. */
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

/** Type, with the merged restrictions of its chain of typedefs. */
export interface YangType {
  readonly base: BaseType;
  /** Type statement that the type is resolved from, the first one of those without substatements. */
  readonly statement: Statement;
  /** The typedef that the statement names; undefined for a built-in type. */
  readonly typedef: Statement | undefined;
  /** True if the statement adds restrictions to the typedef. */
  readonly restricted: boolean;
  /** Range of a number type. If absent, the range of the built-in type applies. */
  readonly range?: readonly Interval[];
  /** Lengths of a string in characters, or of binary data in octets. */
  readonly length?: readonly Interval[];
  readonly patterns?: readonly PatternRule[];
  readonly fractionDigits?: number;
  /** Enums or bits in the order of their statements. */
  readonly values?: readonly NamedValue[];
  /** Bases of an identityref. Every value is derived from all of them. */
  readonly bases?: readonly Identity[];
  /** Path statement of a leafref. */
  readonly path?: Statement;
  readonly requireInstance?: boolean;
  readonly members?: readonly YangType[];
  /** Number of members of a union, including those of nested unions. */
  readonly memberCount?: number;
  /** Default statement of the nearest typedef in the chain that has one. */
  readonly default?: Statement;
  readonly units?: string;
}

/** Returns true if the type is a leafref or a union that contains a leafref. */
export function refersToLeaf(type: YangType): boolean {
  return type.base === 'leafref' || (type.members ?? []).some(refersToLeaf);
}

/** Ranges of the built-in number types; decimal64 values are scaled to integers. */
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
