import { readDecimal } from '../../core/yang-document.js';
import { isBase64 } from '../../lib/base64.js';
import { InvalidYang } from '../diagnostic.js';
import { derivedFrom } from '../modules/identities.js';
import type { Identity, Names } from '../modules/yang-module.js';
import { translatePattern } from '../patterns/translate-pattern.js';
import { childOf, type Statement } from '../syntax/statement.js';
import type { SchemaNode } from '../tree/schema-node.js';
import { inheritedRange } from './resolve-type.js';
import { contains } from './restrictions.js';
import type { PatternRule, YangType } from './yang-type.js';

/** Default in the form of RFC 7951, or the reason why the type does not accept the default. */
type DefaultReading = { readonly json: unknown } | { readonly refused: string };

/** Reads default values, which have the lexical form of YANG. */
export class ValueCheck {
  readonly #names: Names;

  constructor(names: Names) {
    this.#names = names;
  }

  /** Throws InvalidYang if the default does not fit the type of a node. */
  check(node: SchemaNode, type: YangType, statement: Statement): void {
    const reading = this.read(node, type, statement);
    if ('refused' in reading)
      throw invalidDefault({ name: node.name, statement, section: '7.6.4', ...reading });
  }

  /** Throws InvalidYang if the default of a typedef, or of a typedef that it is derived from, does not fit its type. */
  checkTypedef(typedef: Statement, type: YangType): void {
    const statement = childOf(typedef, 'default') ?? type.default;
    const reading = statement && this.read(undefined, type, statement);
    if (reading && 'refused' in reading)
      throw invalidDefault({ name: typedef.argument, statement, section: '7.3.4', ...reading });
  }

  /**
   * Returns the default as JSON, or the reason why the type does not accept the default. Without a node, the default of a
   * leafref is not checked, because its target is unknown.
   */
  read(node: SchemaNode | undefined, type: YangType, statement: Statement): DefaultReading {
    const text = statement.argument;
    switch (type.base) {
      case 'leafref':
        return this.#readTarget(node, type, statement);
      case 'union':
        return this.#readUnion(node, type, statement);
      case 'identityref':
        return this.#readIdentity(type, statement);
      case 'empty':
        return { refused: 'the type "empty" has no default' };
      default:
        return DEFAULT_READERS[type.base](text, type);
    }
  }

  #readTarget(node: SchemaNode | undefined, type: YangType, statement: Statement): DefaultReading {
    const target = node?.targets?.get(type);
    return target?.type ? this.read(target, target.type, statement) : { json: statement.argument };
  }

  #readUnion(node: SchemaNode | undefined, type: YangType, statement: Statement): DefaultReading {
    for (const member of type.members ?? []) {
      const reading = this.read(node, member, statement);
      if ('json' in reading) return reading;
    }
    return { refused: 'no member of the union accepts it' };
  }

  #readIdentity(type: YangType, statement: Statement): DefaultReading {
    const colon = statement.argument.indexOf(':');
    const prefix = statement.argument.slice(0, Math.max(colon, 0));
    const local = statement.argument.slice(colon + 1);
    const module = colon < 0 ? this.#names.unitOf(statement).module : this.#names.moduleOf(statement, prefix);
    const identity = module?.definitions.identity.get(local);
    if (!module || !identity) return { refused: 'there is no such identity' };
    if (!identity.enabled || !valuesOfIdentityref(type).has(identity))
      return { refused: 'the identity is not derived from all bases of the type' };
    return { json: `${module.name}:${identity.name}` };
  }
}

/**
 * Returns the identities that an identityref accepts: those that are enabled and derived from all its bases.
 */
export function valuesOfIdentityref(type: YangType): ReadonlySet<Identity> {
  const [first, ...others] = (type.bases ?? []).map((base) => derivedFrom(base));
  return new Set(
    [...(first ?? [])].filter(
      (identity) => identity.enabled && others.every((derived) => derived.has(identity)),
    ),
  );
}

interface InvalidDefault {
  readonly name: string;
  readonly statement: Statement;
  readonly section: string;
  readonly refused: string;
}

function invalidDefault({ name, statement, section, refused }: InvalidDefault): InvalidYang {
  const written = JSON.stringify(statement.argument);
  return new InvalidYang(
    statement,
    `RFC 7950 ${section}`,
    `the default ${written} of "${name}" does not fit its type: ${refused}`,
  );
}

/** Form of an instance-identifier, without a check of what is in its predicates (RFC 7950 section 14). */
const INSTANCE_IDENTIFIER =
  /^(?:\/[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?(?:\s*\[(?:[^\]"']|"[^"]*"|'[^']*')*\])*)+$/;

type ReadDefault = (text: string, type: YangType) => DefaultReading;

const readIntegerDefault: ReadDefault = (text, type) => {
  const value = readYangInteger(text);
  if (value === undefined) return { refused: 'it is not a number' };
  if (!contains(inheritedRange(type), value)) return { refused: 'it is out of range' };
  return { json: type.base.endsWith('64') ? String(value) : Number(value) };
};

const DEFAULT_READERS: Readonly<
  Record<Exclude<YangType['base'], 'leafref' | 'union' | 'identityref' | 'empty'>, ReadDefault>
> = {
  int8: readIntegerDefault,
  int16: readIntegerDefault,
  int32: readIntegerDefault,
  int64: readIntegerDefault,
  uint8: readIntegerDefault,
  uint16: readIntegerDefault,
  uint32: readIntegerDefault,
  uint64: readIntegerDefault,
  decimal64: (text, type) => {
    const digits = type.fractionDigits ?? 1;
    const value = readDecimal(text.trim(), digits);
    if (value === undefined) return { refused: `it is not a number with at most ${digits} fraction digits` };
    return contains(inheritedRange(type), value)
      ? { json: decimalText(value, digits) }
      : { refused: 'it is out of range' };
  },
  string: (text, type) => {
    if (type.length && !contains(type.length, BigInt(Array.from(text).length)))
      return { refused: 'its length' };
    const violated = (type.patterns ?? []).find((rule) => isViolated(rule, text));
    return violated ? { refused: `the pattern ${JSON.stringify(violated.xsd)}` } : { json: text };
  },
  binary: (text, type) => {
    // RFC 7950 section 9.8.2. White space is allowed as in XML Schema.
    if (!isBase64(text.replaceAll(/\s+/g, ''))) return { refused: 'it is not base64' };
    const octetCount = Buffer.from(text, 'base64').length;
    return !type.length || contains(type.length, BigInt(octetCount))
      ? { json: text }
      : { refused: 'its length' };
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
    const isValid = new Set(names).size === names.length && names.every((name) => known.includes(name));
    return isValid
      ? { json: known.filter((name) => names.includes(name)).join(' ') }
      : { refused: 'there is no such bit' };
  },
  'instance-identifier': (text) =>
    INSTANCE_IDENTIFIER.test(text) ? { json: text } : { refused: 'it is not an instance-identifier' },
};

/** Returns false for a pattern that cannot be matched in linear time: nothing enforces it. */
function isViolated({ statement, inverted }: PatternRule, text: string): boolean {
  const { source, refused } = translatePattern(statement);
  if (refused !== undefined) return false;
  let expression = expressions.get(statement);
  if (!expression) expressions.set(statement, (expression = new RegExp(source, 'u')));
  return expression.test(text) === inverted;
}

/** Expressions of `pattern` statements. Many defaults are values of the same typedef. */
const expressions = new WeakMap<Statement, RegExp>();

/** Parses an integer in a module, which may be decimal, hexadecimal or octal (RFC 7950 9.2.1). */
function readYangInteger(text: string): bigint | undefined {
  const [, sign, digits] = /^\s*([+-]?)(0[xX][0-9a-fA-F]{1,30}|[0-9]{1,30})\s*$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  if (/^0[0-7]+$/.test(digits)) return withSign(sign, BigInt(`0o${digits.slice(1)}`));
  if (/^0[0-9]/.test(digits)) return undefined;
  return withSign(sign, BigInt(digits));
}

function withSign(sign: string | undefined, value: bigint): bigint {
  return sign === '-' ? -value : value;
}

/** Formats a decimal64 value, an integer scaled by 10^`digits`, in its canonical form (RFC 7950 9.3.2). */
export function decimalText(value: bigint, digits: number): string {
  const text = String(value < 0n ? -value : value).padStart(digits + 1, '0');
  const fraction = text.slice(-digits).replace(/0+$/, '');
  return `${value < 0n ? '-' : ''}${text.slice(0, -digits)}.${fraction === '' ? '0' : fraction}`;
}
