import { memberName } from '../../../src/yang/json-schema/data-path.js';
import {
  isNeeded,
  keysOf,
  propertyOf,
  type SchemaNode,
  valueOf,
} from '../../../src/yang/tree/schema-node.js';
import type { Random } from '../random.js';
import type { Values } from './values.js';

export type Json = Record<string, unknown>;

/** One value in a document, its schema node, and its place. */
export interface GeneratedNode {
  readonly node: SchemaNode;
  readonly holder: Json;
  readonly name: string;
}

export interface Generated {
  readonly document: Json;
  readonly spots: readonly GeneratedNode[];
}

/** Amount of optional data in a document. */
interface Fill {
  readonly chance: number;
  /** Number of nodes after which only mandatory nodes are added. */
  readonly most: number;
}

/** Makes documents of a module that are valid. */
export class Generator {
  readonly #random: Random;
  readonly #values: Values;
  readonly #included: (node: SchemaNode) => boolean;
  #spots: GeneratedNode[] = [];
  #fill: Fill = { chance: 0, most: 0 };

  constructor(random: Random, values: Values, included: (node: SchemaNode) => boolean) {
    this.#random = random;
    this.#values = values;
    this.#included = included;
  }

  document(root: SchemaNode, fill: Fill): Generated {
    this.#spots = [];
    this.#fill = fill;
    const document = this.#object(root.children) ?? {};
    return { document, spots: this.#spots };
  }

  /** Returns a small valid value of one node. */
  value(node: SchemaNode): unknown {
    this.#spots = [];
    this.#fill = { chance: 0, most: 0 };
    return this.#value(node);
  }

  /** Undefined when something that must be there cannot be made: a type without values, for example. */
  #object(nodes: readonly SchemaNode[], keys: readonly string[] = []): Json | undefined {
    const object: Json = {};
    const before = this.#spots.length;
    for (const node of nodes.filter(this.#included)) {
      const must = isNeeded(node, this.#included) || (keys.includes(node.name) && node.kind === 'leaf');
      if ((must || this.#wanted()) && !this.#add(node, object) && must) {
        this.#spots.length = before;
        return undefined;
      }
    }
    return object;
  }

  /** False when nothing could be added. */
  #add(node: SchemaNode, object: Json): boolean {
    if (node.kind === 'choice') return this.#addCase(node, object);
    const value = this.#value(node);
    if (value === undefined) return false;
    const name = memberName(node);
    object[name] = value;
    this.#spots.push({ node, holder: object, name });
    return true;
  }

  /** Adds nodes of one case, at least one of them. */
  #addCase(choice: SchemaNode, object: Json): boolean {
    const cases = choice.children.filter((one) => this.#included(one) && one.children.some(this.#included));
    const children = this.#random.pick(cases)?.children.filter(this.#included) ?? [];
    const chosen = this.#random.pick(children);
    let added = false;
    for (const child of children)
      if ((child === chosen || isNeeded(child, this.#included) || this.#wanted()) && this.#add(child, object))
        added = true;
    return added;
  }

  #wanted(): boolean {
    return this.#spots.length < this.#fill.most && this.#random.chance(this.#fill.chance);
  }

  #value(node: SchemaNode): unknown {
    switch (node.kind) {
      case 'leaf':
        return node.type && this.#values.of(node.type, node);
      case 'leaf-list':
        return this.#several(node, () => node.type && this.#values.of(node.type, node), JSON.stringify);
      case 'list': {
        const keys = keysOf(node);
        const identity = (entry: unknown) =>
          keys.length === 0
            ? String(this.#random.next())
            : JSON.stringify(keys.map((key) => (entry as Json)[key]));
        return this.#several(node, () => this.#object(node.children, keys), identity);
      }
      case 'container': {
        const object = this.#object(node.children);
        // An empty container that is not a presence container has no meaning.
        return object && (Object.keys(object).length > 0 || propertyOf(node, 'presence'))
          ? object
          : undefined;
      }
      case 'anydata':
      case 'anyxml':
        return {};
      default:
        return undefined;
    }
  }

  #several(
    node: SchemaNode,
    make: () => unknown,
    identity: (entry: unknown) => string,
  ): readonly unknown[] | undefined {
    const least = Number(valueOf(node, 'min-elements') ?? 0);
    const most = Number(valueOf(node, 'max-elements') ?? 1000) || 1000;
    const wanted = Math.min(most, Math.max(least, this.#random.chance(0.3) ? 2 : 1));
    const entries = new Map<string, unknown>();
    for (let tries = 0; entries.size < wanted && tries < wanted * 5; tries += 1) {
      const entry = make();
      if (entry !== undefined) entries.set(identity(entry), entry);
    }
    return entries.size > 0 ? [...entries.values()] : undefined;
  }
}
