import fc from 'fast-check';
import type { YangModule } from '../../../src/yang/modules/yang-module.js';
import { translatePattern } from '../../../src/yang/patterns/translate-pattern.js';
import { dataChildren, type SchemaNode } from '../../../src/yang/tree/schema-node.js';
import { inheritedRange } from '../../../src/yang/types/resolve-type.js';
import { contains } from '../../../src/yang/types/restrictions.js';
import { decimalText, valuesOfIdentityref } from '../../../src/yang/types/value-check.js';
import type { Interval, YangType } from '../../../src/yang/types/yang-type.js';
import type { Random } from '../random.js';

/** Number of strings that are generated for each type; values are drawn from them. */
const POOL = 12;

/** Makes values of types, each valid. */
export class Values {
  readonly #random: Random;
  readonly #pools = new Map<YangType, readonly string[]>();

  constructor(random: Random) {
    this.#random = random;
  }

  /** Returns a value of the type at a node; undefined if no value could be generated. */
  of(type: YangType, node: SchemaNode, module = node.module): unknown {
    switch (type.base) {
      case 'leafref': {
        const target = node.targets?.get(type);
        return target?.type && this.of(target.type, target, module);
      }
      case 'union': {
        const member = this.#random.pick(type.members ?? []);
        return member && this.of(member, node, module);
      }
      case 'identityref':
        return this.#identity(type, module);
      case 'instance-identifier':
        return pathToSomething(node);
      default:
        return this.#plain(type);
    }
  }

  #plain(type: YangType): unknown {
    const values = (type.values ?? []).filter(({ enabled }) => enabled);
    switch (type.base) {
      case 'boolean':
        return this.#random.chance(0.5);
      case 'empty':
        return [null];
      case 'enumeration':
        return this.#random.pick(values)?.name;
      case 'bits': {
        const chosen = values.filter(() => this.#random.chance(0.5));
        return chosen.map(({ name }) => name).join(' ');
      }
      case 'string':
        return this.#random.pick(this.#strings(type));
      case 'binary':
        return this.#binary(type);
      default:
        return this.#number(type);
    }
  }

  #number(type: YangType): unknown {
    const interval = this.#random.pick(inheritedRange(type));
    if (!interval) return undefined;
    const value = this.#random.chance(0.3)
      ? this.#random.between(interval.from, interval.to)
      : this.#bound(interval);
    if (type.base === 'decimal64') return decimalText(value, type.fractionDigits ?? 1);
    return type.base.endsWith('64') ? String(value) : Number(value);
  }

  #bound({ from, to }: Interval): bigint {
    return this.#random.chance(0.5) ? from : to;
  }

  #identity(type: YangType, module: YangModule): string | undefined {
    const identity = this.#random.pick([...valuesOfIdentityref(type)]);
    if (!identity) return undefined;
    const bare = identity.module === module && this.#random.chance(0.5);
    return bare ? identity.name : `${identity.module.name}:${identity.name}`;
  }

  #binary({ length }: YangType): string {
    const interval = this.#random.pick(length ?? [{ from: 0n, to: 20n }]) ?? { from: 0n, to: 20n };
    const most = interval.to > interval.from + 20n ? interval.from + 20n : interval.to;
    return Buffer.alloc(Number(this.#random.between(interval.from, most)), 7).toString('base64');
  }

  #strings(type: YangType): readonly string[] {
    const known = this.#pools.get(type);
    if (known) return known;
    const strings = this.#make(type).filter((text) => fits(type, text));
    this.#pools.set(type, strings);
    return strings;
  }

  #make({ patterns = [], length }: YangType): readonly string[] {
    const options = { numRuns: POOL * (patterns.length > 1 || length ? 6 : 1), seed: this.#random.seed };
    const [first] = patterns.filter(({ inverted }) => !inverted);
    if (!first) {
      const interval = length?.[0] ?? { from: 0n, to: 10n };
      const minLength = Number(interval.from);
      const maxLength = Number(interval.to > interval.from + 12n ? interval.from + 12n : interval.to);
      return [
        ...fc.sample(fc.string({ minLength, maxLength, unit: 'grapheme-ascii' }), options),
        'a'.repeat(minLength),
      ];
    }
    try {
      const source = translatePattern(first.statement).source.replaceAll(
        /\\p\{(?:L|N|S|M)\}|\\p\{Nd\}/g,
        simpler,
      );
      return fc.sample(fc.stringMatching(new RegExp(source)), options);
    } catch {
      return [];
    }
  }
}

/** Property escapes are beyond the sampler; a few of their characters will do. */
function simpler(property: string, at: number, source: string): string {
  const sample = property === '\\p{L}' ? 'a-z' : '0-9';
  const open = source.lastIndexOf('[', at) > source.lastIndexOf(']', at);
  return open ? sample : `[${sample}]`;
}

/** Whether a string has the lengths and patterns of its type. */
function fits({ patterns = [], length }: YangType, text: string): boolean {
  // YANG strings must not contain control characters or halves of surrogate pairs.
  if (/[\u0000-\u0008\u000b-\u001f\ufdd0-\ufdef\ufffe\uffff]|\p{Cs}/u.test(text)) return false;
  if (length && !contains(length, BigInt(Array.from(text).length))) return false;
  return patterns.every(
    ({ statement, inverted }) => new RegExp(translatePattern(statement).source, 'u').test(text) !== inverted,
  );
}

/** A path that leads to some node without keys. */
function pathToSomething(node: SchemaNode): string | undefined {
  let root = node;
  while (root.parent) root = root.parent;
  const top = dataChildren(root.children).find(({ kind }) => kind === 'container' || kind === 'leaf');
  return top && `/${top.module.name}:${top.name}`;
}
