import { readDecimal } from '../../core/yang-document.js';
import { isBase64 } from '../../lib/base64.js';
import type { Names } from '../modules/yang-module.js';
import { translatePattern } from '../patterns/translate-pattern.js';
import type { Statement } from '../syntax/statement.js';
import type { SchemaNode } from '../tree/schema-node.js';
import { inheritedRange } from '../types/resolve-type.js';
import { contains, readInteger } from '../types/restrictions.js';
import { decimalText, valuesOfIdentityref } from '../types/value-check.js';
import type { Interval, PatternRule, YangType } from '../types/yang-type.js';
import { knownTypedefs } from './known-typedefs.js';

/** Compiles a regular expression of ECMAScript. Throws if the expression cannot be used. */
export type CompilePattern = (source: string) => { test(text: string): boolean };

/** Reading of a value by one type. */
export interface Candidate {
  /** Canonical form. */
  readonly text: string;
  /** Type without leafref and union. */
  readonly type: YangType;
  readonly reference?: Reference;
}

/** Leafref or instance-identifier, and the schema node that has it. */
export interface Reference {
  readonly type: YangType;
  readonly node: SchemaNode;
  /** True if the instance must exist (RFC 7950 9.9.3). */
  readonly isRequired: boolean;
}

/** Readings of a value in the order of the members of a union, or why there is none. */
type ReadValue = readonly [Candidate, ...Candidate[]] | { readonly fault: string };

/** Node of a value, and the module of its identities without a prefix. */
interface ValueScope {
  readonly node: SchemaNode;
  readonly module: string;
}

/** Reads values in the encoding of RFC 7951, and returns their canonical form. */
export class ValueReader {
  readonly #names: Names;
  readonly #compile: CompilePattern;
  readonly #patterns = new Map<Statement, { test(text: string): boolean }>();
  readonly #identities = new Map<YangType, ReadonlySet<string>>();
  readonly #values = new Map<YangType, ReadonlyMap<string, number>>();

  constructor(names: Names, compile: CompilePattern) {
    this.#names = names;
    this.#compile = compile;
  }

  read(type: YangType, json: unknown, scope: ValueScope): ReadValue {
    switch (type.base) {
      case 'leafref':
        return this.#leafref(type, json, scope);
      case 'union':
        return this.#union(type, json, scope);
      case 'instance-identifier':
        return instanceIdentifier(type, json, scope);
      default: {
        const reading = this.#plain(type, json, scope);
        return 'fault' in reading ? reading : [{ text: reading.text, type }];
      }
    }
  }

  /** Reads the lexical form that XML, XPath and predicates have: a number and a Boolean have no quotes in JSON. */
  readText(type: YangType, text: string, scope: ValueScope): ReadValue {
    if (type.base === 'leafref') {
      const target = scope.node.targets?.get(type);
      return target?.type
        ? this.readText(target.type, text, { ...scope, node: target })
        : { fault: 'has no target' };
    }
    if (type.base !== 'union') return this.read(type, jsonOf(type, text), scope);
    for (const member of type.members ?? []) {
      const reading = this.readText(member, text, scope);
      if (!('fault' in reading)) return reading;
    }
    return { fault: 'is no value of any member type of the union' };
  }

  #leafref(type: YangType, json: unknown, scope: ValueScope): ReadValue {
    const target = scope.node.targets?.get(type);
    if (!target?.type) return { fault: 'has no target' };
    const reading = this.read(target.type, json, { node: target, module: scope.module });
    if ('fault' in reading) return reading;
    const [{ text, type: realType }] = reading;
    return [{ text, type: realType, reference: referenceOf(type, scope.node) }];
  }

  #union({ members = [] }: YangType, json: unknown, scope: ValueScope): ReadValue {
    const readings = members.map((member) => this.read(member, json, scope));
    const [first, ...others] = readings.flatMap((reading) => ('fault' in reading ? [] : [...reading]));
    return first ? [first, ...others] : { fault: 'is no value of any member type of the union' };
  }

  #plain(type: YangType, json: unknown, scope: ValueScope): Reading {
    switch (type.base) {
      case 'string':
        return this.#string(type, json);
      case 'boolean':
        return typeof json === 'boolean' ? { text: String(json) } : { fault: 'must be true or false' };
      case 'empty':
        return Array.isArray(json) && json.length === 1 && json[0] === null
          ? { text: '' }
          : { fault: 'must be [null]' };
      case 'enumeration':
        return this.#enumeration(type, json);
      case 'bits':
        return this.#bits(type, json);
      case 'binary':
        return binary(type, json);
      case 'identityref':
        return this.#identity(type, json, scope);
      default:
        return numberReading(type, json);
    }
  }

  #string(type: YangType, json: unknown): Reading {
    if (typeof json !== 'string') return { fault: 'must be a string' };
    if (FORBIDDEN_CHARACTERS.test(json))
      return { fault: 'has a character that YANG strings cannot have (RFC 7950 9.4)' };
    if (type.length && !contains(type.length, BigInt(characterCount(json))))
      return { fault: `must have ${describeIntervals(type.length)} characters` };
    const violated = (type.patterns ?? []).find((rule) => this.#isViolated(rule, json));
    if (violated)
      return { fault: violated.message ?? `must ${violated.inverted ? 'not ' : ''}match "${violated.xsd}"` };
    const known = knownTypedefs(type, this.#names);
    const fault = known.map(({ check }) => check?.(json)).find((found) => found !== undefined);
    if (fault !== undefined) return { fault };
    return { text: known.reduce((text, { canonical }) => canonical?.(text) ?? text, json) };
  }

  /** Returns false for a pattern that cannot be matched in linear time: the JSON Schema does not enforce it either. */
  #isViolated({ statement, inverted }: PatternRule, text: string): boolean {
    const { source, refused } = translatePattern(statement);
    if (refused !== undefined) return false;
    let pattern = this.#patterns.get(statement);
    if (!pattern) this.#patterns.set(statement, (pattern = this.#compile(source)));
    return pattern.test(text) === inverted;
  }

  #enumeration(type: YangType, json: unknown): Reading {
    return typeof json === 'string' && this.#numbersOf(type).has(json)
      ? { text: json }
      : { fault: 'is no enum of the type' };
  }

  #bits(type: YangType, json: unknown): Reading {
    if (typeof json !== 'string') return { fault: 'must be a string of bits' };
    const numbers = this.#numbersOf(type);
    const names = json.split(/[ \t\n\r]+/).filter((name) => name !== '');
    if (!names.every((name) => numbers.has(name))) return { fault: 'has a bit that the type does not have' };
    if (new Set(names).size < names.length) return { fault: 'has a bit twice' };
    return { text: names.sort((a, b) => (numbers.get(a) ?? 0) - (numbers.get(b) ?? 0)).join(' ') };
  }

  #numbersOf(type: YangType): ReadonlyMap<string, number> {
    let numbers = this.#values.get(type);
    if (!numbers) {
      const enabled = (type.values ?? []).filter((value) => value.enabled);
      numbers = new Map(enabled.map(({ name, value }) => [name, Number(value)]));
      this.#values.set(type, numbers);
    }
    return numbers;
  }

  #identity(type: YangType, json: unknown, { module }: ValueScope): Reading {
    if (typeof json !== 'string') return { fault: 'must be the name of an identity' };
    let known = this.#identities.get(type);
    if (!known) {
      known = new Set([...valuesOfIdentityref(type)].map((found) => `${found.module.name}:${found.name}`));
      this.#identities.set(type, known);
    }
    const text = json.includes(':') ? json : `${module}:${json}`;
    if (known.has(text)) return { text };
    const bases = (type.bases ?? []).map(({ module: { name: of }, name }) => `"${of}:${name}"`).join(' and ');
    return {
      fault:
        known.size > 0
          ? `is no identity derived from ${bases}`
          : `has no valid value, because no identity derived from ${bases} is known; give the modules that define such identities`,
    };
  }
}

type Reading = { readonly text: string } | { readonly fault: string };

/** Characters and noncharacters that strings cannot have, and halves of surrogate pairs (RFC 7950 section 14). */
const FORBIDDEN_CHARACTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]|\p{Cs}|\p{Noncharacter_Code_Point}/u;

function characterCount(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1) count += 1;
  return count;
}

/** Returns the JSON value for a lexical form. */
function jsonOf(type: YangType, text: string): unknown {
  if (type.base === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  if (type.base === 'empty') return text === '' ? [null] : text;
  const isJsonNumber = /^u?int(?:8|16|32)$/.test(type.base);
  if (!isJsonNumber) return text;
  const value = readInteger(text.trim());
  return value === undefined ? text : Number(value);
}

function binary(type: YangType, json: unknown): Reading {
  if (typeof json !== 'string' || !isBase64(json)) return { fault: 'must be base64' };
  if (type.length && !contains(type.length, BigInt(Buffer.from(json, 'base64').length)))
    return { fault: `must have ${describeIntervals(type.length)} octets` };
  return { text: json };
}

function numberReading(type: YangType, json: unknown): Reading {
  const digits = type.fractionDigits ?? 1;
  const isDecimal = type.base === 'decimal64';
  const value =
    isDecimal || type.base.endsWith('64') ? ofString(json, isDecimal ? digits : 0) : ofNumber(json);
  if (value === undefined) return { fault: `is no value of the type ${type.base}` };
  const range = inheritedRange(type);
  if (!contains(range, value))
    return { fault: `must be in the range ${describeIntervals(range, isDecimal ? digits : undefined)}` };
  return { text: isDecimal ? decimalText(value, digits) : String(value) };
}

function ofNumber(json: unknown): bigint | undefined {
  return typeof json === 'number' && Number.isInteger(json) ? BigInt(json) : undefined;
}

function ofString(json: unknown, digits: number): bigint | undefined {
  return typeof json === 'string' ? readDecimal(json, digits) : undefined;
}

function instanceIdentifier(type: YangType, json: unknown, { node }: ValueScope): ReadValue {
  if (typeof json !== 'string') return { fault: 'must be an instance-identifier' };
  return [{ text: json, type, reference: referenceOf(type, node) }];
}

function referenceOf(type: YangType, node: SchemaNode): Reference {
  return { type, node, isRequired: type.requireInstance !== false };
}

function describeIntervals(intervals: readonly Interval[], digits?: number): string {
  const textOf = (value: bigint): string =>
    digits === undefined ? String(value) : decimalText(value, digits);
  return intervals
    .map(({ from, to }) => (from === to ? textOf(from) : `${textOf(from)}..${textOf(to)}`))
    .join(' | ');
}
