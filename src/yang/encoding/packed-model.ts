import { knownTypedefNames } from '../document/known-typedefs.js';
import type { LinkedModules } from '../link.js';
import type { Identity, Names, YangModule } from '../modules/yang-module.js';
import type { NodeKind } from '../tree/node-definition.js';
import { NODE_STATEMENTS } from '../tree/node-kinds.js';
import { isOrderedByUser, propertyOf, type SchemaNode } from '../tree/schema-node.js';
import type { YangType } from '../types/yang-type.js';

/** Kinds of nodes by their number in a packed model. */
export const KINDS: readonly NodeKind[] = [...NODE_STATEMENTS, 'structure'];

/** Bits of a node. */
export const IS_CONFIG = 1;
export const IS_ENABLED = 2;
export const HAS_PRESENCE = 4;
export const IS_ORDERED_BY_USER = 8;

/** Type whose references to other types and identities are their numbers. */
export type PackedType = Pick<YangType, 'base'> & {
  readonly range?: YangType['range'];
  readonly length?: YangType['length'];
  readonly fractionDigits?: number;
  readonly requireInstance?: boolean;
  readonly patterns?: readonly (readonly [xsd: string, inverted: boolean, message: string | undefined])[];
  /** Enums or bits that are enabled. */
  readonly values?: readonly (readonly [name: string, value: bigint])[];
  readonly bases?: readonly number[];
  readonly members?: readonly number[];
  /** `module:name` of its typedefs whose descriptions demand more than their patterns. */
  readonly typedefs?: readonly string[];
};

/**
 * What the encodings need of compiled modules, as plain data of bounded nesting that another thread can receive: nodes are rows of
 * numbers, each after its parent.
 */
export interface PackedModel {
  readonly modules: readonly (readonly [name: string, namespace: string, revision: string | undefined])[];
  readonly names: readonly string[];
  readonly kinds: Uint8Array<ArrayBuffer>;
  readonly bits: Uint8Array<ArrayBuffer>;
  readonly nameOf: Uint32Array<ArrayBuffer>;
  readonly moduleOf: Uint32Array<ArrayBuffer>;
  /** Number of the first nodes, which are at the top of a datastore. */
  readonly topCount: number;
  /** Number of the parent; -1 at the top. */
  readonly parentOf: Int32Array<ArrayBuffer>;
  /** Number of the type; -1 without one. */
  readonly typeOf: Int32Array<ArrayBuffer>;
  /** Names of the keys by the number of the list. */
  readonly keys: ReadonlyMap<number, string>;
  /** Targets of the leafrefs of a node. */
  readonly targets: readonly (readonly [node: number, type: number, target: number])[];
  readonly types: readonly PackedType[];
  readonly identities: readonly (readonly [
    name: string,
    module: number,
    enabled: boolean,
    derived: readonly number[],
  ])[];
}

/** Packs compiled modules. The nodes at the top are those of the given modules. */
export function packModel({ given, all, trees, names }: LinkedModules): PackedModel {
  return new Packer(all, names).pack(given.flatMap((module) => trees.rootOf(module).children));
}

class Packer {
  readonly #modules: Numbers<YangModule>;
  readonly #texts = new Numbers<string>();
  readonly #nodes = new Numbers<SchemaNode>();
  readonly #types = new Numbers<YangType>();
  readonly #identities = new Numbers<Identity>();
  readonly #names: Names;

  constructor(modules: readonly YangModule[], names: Names) {
    this.#modules = new Numbers(modules);
    this.#names = names;
  }

  pack(top: readonly SchemaNode[]): PackedModel {
    const nodes = this.#nodes.list;
    for (const node of top) this.#nodes.of(node);
    // The list grows: children follow their parents, in the order of the schema.
    for (const node of nodes) for (const child of node.children) this.#nodes.of(child);
    // Leafs of modules that are only imported have no place in the tree.
    for (const node of nodes) for (const target of node.targets?.values() ?? []) this.#nodes.of(target);
    const numberOf = (node: SchemaNode): number => (node.type ? this.#types.of(node.type) : -1);
    const targets = nodes.flatMap((node, at) =>
      [...(node.targets ?? [])].map(
        ([type, target]) => [at, this.#types.of(type), this.#nodes.of(target)] as const,
      ),
    );
    const typeOf = Int32Array.from(nodes, numberOf);
    const types = mapGrowing(this.#types.list, (type) => this.#packType(type));
    const identities = mapGrowing(this.#identities.list, (identity) => this.#packIdentity(identity));
    return {
      kinds: Uint8Array.from(nodes, ({ kind }) => KINDS.indexOf(kind)),
      bits: Uint8Array.from(nodes, bitsOf),
      nameOf: Uint32Array.from(nodes, ({ name }) => this.#texts.of(name)),
      moduleOf: Uint32Array.from(nodes, ({ module }) => this.#modules.of(module)),
      parentOf: Int32Array.from(nodes, ({ parent }) => this.#nodes.find(parent) ?? -1),
      topCount: top.length,
      typeOf,
      keys: new Map(nodes.flatMap((node, at) => keyEntry(node, at))),
      targets,
      types,
      identities,
      names: this.#texts.list,
      modules: this.#modules.list.map(
        ({ name, namespace, revision }) => [name, namespace, revision] as const,
      ),
    };
  }

  #packType(type: YangType): PackedType {
    const { base, range, length, fractionDigits, requireInstance, patterns, values, bases, members } = type;
    const typedefs = base === 'string' ? knownTypedefNames(type, this.#names) : [];
    return {
      base,
      ...(range && { range }),
      ...(length && { length }),
      ...(fractionDigits !== undefined && { fractionDigits }),
      ...(requireInstance !== undefined && { requireInstance }),
      ...(patterns && {
        patterns: patterns.map(({ xsd, inverted, message }) => [xsd, inverted, message] as const),
      }),
      ...(values && {
        values: values.filter(({ enabled }) => enabled).map(({ name, value }) => [name, value] as const),
      }),
      ...(bases && { bases: bases.map((identity) => this.#identities.of(identity)) }),
      ...(members && { members: members.map((member) => this.#types.of(member)) }),
      ...(typedefs.length > 0 && { typedefs }),
    };
  }

  #packIdentity({ name, module, enabled, derived }: Identity): PackedModel['identities'][number] {
    return [name, this.#modules.of(module), enabled, derived.map((one) => this.#identities.of(one))];
  }
}

function bitsOf(node: SchemaNode): number {
  const hasPresence = node.kind === 'container' && propertyOf(node, 'presence') !== undefined;
  return (
    (node.config ? IS_CONFIG : 0) +
    (node.enabled ? IS_ENABLED : 0) +
    (hasPresence ? HAS_PRESENCE : 0) +
    (isOrderedByUser(node) ? IS_ORDERED_BY_USER : 0)
  );
}

function keyEntry(node: SchemaNode, at: number): readonly (readonly [number, string])[] {
  const key = node.kind === 'list' ? propertyOf(node, 'key')?.argument : undefined;
  return key === undefined ? [] : [[at, key]];
}

/** Maps a list to which the function may add. */
function mapGrowing<T, U>(list: readonly T[], map: (item: T) => U): readonly U[] {
  const mapped: U[] = [];
  for (const item of list) mapped.push(map(item));
  return mapped;
}

/** Numbers of objects, in the order in which they were first asked for. */
class Numbers<T> {
  readonly list: T[] = [];
  readonly #numbers = new Map<T, number>();

  constructor(known: readonly T[] = []) {
    for (const item of known) this.of(item);
  }

  find(item: T | undefined): number | undefined {
    return item === undefined ? undefined : this.#numbers.get(item);
  }

  of(item: T): number {
    const known = this.#numbers.get(item);
    if (known !== undefined) return known;
    const number = this.list.push(item) - 1;
    this.#numbers.set(item, number);
    return number;
  }
}
