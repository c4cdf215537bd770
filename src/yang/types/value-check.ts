import { readDecimal } from '../../core/yang-document.js';
import { InvalidYang } from '../diagnostic.js';
import { derivedFrom } from '../modules/identities.js';
import type { Identity, Names } from '../modules/yang-module.js';
import { translatePattern } from '../patterns/translate-pattern.js';
import type { Statement } from '../syntax/statement.js';
import type { SchemaNode } from '../tree/schema-node.js';
import { contains } from './restrictions.js';
import { rangeBefore } from './resolve-type.js';
import type { PatternRule, YangType } from './yang-type.js';

/** Default in the form of RFC 7951, or the reason why the type refuses it. */
export type Reading = { readonly json: unknown } | { readonly refused: string };

/** Reads values in the text of a module: defaults. */
export class ValueCheck {
  readonly #names: Names;

  constructor(names: Names) {
    this.#names = names;
  }

  /** Throws InvalidYang if the default does not fit the type. */
  check(node: SchemaNode, type: YangType, written: Statement): void {
    const reading = this.read(node, type, written);
    if ('refused' in reading)
      throw new InvalidYang(
        written,
        'RFC 7950 7.6.4',
        `the default ${JSON.stringify(written.argument)} of "${node.name}" does not fit its type: ${reading.refused}`,
      );
  }

  /** Returns the default as JSON, or the reason why the type refuses it. */
  read(node: SchemaNode, type: YangType, written: Statement): Reading {
    const text = written.argument;
    switch (type.base) {
      case 'leafref':
        return this.#readTarget(node, type, written);
      case 'union':
        return this.#readUnion(node, type, written);
      case 'identityref':
        return this.#readIdentity(type, written);
      case 'empty':
        return { refused: 'the type "empty" has no default' };
      default:
        return READERS[type.base](text, type);
    }
  }

  #readTarget(node: SchemaNode, type: YangType, written: Statement): Reading {
    const target = node.targets?.get(type);
    return target?.type ? this.read(target, target.type, written) : { json: written.argument };
  }

  #readUnion(node: SchemaNode, type: YangType, written: Statement): Reading {
    for (const member of type.members ?? []) {
      const reading = this.read(node, member, written);
      if ('json' in reading) return reading;
    }
    return { refused: 'no member of the union takes it' };
  }

  #readIdentity(type: YangType, written: Statement): Reading {
    const colon = written.argument.indexOf(':');
    const prefix = written.argument.slice(0, Math.max(colon, 0));
    const local = written.argument.slice(colon + 1);
    const module = colon < 0 ? this.#names.unitOf(written).module : this.#names.moduleOf(written, prefix);
    const identity = module?.definitions.identity.get(local);
    if (!module || !identity) return { refused: 'there is no such identity' };
    if (!identity.enabled || !valuesOfIdentityref(type).has(identity))
      return { refused: 'the identity is not derived from what the type asks for' };
    return { json: `${module.name}:${identity.name}` };
  }
}

/** Returns every identity that an identityref accepts: derived from all of its bases, and enabled. */
export function valuesOfIdentityref(type: YangType): ReadonlySet<Identity> {
  const [first, ...others] = (type.bases ?? []).map((base) => derivedFrom(base));
  return new Set(
    [...(first ?? [])].filter((one) => one.enabled && others.every((derived) => derived.has(one))),
  );
}

type Read = (text: string, type: YangType) => Reading;

const integer: Read = (text, type) => {
  const value = readAnyBase(text);
  if (value === undefined) return { refused: 'it is no number' };
  if (!contains(rangeBefore(type), value)) return { refused: 'it is out of range' };
  return { json: type.base.endsWith('64') ? String(value) : Number(value) };
};

const READERS: Readonly<
  Record<Exclude<YangType['base'], 'leafref' | 'union' | 'identityref' | 'empty'>, Read>
> = {
  int8: integer,
  int16: integer,
  int32: integer,
  int64: integer,
  uint8: integer,
  uint16: integer,
  uint32: integer,
  uint64: integer,
  decimal64: (text, type) => {
    const digits = type.fractionDigits ?? 1;
    const value = readDecimal(text.trim(), digits);
    if (value === undefined) return { refused: `it is no number with at most ${digits} fraction digits` };
    return contains(rangeBefore(type), value)
      ? { json: decimalText(value, digits) }
      : { refused: 'it is out of range' };
  },
  string: (text, type) => {
    if (type.length && !contains(type.length, BigInt(Array.from(text).length)))
      return { refused: 'its length' };
    const against = (type.patterns ?? []).find((rule) => matches(rule, text) === rule.inverted);
    return against ? { refused: `the pattern ${JSON.stringify(against.xsd)}` } : { json: text };
  },
  binary: (text, type) => {
    const octets = Buffer.from(text, 'base64').length;
    return !type.length || contains(type.length, BigInt(octets)) ? { json: text } : { refused: 'its length' };
  },
  boolean: (text) =>
    text === 'true' || text === 'false'
      ? { json: text === 'true' }
      : { refused: 'it is neither true nor false' },
  enumeration: (text, type) =>
    (type.values ?? []).some(({ name, enabled }) => enabled && name === text)
      ? { json: text }
      : { refused: 'there is no such enum' },
  bits: (text, type) => {
    const names = text.split(/\s+/).filter((name) => name !== '');
    const known = (type.values ?? []).filter(({ enabled }) => enabled).map(({ name }) => name);
    const fits = new Set(names).size === names.length && names.every((name) => known.includes(name));
    return fits
      ? { json: known.filter((name) => names.includes(name)).join(' ') }
      : { refused: 'there is no such bit' };
  },
  'instance-identifier': (text) => ({ json: text }),
};

function matches({ statement }: PatternRule, text: string): boolean {
  return new RegExp(translatePattern(statement).source, 'u').test(text);
}

/** Parses a whole number in a module, which may also be hexadecimal or octal (RFC 7950 9.2.1). */
function readAnyBase(text: string): bigint | undefined {
  const [, sign, digits] = /^\s*([+-]?)(0[xX][0-9a-fA-F]{1,30}|[0-9]{1,30})\s*$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  if (/^0[0-7]+$/.test(digits)) return signed(sign, BigInt(`0o${digits.slice(1)}`));
  if (/^0[0-9]/.test(digits)) return undefined;
  return signed(sign, BigInt(digits));
}

function signed(sign: string | undefined, value: bigint): bigint {
  return sign === '-' ? -value : value;
}

/** Formats a number in units of its last digit (RFC 7950 9.3.2): with at least one digit after the point. */
export function decimalText(value: bigint, digits: number): string {
  const text = String(value < 0n ? -value : value).padStart(digits + 1, '0');
  const fraction = text.slice(-digits).replace(/0+$/, '');
  return `${value < 0n ? '-' : ''}${text.slice(0, -digits)}.${fraction === '' ? '0' : fraction}`;
}
